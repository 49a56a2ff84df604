/* SPDX-License-Identifier: GPL-2.0 */
/* Functions, inlined copies and blocks around an address. */
#include <dwarf.h>

#include "dwarf/private.h"

/* The functions of a unit that have code; a function that was split has several ranges. */
const struct dwarf_ranges *dwarf_scopes_functions(struct dwarf_db *db, struct dwarf_unit *u)
{
	Dwarf_Die die;
	if (u->code_read)
		return &u->code;
	u->code_read = true;
	for (int more = dwarf_child(&u->die, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
		Dwarf_Addr base, start, end;
		if (dwarf_tag(&die) != DW_TAG_subprogram ||
		    (!dwarf_hasattr(&die, DW_AT_low_pc) && !dwarf_hasattr(&die, DW_AT_ranges)))
			continue;
		for (ptrdiff_t i = 0; (i = dwarf_ranges(&die, i, &base, &start, &end)) > 0;) {
			struct dwarf_range one = { start, end, dwarf_dieoffset(&die) };
			vec_push(db->arena, &u->code.v, one);
		}
	}
	dwarf_ranges_sort(&u->code);
	return &u->code;
}

/* The block or inlined function in @outer that has @pc. */
static bool find_inner(Dwarf_Die *outer, uint64_t pc, Dwarf_Die *ret)
{
	for (int more = dwarf_child(outer, ret); more == 0; more = dwarf_siblingof(ret, ret)) {
		int tag = dwarf_tag(ret);
		if ((tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) &&
		    dwarf_haspc(ret, pc) > 0)
			return true;
	}
	return false;
}

static bool find_function(struct dwarf_db *db, uint64_t pc, struct dwarf_scopes *ret)
{
	struct dwarf_unit *u = dwarf_units_at(db, pc);
	ret->n = 0;
	if (!u)
		return false;
	const struct dwarf_range *code = dwarf_ranges_find(dwarf_scopes_functions(db, u), pc);
	ret->n = code && dwarf_offdie(db->dwarf, code->of, &ret->v[0]);
	return ret->n;
}

bool dwarf_scopes_at(struct dwarf_db *db, uint64_t pc, struct dwarf_scopes *ret)
{
	if (!find_function(db, pc, ret))
		return false;
	while (ret->n < DWARF_SCOPES_MAX &&
	       find_inner(&ret->v[ret->n - 1], pc, &ret->v[ret->n]))
		ret->n++;
	return true;
}

/* The child of @outer that is @scope or has it: what is below a DIE stands between it and the next
 * one beside it. */
static bool find_towards(Dwarf_Die *outer, Dwarf_Off scope, Dwarf_Die *ret)
{
	Dwarf_Die die;
	bool found = false;
	for (int more = dwarf_child(outer, &die); more == 0 && dwarf_dieoffset(&die) <= scope;
	     more = dwarf_siblingof(&die, &die)) {
		*ret = die;
		found = true;
	}
	return found;
}

bool dwarf_scopes_down_to(struct dwarf_db *db, uint64_t pc, Dwarf_Off scope,
			  struct dwarf_scopes *ret)
{
	if (!find_function(db, pc, ret))
		return false;
	while (dwarf_dieoffset(&ret->v[ret->n - 1]) != scope) {
		if (ret->n == DWARF_SCOPES_MAX ||
		    !find_towards(&ret->v[ret->n - 1], scope, &ret->v[ret->n]))
			return false;
		ret->n++;
	}
	return true;
}

bool dwarf_scopes_entry(Dwarf_Die *die, uint64_t *ret)
{
	Dwarf_Addr base, start, end;
	if (dwarf_entrypc(die, ret) == 0)
		return true;
	for (ptrdiff_t i = 0; (i = dwarf_ranges(die, i, &base, &start, &end)) > 0;) {
		if (start < end) {
			*ret = start;
			return true;
		}
	}
	return false;
}

const char *dwarf_scopes_name(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	return dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attr));
}

bool dwarf_constant(Dwarf_Attribute *attr, int64_t *ret)
{
	Dwarf_Word word;
	Dwarf_Sword number;
	switch (dwarf_whatform(attr)) {
	case DW_FORM_data1: case DW_FORM_data2: case DW_FORM_data4: case DW_FORM_data8:
		if (dwarf_formudata(attr, &word) != 0)
			return false;
		*ret = (int64_t)word;
		return true;
	default:
		if (dwarf_formsdata(attr, &number) != 0)
			return false;
		*ret = number;
		return true;
	}
}

void dwarf_scopes_declared(struct dwarf_db *db, Dwarf_Die *die, const char **file, unsigned *line)
{
	struct dwarf_unit *u = dwarf_units_of(db, die);
	Dwarf_Attribute attr;
	Dwarf_Word v;
	*file = NULL;
	*line = 0;
	if (u && dwarf_formudata(dwarf_attr_integrate(die, DW_AT_decl_file, &attr), &v) == 0)
		*file = dwarf_units_file(db, u, v);
	if (dwarf_formudata(dwarf_attr_integrate(die, DW_AT_decl_line, &attr), &v) == 0)
		*line = (unsigned)v;
}
