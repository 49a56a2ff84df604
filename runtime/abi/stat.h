/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Aggregates, in emitted C and in the runtime: adding values, which is inline because hot handlers
 * do it, and reading the results. script.h includes it. Any context.
 */
#ifndef PRT_STAT_H
#define PRT_STAT_H

/* The fields to compute, which depend on the extractors that the script uses. `count` is always
 * computed. */
enum {
	PRT_STAT_SUM = 1, PRT_STAT_MIN = 2, PRT_STAT_MAX = 4, PRT_STAT_VARIANCE = 8,
	PRT_STAT_HIST_LOG = 16, PRT_STAT_HIST_LINEAR = 32,
};
struct prt_stat_type {
	u32 ops;              /* PRT_STAT_* */
	u32 buckets;          /* histogram: number of counts after the struct; 0: no histogram */
	s64 low, high, width; /* linear: see struct prt_hist_data */
};
struct prt_stat {
	u64 count;            /* 0: empty; the other fields are then undefined */
	s64 sum, min, max;
	s64 sq_hi;            /* variance: 128-bit sum of squares */
	u64 sq_lo;
	u64 hist[];
};

PRT_INLINE u32 prt_hist_log_bucket(s64 v)
{
	if (v == 0)
		return 64;
	return v > 0 ? 64 + 64 - __builtin_clzll((u64)v) : 64 - (64 - __builtin_clzll(0 - (u64)v));
}
PRT_INLINE u32 prt_hist_linear_bucket(s64 v, s64 low, s64 high, s64 width, u32 buckets)
{
	if (v < low)
		return 0;
	if (v >= high)
		return buckets - 1;
	return 1 + (u32)(((u64)v - (u64)low) / (u64)width);
}
/** prt_stat_add_square - add the square of @v to the sum of squares, which has 128 bits. */
PRT_INLINE void prt_stat_add_square(struct prt_stat *st, s64 v)
{
	unsigned __int128 sq = ((unsigned __int128)(u64)st->sq_hi << 64) | st->sq_lo;

	sq += (unsigned __int128)((__int128)v * v);
	st->sq_hi = (s64)(sq >> 64);
	st->sq_lo = (u64)sq;
}
/** PRT_STAT_ADD - add one value; @ops and the shape of the histogram are constants. The caller owns
 * @st (it is in this CPU's bank, or locked). It is a macro so that the compiler drops unused parts
 * while it parses, not only after a third of its passes. */
#define PRT_STAT_ADD(st, v, ops, buckets, low, high, width)				\
	do {										\
		struct prt_stat *to = (st);						\
		const s64 value = (v);							\
		const bool first = to->count++ == 0;					\
											\
		if ((ops) & PRT_STAT_SUM)						\
			to->sum = (s64)((u64)to->sum + (u64)value);			\
		if (((ops) & PRT_STAT_MIN) && (first || value < to->min))		\
			to->min = value;						\
		if (((ops) & PRT_STAT_MAX) && (first || value > to->max))		\
			to->max = value;						\
		if ((ops) & PRT_STAT_VARIANCE)						\
			prt_stat_add_square(to, value);					\
		if ((ops) & PRT_STAT_HIST_LOG)						\
			to->hist[prt_hist_log_bucket(value)]++;				\
		if ((ops) & PRT_STAT_HIST_LINEAR)					\
			to->hist[prt_hist_linear_bucket(value, low, high, width,	\
							buckets)]++;			\
	} while (0)
PRT_INLINE s64 prt_stat_count(const struct prt_stat *st) { return st ? (s64)st->count : 0; }
PRT_INLINE s64 prt_stat_sum(const struct prt_stat *st) { return st && st->count ? st->sum : 0; }
/** prt_stat_min, prt_stat_max, prt_stat_avg, prt_stat_variance - the minimum, maximum, mean and
 *  variance of the values. @shift: fractional bits in the result. 0 and PRT_E_EMPTY_AGGREGATE if
 *  @st is NULL or empty. */
s64 prt_stat_min(struct prt_ctx *c, const struct prt_stat *st, u32 srcloc);
s64 prt_stat_max(struct prt_ctx *c, const struct prt_stat *st, u32 srcloc);
s64 prt_stat_avg(struct prt_ctx *c, const struct prt_stat *st, u32 srcloc);
s64 prt_stat_variance(struct prt_ctx *c, const struct prt_stat *st, s64 shift, u32 srcloc);
/** prt_stat_quantile - the value at or below which @percent of all values are, as precisely as the
 *  histogram gives it: quantile.h. PRT_E_EMPTY_AGGREGATE. */
s64 prt_stat_quantile(struct prt_ctx *c, const struct prt_stat *st, const struct prt_stat_type *t,
		      s64 percent, u32 srcloc);
/** prt_stat_bucket - the count of bucket @i. PRT_E_BAD_VALUE: the histogram has no such bucket. */
s64 prt_stat_bucket(struct prt_ctx *c, const struct prt_stat *st, const struct prt_stat_type *t,
		    s64 i, u32 srcloc);
/** prt_hist_room - the number of bytes that a histogram takes in a record. prt_put_hist - write it
 *  at @p; returns the byte after it. @st may be NULL, which is an empty histogram. */
u32 prt_hist_room(const struct prt_stat *st, const struct prt_stat_type *t);
char *prt_put_hist(char *p, const struct prt_stat *st, const struct prt_stat_type *t);

#endif
