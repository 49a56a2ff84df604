/* SPDX-License-Identifier: GPL-2.0 */
/* Quantiles of an aggregate, read off its histogram. */
#include <linux/kprobes.h>
#include <linux/minmax.h>

#include "context.h"

/* The least value that bucket @i counts; of the first and last of a linear one, a bound. */
static s64 bucket_start(const struct prt_stat_type *t, u32 i)
{
	if (!(t->ops & PRT_STAT_HIST_LOG))
		return i == 0 ? S64_MIN : i == t->buckets - 1 ? t->high :
		       (s64)((u64)t->low + (u64)(i - 1) * (u64)t->width);
	if (i > 64)
		return (s64)(1ULL << (i - 65));
	/* Below 0 a bucket holds -(2^n - 1) to -2^(n - 1). */
	return i == 64 ? 0 : i == 0 ? S64_MIN : -(s64)((1ULL << (64 - i)) - 1);
}

s64 prt_stat_quantile(struct prt_ctx *c, const struct prt_stat *st, const struct prt_stat_type *t,
		      s64 percent, u32 place)
{
	u64 rank, seen = 0;
	u32 i;

	if (!st || !st->count) {
		prt_error(c, PRT_E_EMPTY_AGGREGATE, place, PRT_LIT(""));
		return 0;
	}
	/* The rank, rounded up, without a product that overflows. */
	rank = st->count / 100 * percent + (st->count % 100 * percent + 99) / 100;
	if (rank == 0)
		return st->min;
	if (rank == st->count)
		return st->max;
	for (i = 0; i < t->buckets; i++) {
		seen += st->hist[i];
		if (seen >= rank)
			break;
	}
	return clamp(bucket_start(t, min(i, t->buckets - 1)), st->min, st->max);
}
NOKPROBE_SYMBOL(prt_stat_quantile);
