/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Indexes of a kernel's debug information. The first run that needs an index makes it and stores it
 * in the cache (cache/file.h); later runs map it. A file belongs to one build and to a section of
 * one size; its sums cover all of its bytes. A file that does not match, or is damaged, is made
 * again.
 */
#ifndef DWARF_CACHED_H
#define DWARF_CACHED_H

#include "base/cache/file.h"
#include "target/dwarf/private.h"

/* A kind of index, in a structure of its own that begins with a struct dwarf_cached. */
struct dwarf_cached_kind {
	const char *suffix;      /* of the file's name */
	const char *format;      /* changes with the format of the contents */
	/* "index of ...", which is announced on standard error while that of a kernel is made,
	 * because it takes seconds; NULL: it does not */
	const char *slow;
	/* Makes the contents. Returns false if they can't be made. */
	bool (*make)(struct dwarf_db *db, struct buf *ret);
	/* Finds the parts of the contents, dwarf_cached.bytes, of the structure @index. Returns
	 * false if they are invalid; then the index still counts as empty. */
	bool (*find)(void *index);
};

/* All zero: closed. */
struct dwarf_cached {
	const char *bytes;       /* aligned to 8 bytes */
	size_t size;
	struct cache_mapping file;   /* the mapped file, unless @bytes are the arena's */
};

/** dwarf_cached_open - open the file that was made from a section of @of bytes. If there is none,
 *  or it is damaged, the index is made for this run, and that of a kernel is stored for later ones;
 *  errors while storing are ignored. @index: zeroed; it stays empty if it can't be made. */
void dwarf_cached_open(struct dwarf_db *db, const struct dwarf_cached_kind *kind, uint64_t of,
		       void *index);
/** dwarf_cached_close - accepts a zeroed struct. */
void dwarf_cached_close(struct dwarf_cached *cached);

#endif
