/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Quantiles of a histogram. The runtime uses this code for @quantile and the loader for
 * --percentiles, so that both give the same number.
 *
 * The quantile of a percentage is the value of the nearest rank: of COUNT values in ascending
 * order, the one with the number COUNT * percentage / 100, rounded up. A histogram only knows the
 * bucket of that value, and the least and the greatest of all values. The result is the middle of
 * what is left of the bucket in an exponential histogram, whose buckets are so narrow that it is
 * within 3 per cent of the exact value (27 and 28 share a bucket, and so do 32 and 33: there it can
 * be one off); in the others it is the least value that is left, so the exact one is at least the
 * result. The result for the first and the last rank is exact.
 */
#ifndef PRT_QUANTILE_H
#define PRT_QUANTILE_H

#include "hist.h"

#define PRT_QUANTILE_WHOLE 100000u /* 100 per cent, in thousandths */

/* The value of a rank, and the bounds that a histogram gives for it, both included. */
struct prt_quantile {
	prt_s64 low, high;
	prt_s64 value;    /* the result */
	prt_u32 row;      /* index of its bucket in the counts that were passed */
};

/** prt_count_of - the function that prt_quantile_by() calls for the count of index @i of @h->n. */
typedef prt_u64 prt_count_of(const void *counts, prt_u32 i);

/* Cuts @q down to the values of its bucket. */
PRT_INLINE void prt_quantile_bound(struct prt_quantile *q, const struct prt_hist_data *h,
				   prt_u32 i)
{
	struct prt_bounds b = prt_bucket_bounds(h, i);

	/* A damaged record may have values outside of min and max. */
	if (b.low > q->low && b.low <= h->max)
		q->low = b.low;
	if (b.high < q->high && b.high >= q->low)
		q->high = b.high;
}

/**
 * prt_quantile_by - the value of the nearest rank
 * @h:      the histogram
 * @of:     its counts: called with @counts in ascending order of the index
 * @count:  their sum, not 0
 * @millis: the percentage in thousandths, 0 to PRT_QUANTILE_WHOLE
 */
PRT_INLINE struct prt_quantile prt_quantile_by(const struct prt_hist_data *h, prt_count_of *of,
					       const void *counts, prt_u64 count, prt_u32 millis)
{
	/* Rounded up, without a product that overflows. */
	prt_u64 rank = count / PRT_QUANTILE_WHOLE * millis +
		       (count % PRT_QUANTILE_WHOLE * millis + PRT_QUANTILE_WHOLE - 1) /
			       PRT_QUANTILE_WHOLE;
	struct prt_quantile q = { h->min, h->max, 0, 0 };
	prt_u32 i, slot, first = h->is_log ? h->first : 0, wide = 0;
	prt_u64 seen = 0, here;

	for (i = 0; i < h->n; i++) {
		here = of(counts, i);
		slot = h->is_log == PRT_HIST_EXP ? (first + i) % PRT_EXP_SLOTS : 1;
		if (slot == 0)
			wide = here != 0;
		if (!here)
			continue;
		q.row = i;
		seen += here;
		if (seen >= rank)
			break;
	}
	i = first + q.row;
	if (rank <= 1)
		q.high = h->min;
	else if (rank == count)
		q.low = h->max;
	else /* Values of the doubling that are in no cell may be on either side of this one. */
		prt_quantile_bound(&q, h, wide ? i - i % PRT_EXP_SLOTS : i);
	q.value = q.low;
	if (h->is_log == PRT_HIST_EXP)
		q.value += (prt_s64)(((prt_u64)q.high - (prt_u64)q.low) / 2);
	return q;
}

PRT_INLINE prt_u64 prt_quantile_count(const void *counts, prt_u32 i)
{
	prt_u64 n;

	__builtin_memcpy(&n, (const char *)counts + 8 * (prt_u64)i, 8);
	return n;
}
/** prt_quantile - prt_quantile_by() for counts of 8 bytes at @counts, not necessarily aligned. */
PRT_INLINE struct prt_quantile prt_quantile(const struct prt_hist_data *h, const void *counts,
					    prt_u64 count, prt_u32 millis)
{
	return prt_quantile_by(h, prt_quantile_count, counts, count, millis);
}

#endif
