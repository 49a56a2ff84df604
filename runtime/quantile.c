/* SPDX-License-Identifier: GPL-2.0 */
/* Quantiles of an aggregate, computed from its histogram. */
#include <linux/kprobes.h>

#include "abi/quantile.h"
#include "aggregate.h"
#include "context.h"

/* A histogram, whose counts begin at its first bucket. */
struct exp_counts {
	const struct prt_stat *st;
	u32 first;
};

static prt_u64 exp_slot_count(const void *counts, prt_u32 i)
{
	const struct exp_counts *e = counts;

	return prt_stat_slot(e->st, e->first + i);
}
NOKPROBE_SYMBOL(exp_slot_count);

s64 prt_stat_quantile(struct prt_ctx *c, const struct prt_stat *st, const struct prt_stat_type *t,
		      u32 millis, u32 srcloc)
{
	struct prt_hist_data h;
	struct exp_counts e;

	if (!st || !st->count) {
		prt_error(c, PRT_E_EMPTY_AGGREGATE, srcloc, PRT_LIT(""));
		return 0;
	}
	prt_hist_shape(&h, st, t, 0);
	e = (struct exp_counts){ st, h.first };
	if (h.is_log == PRT_HIST_EXP)
		return prt_quantile_by(&h, exp_slot_count, &e, st->count, millis).value;
	return prt_quantile(&h, st->hist + h.first, st->count, millis).value;
}
NOKPROBE_SYMBOL(prt_stat_quantile);
