/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions by name: where they are entered, and where the compiler copied them to. A name with a
 * symbol and no copies leads to its unit at once; what else there is of it, the index tells.
 */
#include <dwarf.h>
#include <fnmatch.h>
#include <string.h>

#include "dwarf/private.h"

static bool is_pattern(const char *name)
{
	return strpbrk(name, "*?[");
}

/* The pattern of a search, and the callback that receives the results. */
struct function_search {
	struct dwarf_db *db;
	const struct dwarf_spec *spec;
	unsigned wants;          /* enum dwarf_wants */
	void (*see)(void *data, Dwarf_Die *die);
	void *data;
	VEC(Dwarf_Off) seen;     /* found by symbols */
};

static bool name_matches(void *data, const char *name)
{
	const char *wanted = ((struct function_search *)data)->spec->function;
	return is_pattern(wanted) ? fnmatch(wanted, name, 0) == 0 : strcmp(wanted, name) == 0;
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
	/* Several names can have one address; take the one of the function itself. */
	while (name && (own = dwarf_symbols_named(db, name, own))) {
		if (own->address == symbol->address)
			symbol = own;
	}
	struct dwarf_place *p = NEW(db->arena, struct dwarf_place);
	p->db = db;
	p->pc = pc;
	p->symbol = dwarf_symbols_name(db, symbol);
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

static void see_die(struct function_search *f, Dwarf_Off offset)
{
	Dwarf_Die die;
	if (dwarf_offdie(f->db->dwarf, offset, &die) && has_file(f->db, f->spec, &die))
		f->see(f->data, &die);
}

static void see_found(void *data, const struct dwarf_found *one)
{
	struct function_search *f = data;
	if (f->wants & (one->kind == DWARF_FOUND_INLINED ? DWARF_COPIES : DWARF_ENTRIES))
		see_die(f, one->die);
}

/* The function whose symbol has that name or is a clone's; several symbols may be of one. */
static void see_symbol(struct function_search *f, const struct dwarf_symbol *symbol)
{
	struct dwarf_scopes at;
	if (!dwarf_scopes_at(f->db, symbol->address, &at))
		return;
	Dwarf_Off offset = dwarf_dieoffset(&at.v[0]);
	vec_each(known, &f->seen) {
		if (*known == offset)
			return;
	}
	vec_push(f->db->arena, &f->seen, offset);
	see_die(f, offset);
}

void dwarf_functions_each(struct dwarf_db *db, const struct dwarf_spec *spec, unsigned wants,
			  void (*see)(void *data, Dwarf_Die *die), void *data)
{
	struct function_search f = {
		.db = db, .spec = spec, .wants = wants, .see = see, .data = data,
	};
	const struct dwarf_symbol *symbol = NULL;
	const char *name = spec->function;
	if (is_pattern(name) || ((wants & DWARF_COPIES) &&
				 (!dwarf_symbols_named(db, name, NULL) ||
				  dwarf_function_copied(db, name)))) {
		if (!dwarf_index_each(db, name, see_found, &f))
			dwarf_scan(db, name_matches, see_found, &f);
		return;
	}
	if (!(wants & DWARF_ENTRIES))
		return;
	while ((symbol = dwarf_symbols_named(db, name, symbol)))
		see_symbol(&f, symbol);
	while ((symbol = dwarf_symbols_clone(db, name, symbol)))
		see_symbol(&f, symbol);
}

/* ---- interface ---- */

struct entries { struct dwarf_db *db; struct dwarf_places *ret; };

static void add_entry(void *data, Dwarf_Die *die)
{
	const struct entries *to = data;
	uint64_t pc;
	struct dwarf_place *place =
		dwarf_scopes_entry(die, &pc) ? dwarf_functions_place(to->db, pc, die, die) : NULL;
	if (place && place->function)
		vec_push(to->db->arena, &to->ret->v, place);
}

/* Functions that have code of the spec's lines. */
static void add_with_lines(struct dwarf_db *db, const struct dwarf_spec *spec, unsigned wants,
			   struct dwarf_places *ret)
{
	struct dwarf_places in_lines = {{0}};
	struct entries to = { db, ret };
	VEC(uint64_t) seen = {0};
	unsigned before, after;
	dwarf_statements(db, spec, false, &in_lines, &before, &after);
	vec_each(it, &in_lines.v) {
		Dwarf_Die die;
		bool known = !(wants & ((*it)->inlined ? DWARF_COPIES : DWARF_ENTRIES)) ||
			     !dwarf_offdie(db->dwarf, (*it)->function_scope, &die);
		vec_each(other, &seen)
			known |= *other == (*it)->function_scope;
		if (known)
			continue;
		vec_push(db->arena, &seen, (*it)->function_scope);
		add_entry(&to, &die);
	}
}

void dwarf_functions(struct dwarf_db *db, const struct dwarf_spec *spec, unsigned wants,
		     struct dwarf_places *ret)
{
	struct entries to = { db, ret };
	if (spec->lines != DWARF_LINES_NONE)
		add_with_lines(db, spec, wants, ret);
	else
		dwarf_functions_each(db, spec, wants, add_entry, &to);
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

struct dwarf_place *dwarf_place_entry(const struct dwarf_place *at)
{
	struct dwarf_scopes scopes;
	uint64_t pc;
	if (!dwarf_scopes_at(at->db, at->pc, &scopes) || !dwarf_scopes_entry(&scopes.v[0], &pc))
		return NULL;
	return dwarf_functions_place(at->db, pc, &scopes.v[0], &scopes.v[0]);
}

struct names { struct dwarf_db *db; struct dwarf_function_names *ret; const char *last; };

static void add_name(void *data, const struct dwarf_found *one)
{
	struct names *to = data;
	if (to->last != one->name)
		vec_push(to->db->arena, &to->ret->v, one->name);
	to->last = one->name;
}

void dwarf_function_names(struct dwarf_db *db, struct dwarf_function_names *ret)
{
	struct names to = { db, ret, NULL };
	if (!dwarf_index_each(db, "*", add_name, &to))
		dwarf_scan(db, NULL, add_name, &to);
}

static void see_copy(void *data, const struct dwarf_found *one)
{
	*(bool *)data |= one->kind == DWARF_FOUND_INLINED;
}

bool dwarf_function_copied(struct dwarf_db *db, const char *name)
{
	bool copied = false;
	if (dwarf_index_each(db, name, see_copy, &copied) && !copied)
		return false;
	/* Last: to read the symbols takes longer than all else. */
	return dwarf_symbols_named(db, name, NULL);
}
