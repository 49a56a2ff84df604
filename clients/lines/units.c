/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the unit that an address belongs to. Units say so themselves; .debug_aranges is not used,
 * because some compilers leave it out.
 */
#include <dwarf.h>
#include <stdlib.h>

#include "lines/private.h"
#include "shared/search.h"

enum {
	RANGES_MAX = 1 << 22,
	OVERLAPS_MAX = 64, /* ranges before an address that are looked at */
};

static void add(struct line_source *s, size_t *room, const struct unit_range *one)
{
	if (s->n == *room) {
		struct unit_range *more;

		*room = *room ? *room * 2 : 1024;
		more = realloc(s->ranges, *room * sizeof(*more));
		if (!more)
			exit(1);
		s->ranges = more;
	}
	s->ranges[s->n++] = *one;
}

static int by_address(const void *a, const void *b)
{
	const struct unit_range *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return x->unit < y->unit ? -1 : x->unit > y->unit;
}

void units_read(struct line_source *s)
{
	Dwarf_CU *cu = NULL;
	uint8_t type;
	Dwarf_Die die;
	size_t room = 0;

	while (dwarf_get_units(s->dwarf, cu, &cu, NULL, &type, &die, NULL) == 0 &&
	       s->n < RANGES_MAX) {
		struct unit_range one;
		ptrdiff_t at = 0;
		Dwarf_Addr base;

		if (type != DW_UT_compile && type != DW_UT_skeleton)
			continue;
		one.unit = dwarf_dieoffset(&die);
		while ((at = dwarf_ranges(&die, at, &base, &one.low, &one.high)) > 0 &&
		       s->n < RANGES_MAX)
			if (one.low < one.high)
				add(s, &room, &one);
	}
	qsort(s->ranges, s->n, sizeof(*s->ranges), by_address);
}

bool units_find(const struct line_source *s, Dwarf_Addr address, Dwarf_Die *ret)
{
	size_t at;

	search_first(at, s->n, s->ranges[at].low <= address);
	for (size_t i = 0; i < OVERLAPS_MAX && at; i++)
		if (address < s->ranges[--at].high)
			return dwarf_offdie(s->dwarf, s->ranges[at].unit, ret) != NULL;
	return false;
}
