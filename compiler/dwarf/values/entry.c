/* SPDX-License-Identifier: GPL-2.0 */
/* Reads where parameters are at the first instruction of their function. */
#include <dwarf.h>
#include <string.h>

#include "dwarf/values/location.h"
#include "dwarf/values/params.h"
#include "dwarf/values/read.h"
#include "dwarf/values/types.h"
#include "state.h"

static void read_location(struct state *s, const struct dwarf_place *at, Dwarf_Die *die,
			  Dwarf_Die *function, struct dwarf_param *ret)
{
	struct location_place place = {
		.db = at->db, .pc = at->pc, .function = *function, .entry = true,
	};

	ret->is_whole = location_is_whole(die);
	if (location_of(&place, die, &ret->at, &ret->why) != 0) {
		ret->passed = location_is_nowhere(die) ? DWARF_PASSED_NOT : DWARF_PASSED_LATER;
		return;
	}
	ret->passed = DWARF_PASSED_HERE;
	if (!dwarf_types_of(dwarf_types_open(s, at->db), die, &ret->at.type)) {
		ret->passed = DWARF_PASSED_LATER;
		ret->why = "BTF can't hold its type";
	}
}

bool dwarf_param_at(struct state *s, const struct dwarf_place *at, unsigned i,
		    struct dwarf_param *ret)
{
	struct params params = { 0 };
	struct param *p;

	if (!params_of(at->db, at, &params) || i >= params.v.n)
		return false;
	p = &params.v.v[i];
	*ret = (struct dwarf_param){ .passed = DWARF_PASSED_NOT, .why = "the compiler removed it" };
	if (p->has_own && dwarf_tag(&p->own) == DW_TAG_formal_parameter)
		read_location(s, at, &p->own, &params.function, ret);
	return true;
}

bool dwarf_keeps_convention(const struct dwarf_place *at)
{
	struct dwarf_unit *unit = dwarf_units_at(at->db, at->pc);
	Dwarf_Attribute attr;
	const char *producer = unit ? dwarf_formstring(dwarf_attr(&unit->die, DW_AT_producer,
								  &attr)) : NULL;

	return producer && strncmp(producer, "GNU ", 4) == 0;
}
