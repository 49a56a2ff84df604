/* SPDX-License-Identifier: GPL-2.0 */
/* Structures that a unit only declares, and another one has whole. */
#ifndef DWARF_VALUES_COMPLETE_H
#define DWARF_VALUES_COMPLETE_H

#include "base/map.h"
#include "dwarf/private.h"

/* The state for one object's debug information. The caller fills the first three members. */
struct complete_types {
	struct arena *arena;
	Dwarf *dwarf;
	bool has_scopes;      /* there may be units of C++, whose names lie in namespaces */
	struct map *found;    /* "struct ns::NAME" -> Dwarf_Off *; NULL: not looked for yet */
};

/** complete_find - the whole structure, class or union of which @die is a declaration; false: no
 *  unit has it at its outermost scope or in a namespace. Walks over all units when first called. */
bool complete_find(struct complete_types *t, Dwarf_Die *die, Dwarf_Die *ret);

#endif
