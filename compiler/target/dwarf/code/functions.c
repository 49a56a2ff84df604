/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds functions by name: their entries and their inlined copies. If the name has a symbol and no
 * copies, its unit is read directly; everything else is found by the index.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "target/dwarf/private.h"
#include "target/object/demangle.h"

/* The pattern of a search, and the callback that receives the results. */
struct function_search {
	struct dwarf_db *db;
	const struct dwarf_spec *spec;
	unsigned wants;          /* enum dwarf_wants */
	void (*visit)(void *data, Dwarf_Die *die);
	void *data;
	struct demangle_pattern pattern; /* spec->function */
	/* found by symbols; for C++ and Rust everything that was found */
	VEC(Dwarf_Off) seen;
};

static bool name_matches(void *data, const char *name)
{
	return demangle_matches(&((struct function_search *)data)->pattern, name);
}

void dwarf_functions_pattern(struct dwarf_db *db, const char *name, struct demangle_pattern *ret)
{
	demangle_pattern_read(db->arena, name, !dwarf_symbols_mangled(db), ret);
	ret->is_exact = dwarf_symbols_shown(db, ret);
}

/* ---- places ---- */

struct dwarf_place *dwarf_functions_place(struct dwarf_db *db, uint64_t pc, Dwarf_Die *scope,
					  Dwarf_Die *of)
{
	const struct dwarf_symbol *symbol = dwarf_symbols_at(db, pc), *own = NULL;
	const char *name = dwarf_scopes_linkage(of);
	uint64_t entry;

	if (!symbol)
		return NULL;
	/* Several symbols can have one address; take the one with the function's own name. */
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
	p->scope = dwarf_parts_offset(db, scope);
	p->function = dwarf_scopes_function(db, of);
	p->linkage = name;
	p->inlined = dwarf_tag(of) == DW_TAG_inlined_subroutine;
	p->at_entry = !p->inlined && p->offset == 0 && dwarf_scopes_entry(of, &entry) &&
		      entry == pc;
	p->is_init = symbol->init;
	p->is_global = symbol->global;
	p->function_scope = dwarf_parts_offset(db, of);
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

static void visit_die(struct function_search *f, Dwarf_Off offset)
{
	Dwarf_Die die;

	if (dwarf_parts_die(f->db, offset, &die) && has_file(f->db, f->spec, &die))
		f->visit(f->data, &die);
}

static void visit_found(void *data, const struct dwarf_found *one)
{
	struct function_search *f = data;

	if (f->wants & (one->kind == DWARF_FOUND_INLINED ? DWARF_COPIES : DWARF_ENTRIES))
		visit_die(f, one->die);
}

/* Whether the symbol of a clone is one. In Go, "F.func1" is a function of the source within F. */
static bool is_clone(struct dwarf_db *db, const struct dwarf_symbol *symbol)
{
	const struct dwarf_place at = { .db = db, .pc = symbol->address };

	return !dwarf_is_go(&at);
}

/* Handles a symbol with that name or of a clone; several symbols may belong to one function. */
static void visit_symbol(struct function_search *f, const struct dwarf_symbol *symbol)
{
	struct dwarf_scopes at;

	if (!dwarf_scopes_at(f->db, symbol->address, &at))
		return;

	Dwarf_Off offset = dwarf_parts_offset(f->db, &at.v[0]);

	vec_each(known, &f->seen) {
		if (*known == offset)
			return;
	}
	vec_push(f->db->arena, &f->seen, offset);
	visit_die(f, offset);
}

static void visit_in_index(struct function_search *f,
			   void (*visit)(void *data, const struct dwarf_found *found))
{
	if (!dwarf_index_each(f->db, &f->pattern, visit, f))
		dwarf_scan(f->db, name_matches, visit, f);
}

/* ---- programs of C++ and Rust ---- */

/* Add the function that begins at a symbol. */
static void collect_symbol(void *data, const struct dwarf_symbol *symbol)
{
	struct function_search *f = data;
	struct dwarf_scopes at;
	uint64_t entry;

	if (dwarf_scopes_at(f->db, symbol->address, &at) &&
	    dwarf_scopes_entry(&at.v[0], &entry) && entry == symbol->address)
		vec_push(f->db->arena, &f->seen, dwarf_parts_offset(f->db, &at.v[0]));
}

static void collect_found(void *data, const struct dwarf_found *one)
{
	struct function_search *f = data;

	if (f->wants & (one->kind == DWARF_FOUND_INLINED ? DWARF_COPIES : DWARF_ENTRIES))
		vec_push(f->db->arena, &f->seen, one->die);
}

static int by_offset(const void *x, const void *y)
{
	const Dwarf_Off *a = x, *b = y;

	return (*a > *b) - (*a < *b);
}

/* Symbols have the complete name, even of functions without a linkage name, but none of inlined
 * functions. */
static void visit_mangled(struct function_search *f)
{
	Dwarf_Off last = 0;

	/* In the order of the units, which that of offsets follows. */
	dwarf_split_load(f->db);
	if (f->wants & DWARF_ENTRIES)
		dwarf_symbols_each(f->db, &f->pattern, collect_symbol, f);
	if (f->wants & DWARF_COPIES)
		visit_in_index(f, collect_found);
	if (f->seen.n)
		qsort(f->seen.v, f->seen.n, sizeof(*f->seen.v), by_offset);
	vec_each(it, &f->seen) {
		if (*it != last)
			visit_die(f, *it);
		last = *it;
	}
}

void dwarf_functions_each(struct dwarf_db *db, const struct dwarf_spec *spec, unsigned wants,
			  void (*visit)(void *data, Dwarf_Die *die), void *data)
{
	struct function_search f = {
		.db = db, .spec = spec, .wants = wants, .visit = visit, .data = data,
	};
	const struct dwarf_symbol *symbol = NULL;
	const char *name = spec->function;

	dwarf_functions_pattern(db, name, &f.pattern);
	if (!f.pattern.plain) {
		visit_mangled(&f);
		return;
	}
	if (f.pattern.is_glob || ((wants & DWARF_COPIES) &&
				  (!dwarf_symbols_named(db, name, NULL) ||
				   dwarf_function_copied(db, name)))) {
		visit_in_index(&f, visit_found);
		return;
	}
	if (!(wants & DWARF_ENTRIES))
		return;
	while ((symbol = dwarf_symbols_named(db, name, symbol)))
		visit_symbol(&f, symbol);
	while ((symbol = dwarf_symbols_clone(db, name, symbol)))
		if (is_clone(db, symbol))
			visit_symbol(&f, symbol);
}

/* ---- interface ---- */

struct entries {
	struct dwarf_db *db;
	struct dwarf_places *ret;
	const struct dwarf_spec *declared; /* only functions that begin on its lines; NULL: all */
};

static bool is_declared(const struct dwarf_spec *spec, unsigned line)
{
	vec_each(it, &spec->spans)
		if (line >= it->from && line <= it->to)
			return true;
	return false;
}

static void add_beginning(const struct entries *to, Dwarf_Die *die, uint64_t pc)
{
	struct dwarf_place *place = dwarf_functions_place(to->db, pc, die, die);

	if (place && place->function && (!to->declared || is_declared(to->declared, place->line)))
		vec_push(to->db->arena, &to->ret->v, place);
}

static void add_entry(void *data, Dwarf_Die *die)
{
	const struct entries *to = data;
	struct dwarf_addresses all = { { 0 } };
	uint64_t pc;

	if (dwarf_tag(die) != DW_TAG_inlined_subroutine) {
		if (dwarf_scopes_entry(die, &pc))
			add_beginning(to, die, pc);
		return;
	}
	if (dwarf_parts_is_rest(to->db, die))
		return;

	dwarf_beginnings(to->db, die, &all);
	vec_each(it, &all.v)
		add_beginning(to, die, *it);
}

/* Adds the functions that have code of the spec's lines. */
static void add_with_lines(struct dwarf_db *db, const struct dwarf_spec *spec, unsigned wants,
			   struct dwarf_places *ret)
{
	struct dwarf_places in_lines = {{0}};
	struct entries to = { db, ret, NULL };
	VEC(uint64_t) seen = {0};
	unsigned before, after;

	dwarf_statements(db, spec, false, &in_lines, &before, &after);
	vec_each(it, &in_lines.v) {
		Dwarf_Die die;
		bool known = !(wants & ((*it)->inlined ? DWARF_COPIES : DWARF_ENTRIES)) ||
			     !dwarf_parts_die(db, (*it)->function_scope, &die);

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
	struct entries to = { db, ret, NULL };
	size_t before = ret->v.n;

	if (spec->lines == DWARF_LINES_NONE) {
		dwarf_functions_each(db, spec, wants, add_entry, &to);
		return;
	}
	add_with_lines(db, spec, wants, ret);
	/* The line that probe points are shown with may have no code: that of "{" has it. */
	if (ret->v.n == before && spec->lines == DWARF_LINES_AT && !dwarf_spec_is_pattern(spec)) {
		to.declared = spec;
		dwarf_functions_each(db, spec, wants, add_entry, &to);
	}
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

/* ---- names ---- */

struct names { struct dwarf_db *db; struct dwarf_function_names *ret; const char *last; };

static void add_name(void *data, const struct dwarf_found *one)
{
	struct names *to = data;

	if (to->last != one->name)
		vec_push(to->db->arena, &to->ret->v, demangle_name(to->db->arena, one->name));
	to->last = one->name;
}

void dwarf_function_names(struct dwarf_db *db, struct dwarf_function_names *ret)
{
	struct names to = { db, ret, NULL };
	struct demangle_pattern any;

	demangle_pattern_read(db->arena, "*", true, &any);
	if (!dwarf_index_each(db, &any, add_name, &to))
		dwarf_scan(db, NULL, add_name, &to);
}

static void visit_copy(void *data, const struct dwarf_found *one)
{
	*(bool *)data |= one->kind == DWARF_FOUND_INLINED;
}

bool dwarf_function_copied(struct dwarf_db *db, const char *name)
{
	struct demangle_pattern pattern;
	bool copied = false;

	demangle_pattern_read(db->arena, name, true, &pattern);
	if (dwarf_index_each(db, &pattern, visit_copy, &copied) && !copied)
		return false;
	/* Last, because reading the symbols takes longest. */
	return dwarf_symbols_named(db, name, NULL);
}
