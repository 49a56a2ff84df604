/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Indexes of a kernel's debug information. The first run that needs one makes it and stores it
 * in the cache (cache/file.h); later sessions map it. A file belongs to one build and to a section
 * of one size; its sums cover all of its bytes. A file that does not fit, or is damaged, is made
 * again.
 */
#ifndef DWARF_CACHED_H
#define DWARF_CACHED_H

#include "cache/file.h"
#include "dwarf/private.h"

struct dwarf_cached_kind {
	const char *suffix;      /* of the file's name */
	const char *format;      /* another one when what is in it changes */
};

/* All zero: none. */
struct dwarf_cached {
	const char *bytes;       /* aligned for 8 bytes */
	size_t size;
	struct cache_mapping file;   /* that is mapped, if @bytes are not the arena's */
};

/** dwarf_cached_open - open the file that was made from a section of @of bytes; false: there is
 *  none, or it is damaged. */
bool dwarf_cached_open(struct dwarf_db *db, const struct dwarf_cached_kind *kind, uint64_t of,
		       struct dwarf_cached *ret);
/** dwarf_cached_put - has a copy of @bytes for this run, and keeps a kernel's for later ones;
 *  what goes wrong with that is not reported. */
void dwarf_cached_put(struct dwarf_db *db, const struct dwarf_cached_kind *kind, uint64_t of,
		      const struct buf *bytes, struct dwarf_cached *ret);
/** dwarf_cached_close - accepts a zeroed one. */
void dwarf_cached_close(struct dwarf_cached *cached);

#endif
