/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The line at which a function begins, by the line table. Compilers give it as DW_AT_decl_line, but
 * the functions of Go 1.19 have DW_AT_decl_file alone, and those that are inlined elsewhere not
 * even that. The first row of a function in Go is of the
 * line with `func`; that of one that begins with an inlined copy may be of another file.
 */
#include <dwarf.h>
#include <string.h>

#include "target/dwarf/private.h"

struct row_reading { struct dwarf_db *db; struct dwarf_unit *unit; struct dwarf_row last; };

/* Adds the row before this one; rows without code are replaced by those that follow. */
static void add_row(void *data, const struct dwarf_row *row)
{
	struct row_reading *r = data;
	const struct dwarf_row *last = &r->last;

	if (last->line && !last->ends && last->address < row->address)
		vec_push(r->db->arena, &r->unit->rows.v, ((struct dwarf_range){
			.start = last->address, .end = row->address,
			.of = (Dwarf_Off)last->file << 32 | last->line }));
	r->last = *row;
}

/* The row of the line table at the first instruction of a function, or NULL. */
static const struct dwarf_range *row_at(struct dwarf_db *db, struct dwarf_unit *unit,
					Dwarf_Addr entry)
{
	if (!unit->rows_read) {
		struct row_reading r = { .db = db, .unit = unit };

		unit->rows_read = true;
		dwarf_lines_rows(db, unit->lines, add_row, &r);
		dwarf_ranges_sort(&unit->rows);
	}
	return dwarf_ranges_find(&unit->rows, entry);
}

/* Whether a function begins with code of another one. */
static bool begins_with_copy(Dwarf_Die *die, Dwarf_Addr entry)
{
	Dwarf_Die child;

	if (dwarf_child(die, &child) != 0)
		return false;
	do {
		if (dwarf_tag(&child) == DW_TAG_inlined_subroutine &&
		    dwarf_haspc(&child, entry) == 1)
			return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

unsigned dwarf_entry_line(struct dwarf_db *db, Dwarf_Die *die, const char **file)
{
	struct dwarf_unit *unit = dwarf_units_of(db, die);
	const struct dwarf_range *row;
	const char *own;
	Dwarf_Addr entry;

	if (dwarf_tag(die) != DW_TAG_subprogram || !unit || !unit->has_lines ||
	    dwarf_lowpc(die, &entry) != 0)
		return 0;
	row = row_at(db, unit, entry);
	own = row ? dwarf_units_file(db, unit, row->of >> 32) : NULL;
	if (!own || (*file && strcmp(own, *file) != 0) ||
	    (!*file && begins_with_copy(die, entry)))
		return 0;
	*file = own;
	return (unsigned)row->of;
}
