/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel refuses kprobes on the functions of its blacklist. ftrace has no such list, and the
 * kernel no function that the runtime could call to query it, so the loader reads it. Without
 * debugfs the list is unknown.
 */
#include "machine/blacklist.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/say.h"
#include "machine/unarmed.h"
#include "module/meta.h"
#include "shared/file.h"
#include "shared/memory.h"
#include "shared/search.h"

enum { ERRORS_SHOWN = 10 };

struct range {
	uint64_t start, end;
	uint64_t reach; /* the highest end of this range and those before it: they may overlap */
};

struct ranges {
	struct range *v;
	size_t n;
};

static int by_start(const void *x, const void *y)
{
	const struct range *a = x, *b = y;

	return (a->start > b->start) - (a->start < b->start);
}

/* Parses "0xSTART-0xEND\tNAME"; addresses are 0 if the kernel hides them. */
static void read_ranges(const char *path, struct ranges *ret)
{
	struct buf t = { 0 };
	size_t at = 0;
	char *line;

	*ret = (struct ranges){ 0 };
	if (file_read(path, &t) == 0)
		ret->v = memory_zeroed(buf_lines(&t), sizeof(*ret->v));
	while (ret->v && (line = buf_line(&t, &at)) != NULL) {
		unsigned long long start, end;

		if (sscanf(line, "0x%llx-0x%llx", &start, &end) == 2 && start < end)
			ret->v[ret->n++] = (struct range){ start, end, end };
	}
	buf_deinit(&t);
	if (ret->n)
		qsort(ret->v, ret->n, sizeof(*ret->v), by_start);
	for (size_t i = 1; i < ret->n; i++)
		if (ret->v[i].reach < ret->v[i - 1].reach)
			ret->v[i].reach = ret->v[i - 1].reach;
}

static bool is_in(const struct ranges *r, uint64_t address)
{
	size_t low;

	search_first(low, r->n, r->v[low].start <= address);
	return low > 0 && address < r->v[low - 1].reach;
}

int blacklist_apply(const char *path, const struct meta *m, uint64_t *addresses,
		    int said)
{
	unsigned named = 0, wild = 0;
	const char *example = "";
	struct ranges list;

	if (!m->nsites)
		return 0;
	read_ranges(path, &list);
	for (uint32_t i = 0; i < m->nsites; i++) {
		const struct meta_site *s = &m->sites[i];

		if (!addresses[i] || s->is_data || !meta_of_kernel(s) ||
		    !is_in(&list, addresses[i]))
			continue;
		if (s->wildcard) {
			example = wild++ ? example : s->symbol;
			addresses[i] = 0;
		} else if (named++ < ERRORS_SHOWN) {
			say_error("E_NOT_PROBEABLE", "probe a caller, or a function it calls",
				  "%s: '%s' can't be probed: it is on the kernel's blacklist of "
				  "functions that must not be probed", s->pp, s->symbol);
		}
	}
	free(list.v);
	if (!said)
		unarmed_say_left_out("E_NOT_PROBEABLE", wild, example,
			     "on the kernel's blacklist of functions that must not be probed");
	return named ? -1 : 0;
}
