/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the definitions of structures that a unit only declares; see complete.h. */
#include "target/dwarf/values/complete.h"

#include <dwarf.h>

#include "target/dwarf/values/read.h"

enum { NAMESPACES_MAX = 64 }; /* only damaged information nests deeper */

/* @scope: "ns::inner::", or "". */
static const char *tagged(struct complete_types *t, const char *scope, Dwarf_Die *die)
{
	bool is_union = dwarf_tag(die) == DW_TAG_union_type;

	return arena_printf(t->arena, "%s %s%s", is_union ? "union" : "struct", scope,
			    dwarf_read_name(die));
}

static void add_complete(struct complete_types *t, const char *scope, Dwarf_Die *die)
{
	const char *key = tagged(t, scope, die);
	Dwarf_Off *at;

	if (map_get(t->found, key))
		return;
	at = NEW(t->arena, Dwarf_Off);
	*at = dwarf_parts_offset(t->db, die);
	map_set(t->found, key, at);
}

static void note_in(struct complete_types *t, const char *scope, Dwarf_Die *die, int depth)
{
	int tag = dwarf_tag(die);
	Dwarf_Die child;

	if (tag == DW_TAG_namespace && depth < NAMESPACES_MAX && dwarf_child(die, &child) == 0) {
		scope = arena_printf(t->arena, "%s%s::", scope, dwarf_read_name(die));
		do
			note_in(t, scope, &child, depth + 1);
		while (dwarf_siblingof(&child, &child) == 0);
	} else if ((tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
		    tag == DW_TAG_union_type) && *dwarf_read_name(die) &&
		   !dwarf_read_declared(die)) {
		/* gcc defines the type of a type unit outside of its scope. */
		if (dwarf_hasattr(die, DW_AT_specification))
			scope = dwarf_read_scope(t->arena, die);
		add_complete(t, scope, die);
	}
}

static void note_top(void *data, Dwarf_Die *die)
{
	note_in(data, "", die, 0);
}

bool complete_find(struct complete_types *t, Dwarf_Die *die, Dwarf_Die *ret)
{
	const Dwarf_Off *at;

	if (!t->found) {
		t->found = NEW(t->arena, struct map);
		map_init(t->found, t->arena);
		dwarf_read_top(t->db, note_top, t);
	}
	at = map_get(t->found, tagged(t, dwarf_read_scope(t->arena, die), die));
	return at && dwarf_parts_die(t->db, *at, ret);
}
