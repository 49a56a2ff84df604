/* SPDX-License-Identifier: GPL-2.0 */
/* Visits the DIEs of a function, without those of the inlined copies in it, and its labels. */
#include <dwarf.h>
#include <fnmatch.h>
#include <string.h>

#include "target/dwarf/private.h"

void dwarf_inside_each(Dwarf_Die *of, void (*visit)(void *data, Dwarf_Die *die, Dwarf_Die *scope),
		       void *data)
{
	Dwarf_Die die;

	for (int more = dwarf_child(of, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
		visit(data, &die, of);
		if (dwarf_tag(&die) == DW_TAG_lexical_block)
			dwarf_inside_each(&die, visit, data);
	}
}

/* ---- labels ---- */

struct die_search {
	struct dwarf_db *db;
	const char *pattern;
	Dwarf_Die *of;
	struct dwarf_places *ret;
};

static void visit_label(void *data, Dwarf_Die *die, Dwarf_Die *scope)
{
	struct die_search *f = data;
	Dwarf_Addr pc;

	if (dwarf_tag(die) != DW_TAG_label || dwarf_lowpc(die, &pc) != 0)
		return;

	const char *name = dwarf_scopes_name(die);

	if (!name || fnmatch(f->pattern, name, 0) != 0)
		return;

	struct dwarf_place *place = dwarf_functions_place(f->db, pc, scope, f->of);

	if (!place || !place->function)
		return;
	place->label = name;
	vec_push(f->db->arena, &f->ret->v, place);
}

static void visit_function(void *data, Dwarf_Die *die)
{
	struct die_search *f = data;

	f->of = die;
	dwarf_inside_each(die, visit_label, f);
}

void dwarf_labels(struct dwarf_db *db, const struct dwarf_spec *spec, const char *label,
		  struct dwarf_places *ret)
{
	struct die_search f = { .db = db, .pattern = label, .ret = ret };

	dwarf_functions_each(db, spec, DWARF_ENTRIES | DWARF_COPIES, visit_function, &f);
}
