/* SPDX-License-Identifier: GPL-2.0 */
/* The prototypes of functions, as types of BTF. */
#include <dwarf.h>

#include "target/btf/btf.h"
#include "target/dwarf/private.h"
#include "target/dwarf/values/definitions.h"
#include "target/dwarf/values/params.h"
#include "target/dwarf/values/types.h"

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
	struct params params = { 0 };

	/* If there are copies, the original has all attributes. */
	if (!params_of(at->db, at, &params) ||
	    !prototype_at(s, at->db, &params.declared, at->function, ret))
		return false;
	ret->passing = passing_of(s, at->db, &params);
	return true;
}

bool dwarf_prototype_merged(struct state *s, struct dwarf_db *db, const char *name,
			    struct btf_func *ret)
{
	Dwarf_Die die;

	return definitions_function(db, name, &die) && prototype_at(s, db, &die, name, ret);
}
