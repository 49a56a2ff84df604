/* SPDX-License-Identifier: GPL-2.0 */
#include "target/dwarf/values/params.h"

#include <dwarf.h>

#include "target/dwarf/values/read.h"

static bool origin_of(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;

	return dwarf_attr(die, DW_AT_abstract_origin, &attr) && dwarf_formref_die(&attr, ret);
}

/* Finds the parameter of the code whose origin is @declared. */
static bool own_of(Dwarf_Die *function, Dwarf_Die *declared, Dwarf_Die *ret)
{
	Dwarf_Die child, origin;

	if (dwarf_child(function, &child) != 0)
		return false;
	do {
		if (dwarf_tag(&child) == DW_TAG_formal_parameter && origin_of(&child, &origin) &&
		    dwarf_dieoffset(&origin) == dwarf_dieoffset(declared)) {
			*ret = child;
			return true;
		}
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

bool params_of(struct dwarf_db *db, const struct dwarf_place *at, struct params *ret)
{
	Dwarf_Die child;
	bool is_copy;

	ret->v.n = 0;
	if (!dwarf_parts_die(db, at->function_scope, &ret->function) ||
	    dwarf_tag(&ret->function) != DW_TAG_subprogram)
		return false;
	is_copy = origin_of(&ret->function, &ret->declared);
	if (!is_copy)
		ret->declared = ret->function;
	if (dwarf_child(&ret->declared, &child) != 0)
		return true;
	do {
		struct param one = { .declared = child };
		int tag = dwarf_tag(&child);

		if ((tag != DW_TAG_formal_parameter && tag != DW_TAG_unspecified_parameters) ||
		    ret->v.n >= DWARF_READ_MEMBERS)
			continue;
		one.own = child;
		one.has_own = !is_copy || own_of(&ret->function, &child, &one.own);
		vec_push(db->arena, &ret->v, one);
	} while (dwarf_siblingof(&child, &child) == 0);
	return true;
}
