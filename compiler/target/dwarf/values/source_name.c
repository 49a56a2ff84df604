/* SPDX-License-Identifier: GPL-2.0 */
/* The names that types have in the source, with their scopes, and the arguments of templates: BTF
 * has neither. */
#include <dwarf.h>
#include <string.h>

#include "target/dwarf/private.h"
#include "target/dwarf/values/read.h"
#include "target/dwarf/values/types.h"
#include "target/dwarf/values/written.h"
#include "state.h"

static struct dwarf_db *die_of(struct state *s, struct access_type type, Dwarf_Die *ret)
{
	struct dwarf_db *db = type.db ? dwarf_db_with_types(s, type.db) : NULL;

	return db && written_die(db->written, db, type, ret) ? db : NULL;
}

/* "type Name string" is a type of its own, with the kind of string (DW_AT_go_kind, in Go's
 * src/cmd/internal/dwarf; the kinds are those of internal/abi). */
static bool is_go_string(Dwarf_Die *die)
{
	enum { GO_KIND = 0x2900, GO_STRING = 24 };
	uint64_t kind = 0;

	return dwarf_read_number(die, GO_KIND, &kind) && kind == GO_STRING;
}

bool dwarf_source_name(struct state *s, struct access_type type, struct dwarf_source_name *ret)
{
	static const char *const languages[] = {
		[DWARF_LANGUAGE_C] = "c", [DWARF_LANGUAGE_CPP] = "cxx",
		[DWARF_LANGUAGE_RUST] = "rust", [DWARF_LANGUAGE_GO] = "go",
		[DWARF_LANGUAGE_OTHER] = NULL,
	};
	Dwarf_Die die;

	if (!die_of(s, type, &die))
		return false;
	ret->name = arena_printf(s->arena, "%s%s", dwarf_read_scope(s->arena, &die),
				 dwarf_read_name(&die));
	if (dwarf_units_language(&die) == DWARF_LANGUAGE_GO && is_go_string(&die))
		ret->name = "string";
	ret->language = languages[dwarf_units_language(&die)];
	return true;
}

bool dwarf_source_argument(struct state *s, struct access_type type, const char *name,
			   struct access_type *ret)
{
	Dwarf_Die die, child;
	struct dwarf_db *db = die_of(s, type, &die);

	if (!db || dwarf_child(&die, &child) != 0)
		return false;
	do {
		if (dwarf_tag(&child) == DW_TAG_template_type_parameter &&
		    strcmp(dwarf_read_name(&child), name) == 0)
			return dwarf_types_of(db->types, &child, ret);
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}
