/* SPDX-License-Identifier: GPL-2.0 */
/* The results of a scan, until copies are joined with the functions of which they are. */
#ifndef DWARF_SCANNED_H
#define DWARF_SCANNED_H

#include "target/dwarf/dwarf.h"
#include "target/dwarf/private.h"

/* A copy and its origin. DWARF_FOUND_ABSTRACT: an entry whose name is at the origin, not a copy. */
struct scanned_copy { Dwarf_Off die, origin; enum dwarf_found_kind kind; };

/* All zero: nothing was found. Both are in ascending order of DIEs. */
struct scanned {
	void (*visit)(void *data, const struct dwarf_found *found);
	void *data;
	struct { struct dwarf_found *v; size_t n, cap; } found; /* with a name of their own */
	struct { struct scanned_copy *v; size_t n, cap; } copies;
};

/** scanned_add, scanned_add_copy - add an entry. */
void scanned_add(struct scanned *s, Dwarf_Off die, const char *name, enum dwarf_found_kind kind);
void scanned_add_copy(struct scanned *s, Dwarf_Off die, Dwarf_Off origin,
		      enum dwarf_found_kind kind);
/** scanned_report - call @visit for what has a name, and forget it. */
void scanned_report(struct scanned *s);
void scanned_deinit(struct scanned *s);

#endif
