/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Places in lines. A line has a place for each run of consecutive rows, in each function and copy
 * with code of that run. The place is the first instruction that the compiler recommends for
 * breakpoints (is_stmt), or the first one at all if it recommends none.
 *
 * The compiler moves instructions of other lines into the middle of a statement, without a
 * recommendation. Rows of the line that come after them without one go on with its run, and give no
 * place where the function has one in that line already.
 *
 * Instructions of a function may belong to copies inside it, whose rows name the lines of their
 * source. A line belongs to the innermost function around the instruction that begins before the
 * line in the row's file, and of these to the one that begins last. If there is none, the row is a
 * remnant of a copy that has no instruction there, and passing it does not execute the line.
 */
#include <dwarf.h>
#include <string.h>

#include "target/dwarf/private.h"

/* The state of one search. */
struct row_walk {
	struct dwarf_db *db;
	const struct dwarf_spec *spec;
	Dwarf_Die *of;             /* search only this function or copy; NULL: any that matches */
	unsigned first_line;       /* of @of */
	const struct dwarf_files *files; /* of the current table */
	const bool *wanted;        /* by the number of the file */
	struct dwarf_row last;     /* the row before this one */
	bool has_last, taken;      /* there is a `last`; its run has a place already */
	struct dwarf_row begun;    /* the last row with a recommendation */
	bool has_begun, goes_on;   /* there is a `begun`; this run goes on with its statement */
	bool others;               /* search only runs without a recommendation */
	unsigned before, after;    /* the nearest lines with code; 0: none */
	struct dwarf_places *ret;
	size_t first_found;        /* number of this table's first place in @ret */
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

/* Finds the function or copy of @at to which the line belongs. Returns false if there is none. */
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

	size_t owner = 0;

	if (!find_owner(w->db, &at, file, row->line, &owner) ||
	    (w->of && dwarf_parts_offset(w->db, &at.v[owner]) != dwarf_parts_offset(w->db, w->of)))
		return;
	note_nearest(w, row->line);
	if (!wants_line(w, row->line))
		return;
	w->taken = true;
	/* Several rows at one address may alternate between lines. */
	for (size_t i = w->ret->v.n; i-- > 0 && w->ret->v.v[i]->pc == row->address;) {
		if (w->ret->v.v[i]->line == row->line)
			return;
	}
	if ((!row->is_stmt || w->goes_on) &&
	    has_line(w, dwarf_parts_offset(w->db, &at.v[owner]), row->line))
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

static bool is_same_line(const struct dwarf_row *a, const struct dwarf_row *b)
{
	return a->file == b->file && a->line == b->line;
}

/* Notes to which run the row belongs. */
static void enter_row(struct row_walk *w, const struct dwarf_row *row)
{
	if (!w->has_last || !is_same_line(&w->last, row)) {
		w->taken = false;
		w->goes_on = !row->is_stmt && w->has_begun && is_same_line(&w->begun, row);
	}
	w->has_last = !row->ends;
	w->last = *row;
	if (row->is_stmt || row->ends) {
		w->has_begun = !row->ends;
		w->begun = *row;
	}
}

static void visit_row(void *data, const struct dwarf_row *row)
{
	struct row_walk *w = data;

	enter_row(w, row);
	if (row->ends || w->taken || row->is_stmt == w->others || !row->line ||
	    row->file >= w->files->n || !w->wanted[row->file] ||
	    (w->of && dwarf_haspc(w->of, row->address) <= 0))
		return;
	/* Without a function, only the lines themselves matter. */
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
		w->has_last = w->has_begun = w->taken = false;
		dwarf_lines_rows(w->db, table, visit_row, w);
	}
}

/* Searches all functions, by the line tables that name the file. */
static void visit_table(void *data, uint64_t offset, const struct dwarf_files *files)
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

/* Searches one function or copy that the spec names, in the file where it begins or in the
 * spec's. */
static void walk_function(void *data, Dwarf_Die *die)
{
	struct row_walk *w = data;
	struct dwarf_unit *u = dwarf_units_of(w->db, die);
	const char *file;

	if (!u || !u->has_lines)
		return;
	dwarf_scopes_declared(w->db, die, &file, &w->first_line);
	/* Reads the files of the unit with the code, which may be another one than that of the
	 * declaration (-flto). */
	dwarf_units_file(w->db, u, 0);
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
			dwarf_lines_tables(w->db, w->spec->file, visit_table, w);
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
		/* At the same distance, the later line is taken. */
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
