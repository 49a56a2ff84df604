/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Places in lines. A line has a place for each run of its rows, at the first instruction of the
 * run that the compiler recommends for breakpoints (is_stmt), in each function and copy with such
 * code; or at its first instruction there, where the compiler recommends none.
 *
 * Whose line a row is. Instructions of a function are also inside of copies that are in it, and
 * their rows name the lines they come from; so a line belongs to that function around the
 * instruction, innermost first, which begins last before it in the row's file. Where there is
 * none, the row is what is left of a copy that has no instruction there: whoever passes has not
 * executed it.
 */
#include <dwarf.h>
#include <string.h>

#include "dwarf/private.h"

/* The state of one search. */
struct row_walk {
	struct dwarf_db *db;
	const struct dwarf_spec *spec;
	Dwarf_Die *of;             /* only in this function or copy; NULL: in any that matches */
	unsigned first_line;       /* of @of */
	const struct dwarf_files *files; /* of the table that is run */
	const bool *wanted;        /* by number of file */
	struct dwarf_row last;     /* the row before this one */
	bool has_last, taken;      /* this run has its place */
	bool others;               /* only those without a recommendation, where there is none */
	unsigned before, after;    /* lines with code nearest to what is wanted; 0: none */
	struct dwarf_places *ret;
	size_t first_found;        /* of this table, in @ret */
};

static unsigned wanted_first(const struct row_walk *w)
{
	unsigned line = w->spec->spans.n ? w->spec->spans.v[0].from : 0;

	return w->spec->lines == DWARF_LINES_RELATIVE ? line + w->first_line : line;
}

static bool wants_line(const struct row_walk *w, unsigned line)
{
	if (w->spec->lines == DWARF_LINES_ALL)
		return true;
	if (w->spec->lines == DWARF_LINES_RELATIVE) {
		if (line < w->first_line)
			return false;
		line -= w->first_line;
	}
	vec_each(span, &w->spec->spans) {
		if (line >= span->from && line <= span->to)
			return true;
	}
	return false;
}

static void note_nearest(struct row_walk *w, unsigned line)
{
	unsigned wanted = wanted_first(w);

	if (line <= wanted && line > w->before)
		w->before = line;
	if (line >= wanted && (!w->after || line < w->after))
		w->after = line;
}

static bool is_function(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

/* The one of @at whose line it is; false: none's. */
static bool find_owner(struct dwarf_db *db, struct dwarf_scopes *at, const char *file,
		       unsigned line, size_t *ret)
{
	unsigned begins = 0;

	for (size_t i = 0; i < at->n; i++) {
		const char *own_file;
		unsigned own_line;

		if (!is_function(&at->v[i]))
			continue;
		dwarf_scopes_declared(db, &at->v[i], &own_file, &own_line);
		if (own_file && strcmp(own_file, file) == 0 && own_line <= line &&
		    own_line >= begins) {
			*ret = i;
			begins = own_line;
		}
	}
	return begins;
}

/* The innermost block of the function at->v[owner]. */
static size_t find_block(struct dwarf_scopes *at, size_t owner)
{
	size_t block = owner;

	while (block + 1 < at->n && !is_function(&at->v[block + 1]))
		block++;
	return block;
}

/* Whether the function has a place in that line already. */
static bool has_line(const struct row_walk *w, uint64_t function, unsigned line)
{
	for (size_t i = w->ret->v.n; i-- > w->first_found;) {
		const struct dwarf_place *p = w->ret->v.v[i];

		if (p->line == line && p->function_scope == function)
			return true;
	}
	return false;
}

static void take_row(struct row_walk *w, const struct dwarf_row *row)
{
	struct dwarf_scopes at;
	const char *file = w->files->v[row->file];

	if (!dwarf_scopes_at(w->db, row->address, &at))
		return;

	size_t owner;

	if (!find_owner(w->db, &at, file, row->line, &owner) ||
	    (w->of && dwarf_dieoffset(&at.v[owner]) != dwarf_dieoffset(w->of)))
		return;
	note_nearest(w, row->line);
	if (!wants_line(w, row->line))
		return;
	w->taken = true;
	/* Several rows at one address, of lines by turns. */
	for (size_t i = w->ret->v.n; i-- > 0 && w->ret->v.v[i]->pc == row->address;) {
		if (w->ret->v.v[i]->line == row->line)
			return;
	}
	if (!row->is_stmt && has_line(w, dwarf_dieoffset(&at.v[owner]), row->line))
		return;

	struct dwarf_place *place = dwarf_functions_place(w->db, row->address,
							  &at.v[find_block(&at, owner)],
							  &at.v[owner]);

	if (!place || !place->function)
		return;
	place->file = file;
	place->line = row->line;
	vec_push(w->db->arena, &w->ret->v, place);
}

static void see_row(void *data, const struct dwarf_row *row)
{
	struct row_walk *w = data;
	bool same = w->has_last && w->last.file == row->file && w->last.line == row->line;

	w->has_last = !row->ends;
	w->last = *row;
	if (!same)
		w->taken = false;
	if (row->ends || w->taken || row->is_stmt == w->others || !row->line ||
	    row->file >= w->files->n || !w->wanted[row->file] ||
	    (w->of && dwarf_haspc(w->of, row->address) <= 0))
		return;
	/* Without a function in mind only the lines themselves are worth a look. */
	if (w->of || wants_line(w, row->line))
		take_row(w, row);
	else
		note_nearest(w, row->line);
}

static const bool *files_that_match(struct arena *a, const struct dwarf_files *files,
				    const char *pattern)
{
	bool *wanted = NULL;

	for (size_t i = 0; i < files->n; i++) {
		if (!files->v[i] || !dwarf_lines_file_matches(pattern, files->v[i]))
			continue;
		if (!wanted)
			wanted = arena_alloc(a, files->n * sizeof(*wanted));
		wanted[i] = true;
	}
	return wanted;
}

static void run(struct row_walk *w, uint64_t table)
{
	w->first_found = w->ret->v.n;
	for (int i = 0; i < 2; i++) {
		w->others = i;
		w->has_last = w->taken = false;
		dwarf_lines_rows(w->db, table, see_row, w);
	}
}

/* Search all functions, by the line tables that name the file. */
static void see_table(void *data, uint64_t offset, const struct dwarf_files *files)
{
	struct row_walk *w = data;
	struct dwarf_files own;

	if (!files_that_match(w->db->arena, files, w->spec->file))
		return;
	dwarf_lines_files(w->db, offset, &own);
	w->files = &own;
	w->wanted = files_that_match(w->db->arena, &own, w->spec->file);
	run(w, offset);
}

/* Search one function or copy that the spec names, in the file where it begins or in the file of
 * the spec. */
static void walk_function(void *data, Dwarf_Die *die)
{
	struct row_walk *w = data;
	struct dwarf_unit *u = dwarf_units_of(w->db, die);
	const char *file;

	if (!u || !u->has_lines)
		return;
	dwarf_scopes_declared(w->db, die, &file, &w->first_line);
	w->of = die;
	w->files = &u->files;
	if (w->spec->file)
		file = w->spec->file;
	w->wanted = file ? files_that_match(w->db->arena, &u->files, file) : NULL;
	if (w->wanted)
		run(w, u->lines);
}

static void walk_all(struct row_walk *w)
{
	if (strcmp(w->spec->function, "*") == 0) {
		if (w->spec->file)
			dwarf_lines_tables(w->db, w->spec->file, see_table, w);
		return;
	}
	dwarf_functions_each(w->db, w->spec, DWARF_ENTRIES | DWARF_COPIES, walk_function, w);
}

void dwarf_statements(struct dwarf_db *db, const struct dwarf_spec *spec, bool nearest,
		      struct dwarf_places *ret, unsigned *before, unsigned *after)
{
	struct row_walk w = { .db = db, .spec = spec, .ret = ret };
	size_t had = ret->v.n;

	walk_all(&w);
	if (ret->v.n > had)
		return;
	if (nearest && (w.before || w.after)) {
		/* The later one of two at the same distance. */
		unsigned wanted = wanted_first(&w);
		bool later = w.after && (!w.before || w.after - wanted <= wanted - w.before);
		struct dwarf_spec other = { .function = spec->function, .file = spec->file,
					    .lines = DWARF_LINES_AT };
		struct dwarf_span span = { later ? w.after : w.before, later ? w.after : w.before };

		vec_push(db->arena, &other.spans, span);

		struct row_walk again = { .db = db, .spec = &other, .ret = ret };

		walk_all(&again);
	}
	*before = w.before;
	*after = w.after;
}
