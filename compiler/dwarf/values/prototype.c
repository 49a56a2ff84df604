/* SPDX-License-Identifier: GPL-2.0 */
/* The prototypes of functions, as types of BTF. */
#include <dwarf.h>

#include "btf/btf.h"
#include "dwarf/private.h"
#include "dwarf/values/types.h"

/* If there are copies, goes to the one with all attributes. */
static void original(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin;

	if (dwarf_attr(die, DW_AT_abstract_origin, &attr) && dwarf_formref_die(&attr, &origin))
		*die = origin;
}

bool dwarf_prototype(struct state *s, const struct dwarf_place *at, struct btf_func *ret)
{
	Dwarf_Die die;
	struct access_type type;

	if (!dwarf_db_die(at->db, at->function_scope, &die) || dwarf_tag(&die) != DW_TAG_subprogram)
		return false;
	original(&die);
	if (!dwarf_types_at(dwarf_types_open(s, at->db), &die, &type))
		return false;
	*ret = (struct btf_func){ .db = type.db, .name = at->function, .proto = type.id, .of = 1 };
	return true;
}
