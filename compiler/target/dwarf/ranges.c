/* SPDX-License-Identifier: GPL-2.0 */
/* Address ranges that do not overlap, and the search for the one that contains an address. */
#include <stdlib.h>

#include "target/dwarf/private.h"
#include "shared/search.h"

static int by_start(const void *x, const void *y)
{
	const struct dwarf_range *a = x, *b = y;

	return a->start < b->start ? -1 : a->start > b->start;
}

void dwarf_ranges_sort(struct dwarf_ranges *ranges)
{
	if (ranges->v.n)
		qsort(ranges->v.v, ranges->v.n, sizeof(*ranges->v.v), by_start);
}

const struct dwarf_range *dwarf_ranges_find(const struct dwarf_ranges *ranges, uint64_t pc)
{
	const struct dwarf_range *v = ranges->v.v;
	size_t low;

	search_first(low, ranges->v.n, v[low].start <= pc);
	return low && pc < v[low - 1].end ? &v[low - 1] : NULL;
}
