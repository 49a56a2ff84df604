/* SPDX-License-Identifier: GPL-2.0 */
/* The prototypes of functions, as types of BTF. */
#include <dwarf.h>

#include "btf/btf.h"
#include "dwarf/private.h"
#include "dwarf/values/definitions.h"
#include "dwarf/values/types.h"

/* If there are copies, goes to the one with all attributes. */
static void original(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin;

	if (dwarf_attr(die, DW_AT_abstract_origin, &attr) && dwarf_formref_die(&attr, &origin))
		*die = origin;
}

static bool prototype_at(struct state *s, struct dwarf_db *db, Dwarf_Die *die, const char *name,
			 struct btf_func *ret)
{
	struct access_type type;

	if (!dwarf_types_at(dwarf_types_open(s, db), die, &type))
		return false;
	*ret = (struct btf_func){ .db = type.db, .name = name, .proto = type.id, .of = 1 };
	return true;
}

bool dwarf_prototype(struct state *s, const struct dwarf_place *at, struct btf_func *ret)
{
	Dwarf_Die die;

	if (!dwarf_db_die(at->db, at->function_scope, &die) || dwarf_tag(&die) != DW_TAG_subprogram)
		return false;
	original(&die);
	return prototype_at(s, at->db, &die, at->function, ret);
}

bool dwarf_prototype_merged(struct state *s, struct dwarf_db *db, const char *name,
			    struct btf_func *ret)
{
	Dwarf_Die die;

	return definitions_function(db, name, &die) && prototype_at(s, db, &die, name, ret);
}
