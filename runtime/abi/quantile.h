/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Quantiles of a histogram. The runtime uses this code for @quantile and the loader for
 * --percentiles, so that both give the same number.
 *
 * The quantile of a percentage is the value of the nearest rank: of COUNT values in ascending
 * order, the one with the number COUNT * percentage / 100, rounded up. A histogram only knows the
 * bucket of that value. The result is the smallest value that can be in this bucket, but not less
 * than the smallest value that was added. So the exact value is at least the result, and is in the
 * same bucket. The result for the last rank is exact, because it is the largest value.
 */
#ifndef PRT_QUANTILE_H
#define PRT_QUANTILE_H

#include "records.h"

#ifndef PRT_INLINE
#define PRT_INLINE static inline __attribute__((always_inline, unused))
#endif

#define PRT_QUANTILE_WHOLE 100000u /* 100 per cent, in thousandths */

/** prt_bucket_start - the smallest value that bucket @i of all buckets counts: for the first bucket
 * INT64_MIN. */
PRT_INLINE prt_s64 prt_bucket_start(const struct prt_hist_data *h, prt_u32 i)
{
	const prt_s64 least = (prt_s64)(1ULL << 63);

	if (i == 0)
		return least;
	if (!h->is_log)
		return i + 1 == h->n
			       ? h->high
			       : (prt_s64)((prt_u64)h->low + (prt_u64)(i - 1) * (prt_u64)h->width);
	if (i > 64)
		return (prt_s64)(1ULL << (i - 65));
	/* Below 0 a bucket holds -(2^n - 1) to -2^(n - 1). */
	return i == 64 ? 0 : -(prt_s64)((1ULL << (64 - i)) - 1);
}

/* The bounds that a histogram gives for the value of a rank: at least `low`, which is the result,
 * and at most `high`. */
struct prt_quantile {
	prt_s64 low, high;
	prt_u32 row;      /* index of its bucket in the counts that were passed */
};

/**
 * prt_quantile - the value of the nearest rank
 * @h:      the histogram
 * @counts: its @h->n counts of 8 bytes each, not necessarily aligned
 * @count:  their sum, not 0
 * @millis: the percentage in thousandths, 0 to PRT_QUANTILE_WHOLE
 */
PRT_INLINE struct prt_quantile prt_quantile(const struct prt_hist_data *h, const void *counts,
					    prt_u64 count, prt_u32 millis)
{
	/* Rounded up, without a product that overflows. */
	prt_u64 rank = count / PRT_QUANTILE_WHOLE * millis +
		       (count % PRT_QUANTILE_WHOLE * millis + PRT_QUANTILE_WHOLE - 1) /
			       PRT_QUANTILE_WHOLE;
	struct prt_quantile q = { h->min, h->max, 0 };
	prt_u32 i, first = h->is_log ? h->first : 0;
	prt_u64 seen = 0, here;
	prt_s64 next = h->min;

	for (i = 0; i < h->n; i++) {
		__builtin_memcpy(&here, (const char *)counts + 8 * (prt_u64)i, 8);
		if (!here)
			continue;
		q.row = i;
		seen += here;
		if (seen >= rank)
			break;
	}
	if (rank <= 1) {
		q.high = h->min;
	} else if (rank == count) {
		q.low = h->max;
	} else {
		i = first + q.row;
		if (prt_bucket_start(h, i) > h->min)
			q.low = prt_bucket_start(h, i);
		if (i + 1 < (h->is_log ? PRT_HIST_LOG_BUCKETS : h->n))
			next = prt_bucket_start(h, i + 1);
		/* Damaged records may have a bucket that begins at the smallest number. */
		if (next > h->min && next <= h->max)
			q.high = next - 1;
	}
	return q;
}

#endif
