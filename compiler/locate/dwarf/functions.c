/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions by name: where they are entered, and where the compiler copied them to. A name with a
 * symbol leads to its unit at once; one without, a pattern, or copies need a scan.
 *
 * Few functions have both a symbol and copies (182 of 43,000), so their names are kept in the cache
 * by build-id, and a plain function with a symbol needs no scan.
 */
#include <dwarf.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "locate/dwarf/dwarf_private.h"
#include "locate/kernel_private.h"
#include "session.h"

static bool is_pattern(const char *name)
{
	return strpbrk(name, "*?[");
}

static bool name_matches(void *data, const char *name)
{
	return fnmatch(data, name, 0) == 0;
}

static bool name_is(void *data, const char *name)
{
	return strcmp(data, name) == 0;
}

/* ---- places ---- */

struct dwarf_place *dwarf_functions_place(struct dwarf_db *db, uint64_t pc, Dwarf_Die *scope,
					  Dwarf_Die *of)
{
	const struct dwarf_symbol *symbol = dwarf_symbols_at(db, pc), *own = NULL;
	const char *name = dwarf_scopes_name(of);
	uint64_t entry;
	if (!symbol)
		return NULL;
	/* Of the names of one address, the function's own. */
	while (name && (own = dwarf_symbols_named(db, name, own))) {
		if (own->address == symbol->address)
			symbol = own;
	}
	struct dwarf_place *p = NEW(db->arena, struct dwarf_place);
	p->db = db;
	p->pc = pc;
	p->symbol = symbol->name;
	p->namesake = dwarf_symbols_namesake(db, symbol);
	p->offset = pc - symbol->address;
	p->scope = dwarf_dieoffset(scope);
	p->function = name;
	p->inlined = dwarf_tag(of) == DW_TAG_inlined_subroutine;
	p->at_entry = !p->inlined && p->offset == 0 && dwarf_scopes_entry(of, &entry) &&
		      entry == pc;
	p->is_init = symbol->init;
	p->is_global = symbol->global;
	p->function_scope = dwarf_dieoffset(of);
	dwarf_scopes_declared(db, of, &p->file, &p->line);
	return p;
}

static bool has_file(struct dwarf_db *db, const struct dwarf_spec *spec, Dwarf_Die *die)
{
	const char *file;
	unsigned line;
	if (!spec->file)
		return true;
	dwarf_scopes_declared(db, die, &file, &line);
	return file && dwarf_lines_file_matches(spec->file, file);
}

static void add_die(struct dwarf_db *db, const struct dwarf_spec *spec, Dwarf_Off offset,
		    struct dwarf_dies *ret)
{
	Dwarf_Die die;
	if (dwarf_offdie(db->dwarf, offset, &die) && has_file(db, spec, &die))
		vec_push(db->arena, &ret->v, die);
}

/* The function whose symbol has that name or is a clone's; several symbols may be of one. */
static void add_by_symbol(struct dwarf_db *db, const struct dwarf_spec *spec,
			  const struct dwarf_symbol *symbol, struct dwarf_dies *ret)
{
	struct dwarf_scopes at;
	if (!dwarf_scopes_at(db, symbol->address, &at))
		return;
	vec_each(known, &ret->v) {
		if (dwarf_dieoffset(known) == dwarf_dieoffset(&at.v[0]))
			return;
	}
	add_die(db, spec, dwarf_dieoffset(&at.v[0]), ret);
}

void dwarf_functions_find(struct dwarf_db *db, const struct dwarf_spec *spec, unsigned wants,
			  struct dwarf_dies *ret)
{
	struct dwarf_found_list found = {{0}};
	const char *name = spec->function;
	const struct dwarf_symbol *symbol = NULL;
	if (!is_pattern(name) && (!(wants & DWARF_COPIES) ||
				  (dwarf_symbols_named(db, name, NULL) &&
				   !dwarf_function_copied(db, name)))) {
		if (!(wants & DWARF_ENTRIES))
			return;
		while ((symbol = dwarf_symbols_named(db, name, symbol)))
			add_by_symbol(db, spec, symbol, ret);
		while ((symbol = dwarf_symbols_clone(db, name, symbol)))
			add_by_symbol(db, spec, symbol, ret);
		return;
	}
	if (strcmp(name, "*") == 0)
		dwarf_scan(db, NULL, NULL, &found);
	else
		dwarf_scan(db, is_pattern(name) ? name_matches : name_is, (void *)name, &found);
	vec_each(one, &found.v) {
		unsigned is = one->kind == DWARF_FOUND_INLINED ? DWARF_COPIES : DWARF_ENTRIES;
		if (wants & is)
			add_die(db, spec, one->die, ret);
	}
}

/* ---- the door ---- */

static void add_entry(struct dwarf_db *db, Dwarf_Die *die, struct dwarf_places *ret)
{
	uint64_t pc;
	struct dwarf_place *place =
		dwarf_scopes_entry(die, &pc) ? dwarf_functions_place(db, pc, die, die) : NULL;
	if (place && place->function)
		vec_push(db->arena, &ret->v, place);
}

/* Functions that have code of the spec's lines. */
static void add_with_lines(struct dwarf_db *db, const struct dwarf_spec *spec, unsigned wants,
			   struct dwarf_places *ret)
{
	struct dwarf_places in_lines = {{0}};
	struct dwarf_dies seen = {{0}};
	unsigned before, after;
	dwarf_statements(db, spec, false, &in_lines, &before, &after);
	vec_each(it, &in_lines.v) {
		Dwarf_Die die;
		bool known = !(wants & ((*it)->inlined ? DWARF_COPIES : DWARF_ENTRIES)) ||
			     !dwarf_offdie(db->dwarf, (*it)->function_scope, &die);
		vec_each(other, &seen.v)
			known |= dwarf_dieoffset(other) == (*it)->function_scope;
		if (known)
			continue;
		vec_push(db->arena, &seen.v, die);
		add_entry(db, &die, ret);
	}
}

void dwarf_functions(struct dwarf_db *db, const struct dwarf_spec *spec, unsigned wants,
		     struct dwarf_places *ret)
{
	struct dwarf_dies dies = {{0}};
	if (spec->lines != DWARF_LINES_NONE) {
		add_with_lines(db, spec, wants, ret);
		return;
	}
	dwarf_functions_find(db, spec, wants, &dies);
	vec_each(die, &dies.v)
		add_entry(db, die, ret);
}

struct dwarf_place *dwarf_place_at(struct dwarf_db *db, uint64_t pc)
{
	struct dwarf_scopes at;
	size_t of;
	if (!dwarf_scopes_at(db, pc, &at))
		return NULL;
	for (of = at.n - 1; of && dwarf_tag(&at.v[of]) != DW_TAG_inlined_subroutine;)
		of--;
	return dwarf_functions_place(db, pc, &at.v[at.n - 1], &at.v[of]);
}

void dwarf_function_names(struct dwarf_db *db, struct dwarf_function_names *ret)
{
	struct dwarf_found_list found = {{0}};
	dwarf_scan(db, NULL, NULL, &found);
	vec_each(one, &found.v)
		vec_push(db->arena, &ret->v, one->name);
}

/* ---- names with a symbol and copies ---- */

/* Names of copies that have a symbol as well, each with a newline. */
static void list_copied(struct dwarf_db *db, struct buf *ret)
{
	struct dwarf_found_list found = {{0}};
	struct map seen;
	map_init(&seen, db->arena);
	dwarf_scan(db, NULL, NULL, &found);
	vec_each(one, &found.v) {
		if (one->kind != DWARF_FOUND_INLINED || map_get(&seen, one->name))
			continue;
		map_set(&seen, one->name, one);
		if (dwarf_symbols_named(db, one->name, NULL))
			buf_printf(ret, "%s\n", one->name);
	}
}

static void read_copied(struct dwarf_db *db)
{
	struct session *s = db->s;
	const char *build_id = db->is_module ? NULL : kernel_build_id(s->kernel);
	const char *dir = NULL, *name = NULL;
	struct buf text;
	buf_init(&text);
	/* A module's list is made as fast as it is read. */
	if (s->cache_dir && build_id) {
		dir = arena_printf(s->arena, "%s/symbols", s->cache_dir);
		name = arena_printf(s->arena, "%s.copied", build_id);
	}
	if (!dir || kernel_read_file(arena_printf(s->arena, "%s/%s", dir, name), &text) != 0) {
		list_copied(db, &text);
		buf_puts(&text, "\n");
		if (dir)
			kernel_write_file(s->arena, dir, name, &text);
	}
	db->copied = arena_printf(s->arena, "\n%s", text.len ? text.s : "");
	buf_deinit(&text);
}

bool dwarf_function_copied(struct dwarf_db *db, const char *name)
{
	if (!db->copied)
		read_copied(db);
	return strstr(db->copied, arena_printf(db->arena, "\n%s\n", name));
}
