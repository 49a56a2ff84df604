/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether a block of memory is an unwind table by which a walk can't leave it. The loader's tables
 * are checked once, when the kernel takes them; a walk then looks at nothing twice. It needs
 * nothing of the kernel, so that tests damage tables and check them.
 */
#ifndef PRT_UNWIND_CHECK_H
#define PRT_UNWIND_CHECK_H

#include "abi/unwind.h"

#define PRT_UNWIND_ADDRESSES (1ull << 47) /* addresses of files are below it */

static inline bool prt_unwind_rule_ok(const struct prt_unwind_rule *rule)
{
	const unsigned columns = (1u << PRT_UNWIND_COLUMNS) - 1;

	return rule->cfa <= PRT_UNWIND_SIGNAL_32 && rule->reg < PRT_UNWIND_REGISTERS &&
	       rule->base < PRT_UNWIND_REGISTERS && rule->ra_reg <= PRT_UNWIND_REGISTERS &&
	       !((rule->stored | rule->by_base) & ~columns) &&
	       !(rule->gone & ~(columns | PRT_UNWIND_THREAD));
}

/** prt_unwind_ok - whether the @size bytes at @t, aligned to 8, are a table. Any context. */
static inline bool prt_unwind_ok(const struct prt_unwind_table *t, prt_u64 size)
{
	const prt_u32 *pages;
	prt_u32 i, last = 0;

	if (size < sizeof(*t) || t->magic != PRT_UNWIND_MAGIC || t->size != size ||
	    !t->nrules || t->nrules > PRT_UNWIND_RULES ||
	    prt_unwind_size(t->npages, t->nrules, t->nrows) != size ||
	    t->start >= PRT_UNWIND_ADDRESSES ||
	    (prt_u64)t->npages * PRT_UNWIND_PAGE > PRT_UNWIND_ADDRESSES - t->start)
		return false;
	pages = prt_unwind_pages(t);
	for (i = 0; i <= t->npages; i++) {
		if (pages[i] < last || pages[i] > t->nrows)
			return false;
		last = pages[i];
	}
	for (i = 0; i < t->nrules; i++)
		if (!prt_unwind_rule_ok(&prt_unwind_rules(t)[i]))
			return false;
	for (i = 0; i < t->nrows; i++)
		if (prt_unwind_rules_of(t)[i] >= t->nrules)
			return false;
	return true;
}

#endif
