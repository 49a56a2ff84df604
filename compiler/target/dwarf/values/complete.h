/* SPDX-License-Identifier: GPL-2.0 */
/* The definitions of structures that a unit of a program only declares. */
#ifndef DWARF_VALUES_COMPLETE_H
#define DWARF_VALUES_COMPLETE_H

#include "base/map.h"
#include "target/dwarf/private.h"

/* The state for one program's debug information. The caller fills the first two members. */
struct complete_types {
	struct arena *arena;
	struct dwarf_db *db;
	struct map *found;    /* "struct ns::NAME" -> Dwarf_Off *; NULL: not needed yet */
};

/** complete_find - find the definition of the structure, class or union that @die declares. Returns
 *  false if no unit has it at its outermost scope or in a namespace. The first call walks over all
 *  units. */
bool complete_find(struct complete_types *t, Dwarf_Die *die, Dwarf_Die *ret);

#endif
