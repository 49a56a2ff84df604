/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Indexes of a kernel's debug information. The first run that needs an index makes it and stores it
 * in the cache (cache/file.h); later runs map it. A file belongs to one build and to a section of
 * one size; its sums cover all of its bytes. A file that does not match, or is damaged, is made
 * again.
 */
#ifndef DWARF_CACHED_H
#define DWARF_CACHED_H

#include "cache/file.h"
#include "dwarf/private.h"

struct dwarf_cached_kind {
	const char *suffix;      /* of the file's name */
	const char *format;      /* changes with the format of the contents */
};

/* All zero: closed. */
struct dwarf_cached {
	const char *bytes;       /* aligned to 8 bytes */
	size_t size;
	struct cache_mapping file;   /* the mapped file, unless @bytes are the arena's */
};

/** dwarf_cached_open - open the file that was made from a section of @of bytes. Returns false if
 *  there is none, or if it is damaged. */
bool dwarf_cached_open(struct dwarf_db *db, const struct dwarf_cached_kind *kind, uint64_t of,
		       struct dwarf_cached *ret);
/** dwarf_cached_put - copy @bytes to *@ret for this run, and store those of a kernel for later
 *  runs. Errors while storing are ignored. */
void dwarf_cached_put(struct dwarf_db *db, const struct dwarf_cached_kind *kind, uint64_t of,
		      const struct buf *bytes, struct dwarf_cached *ret);
/** dwarf_cached_close - accepts a zeroed struct. */
void dwarf_cached_close(struct dwarf_cached *cached);

#endif
