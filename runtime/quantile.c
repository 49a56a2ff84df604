/* SPDX-License-Identifier: GPL-2.0 */
/* Quantiles of an aggregate, computed from its histogram. */
#include <linux/kprobes.h>

#include "abi/quantile.h"
#include "aggregate.h"
#include "context.h"

s64 prt_stat_quantile(struct prt_ctx *c, const struct prt_stat *st, const struct prt_stat_type *t,
		      s64 percent, u32 srcloc)
{
	struct prt_hist_data h;

	if (!st || !st->count) {
		prt_error(c, PRT_E_EMPTY_AGGREGATE, srcloc, PRT_LIT(""));
		return 0;
	}
	prt_hist_shape(&h, st, t, 0, t->buckets);
	return prt_quantile(&h, st->hist, st->count,
			    (u32)percent * (PRT_QUANTILE_WHOLE / 100)).low;
}
NOKPROBE_SYMBOL(prt_stat_quantile);
