/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the calls of an inlined copy begin. Debug information has one entry for a call in the
 * source. When the compiler repeats its code, because it unrolls or peels a loop, tests a loop's
 * condition before the loop and at its end, or jumps from one case of a switch to the next, that
 * entry has all of the code, and one address at which it is entered (DW_AT_entry_pc, DWARF 5,
 * 2.18).
 *
 * gcc has a marker at the beginning of each inlined function, which is repeated with the code
 * around it (-ginline-points), and writes a row of the line table for it: recommended for
 * breakpoints, with the line and column at which the function is declared. So a call passes one
 * such row of its copy, unless it takes a path on which gcc removed all of the copy's code, and
 * the marker with it. A marker whose instructions were moved away is in an empty range of the
 * copy. Other compilers have no such rows.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "target/dwarf/private.h"
#include "shared/search.h"

struct code_mark { uint64_t address; uint32_t line, column, file; };

/* The rows of a unit's line table that may be markers, by line, column and address. */
struct dwarf_marks { VEC(struct code_mark) v; };

struct mark_reading { struct dwarf_db *db; struct dwarf_marks *ret; };

static int compare(const struct code_mark *a, const struct code_mark *b)
{
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	if (a->column != b->column)
		return a->column < b->column ? -1 : 1;
	return (a->address > b->address) - (a->address < b->address);
}

static int by_position(const void *x, const void *y)
{
	return compare(x, y);
}

static void add_row(void *data, const struct dwarf_row *row)
{
	struct mark_reading *r = data;
	struct code_mark one = { row->address, row->line, row->column, row->file };

	if (row->is_stmt && !row->ends && row->column)
		vec_push(r->db->arena, &r->ret->v, one);
}

static const struct dwarf_marks *marks_of(struct dwarf_db *db, struct dwarf_unit *u)
{
	if (!u->marks) {
		u->marks = NEW(db->arena, struct dwarf_marks);

		struct mark_reading r = { db, u->marks };

		dwarf_lines_rows(db, u->lines, add_row, &r);
		if (u->marks->v.n)
			qsort(u->marks->v.v, u->marks->v.n, sizeof(*u->marks->v.v), by_position);
	}
	return u->marks;
}

/* Whether a copy is entered at an address, or has an empty range there, where its code was. */
static bool has_mark(Dwarf_Die *copy, uint64_t pc)
{
	Dwarf_Addr base, start, end, entry;

	if (dwarf_hasattr(copy, DW_AT_entry_pc) && dwarf_entrypc(copy, &entry) == 0 && entry == pc)
		return true;
	for (ptrdiff_t i = 0; (i = dwarf_ranges(copy, i, &base, &start, &end)) > 0;)
		if (start == pc && end == pc)
			return true;
	return false;
}

/* Whether a copy of the function within @outer has its mark at an address. */
static bool has_marked(Dwarf_Die *outer, Dwarf_Off origin, uint64_t pc, unsigned depth)
{
	Dwarf_Die die;

	if (depth == DWARF_SCOPES_MAX)
		return false;
	for (int more = dwarf_child(outer, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
		int tag = dwarf_tag(&die);

		if (tag != DW_TAG_lexical_block && tag != DW_TAG_inlined_subroutine)
			continue;
		if ((tag == DW_TAG_inlined_subroutine && dwarf_parts_origin(&die) == origin &&
		     has_mark(&die, pc)) || has_marked(&die, origin, pc, depth + 1))
			return true;
	}
	return false;
}

/* Whether the innermost copy of that function around an address is @copy, and the mark there is not
 * that of another copy of which no code is left. */
static bool is_own(struct dwarf_db *db, Dwarf_Die *copy, uint64_t pc)
{
	Dwarf_Off origin = dwarf_parts_origin(copy);
	struct dwarf_scopes at;

	if (!dwarf_scopes_at(db, pc, &at))
		return false;
	for (size_t i = at.n; i--;)
		if (dwarf_tag(&at.v[i]) == DW_TAG_inlined_subroutine &&
		    dwarf_parts_origin(&at.v[i]) == origin)
			return dwarf_dieoffset(&at.v[i]) == dwarf_dieoffset(copy) &&
			       !has_marked(&at.v[0], origin, pc, 0);
	return false;
}

/* Adds the marked beginnings in the ascending order of their addresses. */
static void find_marked(struct dwarf_db *db, Dwarf_Die *copy, struct dwarf_addresses *ret)
{
	struct dwarf_unit *u = dwarf_units_of(db, copy);
	Dwarf_Attribute attr;
	Dwarf_Word column;
	const char *file;
	unsigned line;
	size_t i;

	if (!u || !u->has_lines ||
	    dwarf_formudata(dwarf_attr_integrate(copy, DW_AT_decl_column, &attr), &column) != 0)
		return;
	dwarf_scopes_declared(db, copy, &file, &line);
	if (!file || !line || !column)
		return;

	const struct dwarf_marks *marks = marks_of(db, u);
	struct code_mark first = { 0, line, (uint32_t)column, 0 };

	search_first(i, marks->v.n, compare(&marks->v.v[i], &first) < 0);
	for (; i < marks->v.n; i++) {
		const struct code_mark *m = &marks->v.v[i];
		const char *own = dwarf_units_file(db, u, m->file);

		if (m->line != line || m->column != column)
			break;
		if ((ret->v.n && ret->v.v[ret->v.n - 1] == m->address) || !own ||
		    strcmp(basename(own), basename(file)) != 0)
			continue;
		if (has_mark(copy, m->address) ||
		    (dwarf_haspc(copy, m->address) > 0 && is_own(db, copy, m->address)))
			vec_push(db->arena, &ret->v, m->address);
	}
}

void dwarf_beginnings(struct dwarf_db *db, Dwarf_Die *copy, struct dwarf_addresses *ret)
{
	uint64_t pc;

	if (db->is_program)
		find_marked(db, copy, ret);
	if (!ret->v.n && dwarf_scopes_entry(copy, &pc))
		vec_push(db->arena, &ret->v, pc);
}
