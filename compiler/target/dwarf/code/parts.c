/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds what contains an inlined copy, and whether a copy is only a part of a function.
 *
 * gcc may split a function: its beginning, which often returns, can then be inlined, while the rest
 * becomes NAME.part.N, which the copies of the beginning call (-fpartial-inlining). Where the rest
 * is inlined after all, debug information has a copy of the function directly within itself, as for
 * recursion. The call of the rest has the place of the function's declaration, whereas a recursive
 * call is in the body.
 */
#include <dwarf.h>

#include "target/dwarf/private.h"

/* Whether two numbers are the same, or both missing. */
static bool is_same(Dwarf_Die *die, unsigned own, unsigned of_origin)
{
	Dwarf_Attribute attr;
	Dwarf_Word one = 0, other = 0;

	dwarf_formudata(dwarf_attr(die, own, &attr), &one);
	dwarf_formudata(dwarf_attr_integrate(die, of_origin, &attr), &other);
	return one == other;
}

Dwarf_Off dwarf_parts_origin(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin;

	return dwarf_formref_die(dwarf_attr(die, DW_AT_abstract_origin, &attr), &origin) ?
	       dwarf_dieoffset(&origin) : dwarf_dieoffset(die);
}

/* Finds the function or copy that directly contains a copy with code at @pc. */
static bool find_around(struct dwarf_db *db, Dwarf_Off copy, uint64_t pc, Dwarf_Die *ret)
{
	struct dwarf_scopes at;
	size_t i;

	if (!dwarf_scopes_down_to(db, pc, copy, &at) || at.n < 2)
		return false;
	for (i = at.n - 2; i && dwarf_tag(&at.v[i]) != DW_TAG_inlined_subroutine;)
		i--;
	*ret = at.v[i];
	return true;
}

bool dwarf_parts_is_rest(struct dwarf_db *db, Dwarf_Die *copy)
{
	Dwarf_Die around;
	uint64_t pc;

	return is_same(copy, DW_AT_call_line, DW_AT_decl_line) &&
	       is_same(copy, DW_AT_call_column, DW_AT_decl_column) &&
	       dwarf_scopes_entry(copy, &pc) &&
	       find_around(db, dwarf_dieoffset(copy), pc, &around) &&
	       dwarf_parts_origin(copy) == dwarf_parts_origin(&around);
}

uint64_t dwarf_place_around(const struct dwarf_place *copy)
{
	Dwarf_Die around;

	return copy->inlined && find_around(copy->db, copy->function_scope, copy->pc, &around) ?
	       dwarf_dieoffset(&around) : 0;
}
