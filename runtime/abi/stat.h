/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Aggregates, in emitted C and in the runtime: adding values, which is inline because hot handlers
 * do it, and reading the results. script.h includes it. Any context.
 */
#ifndef PRT_STAT_H
#define PRT_STAT_H

#include "hist.h"

/* The fields to compute, which depend on the extractors that the script uses. `count` is always
 * computed. */
enum {
	PRT_STAT_SUM = 1, PRT_STAT_MIN = 2, PRT_STAT_MAX = 4, PRT_STAT_VARIANCE = 8,
	PRT_STAT_HIST_LOG = 16, PRT_STAT_HIST_LINEAR = 32, PRT_STAT_HIST_EXP = 64,
};
struct prt_stat_type {
	u32 ops;              /* PRT_STAT_* */
	u32 buckets;          /* number of counts at hist; 0: there is no histogram */
	s64 low, high, width; /* linear: see struct prt_hist_data */
};
struct prt_stat {
	u64 count;            /* 0: empty; the other fields are then undefined */
	s64 sum, min, max;
	s64 sq_hi;            /* variance: 128-bit sum of squares */
	u64 sq_lo;
	/* The counts of the histogram, after it in a scalar, apart in an array; NULL if there is
	 * none. */
	u64 *hist;
};

/* Cells of one doubling: hist.h. One that is free has the number of the next free one, from 1 on,
 * in its first count. */
struct prt_exp_block {
	u64 count[PRT_EXP_CELLS];
};
/* The blocks of the aggregates of one copy of a global. */
struct prt_exp_pool {
	u32 size, used;       /* blocks; those below `used` are taken, or free */
	u32 free;             /* number of the first free one below `used`, from 1 on; 0: none */
	u32 low;              /* `used` from which on more are to be requested (grow.h) */
	u64 coarse;           /* values that are in no cell because there was no block */
	struct prt_exp_block block[];
};
#define PRT_EXP_POOL 64 /* blocks of a scalar, enough for all positive numbers */

/* An exponential histogram has this after PRT_HIST_LOG_BUCKETS counts of only those values that are
 * in no cell. Offsets are counted in bytes from the aggregate. */
struct prt_exp {
	s32 pool;             /* of its struct prt_exp_pool; 0: there is none */
	s32 pad;
	s32 block[PRT_HIST_LOG_BUCKETS]; /* of the doubling's cells; 0: there are none yet */
};
/** PRT_EXP_WORDS - the words after the counts of a scalar with an exponential histogram. */
#define PRT_EXP_WORDS ((sizeof(struct prt_exp) + sizeof(struct prt_exp_pool) +		\
			PRT_EXP_POOL * sizeof(struct prt_exp_block)) / 8)

PRT_INLINE struct prt_exp *prt_stat_exp(const struct prt_stat *st)
{
	return (struct prt_exp *)(st->hist + PRT_HIST_LOG_BUCKETS);
}
/** prt_stat_add_exp - count a value whose doubling has no cells yet, or 0. */
void prt_stat_add_exp(struct prt_stat *st, s64 v);
/** prt_stat_count_exp - count a value in an exponential histogram. */
PRT_INLINE void prt_stat_count_exp(struct prt_stat *st, s64 v)
{
	u64 size = v < 0 ? 0 - (u64)v : (u64)v;
	u32 zeros = (u32)__builtin_clzll(size | 1);
	s32 block = prt_stat_exp(st)->block[v < 0 ? zeros : 128 - zeros];

	if (unlikely(!block || !v)) {
		prt_stat_add_exp(st, v);
		return;
	}
	((struct prt_exp_block *)((char *)st + block))->count[prt_exp_cell(size << zeros)]++;
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
		if ((ops) & PRT_STAT_HIST_EXP)						\
			prt_stat_count_exp(to, value);					\
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
/** prt_stat_quantile - the value at or below which @millis thousandths of a per cent of all values
 *  are, as precisely as the histogram gives it: quantile.h. PRT_E_EMPTY_AGGREGATE. */
s64 prt_stat_quantile(struct prt_ctx *c, const struct prt_stat *st, const struct prt_stat_type *t,
		      u32 millis, u32 srcloc);
/** prt_stat_bucket - the count of bucket @i. @rows: of a doubling for @hist_exp; 0: the script asks
 *  for @hist_log or @hist_linear. PRT_E_BAD_VALUE: the histogram has no such bucket. */
s64 prt_stat_bucket(struct prt_ctx *c, const struct prt_stat *st, const struct prt_stat_type *t,
		    u32 rows, s64 i, u32 srcloc);
/** prt_stat_clear - remove all values of a scalar. */
void prt_stat_clear(struct prt_stat *st, const struct prt_stat_type *t);
/** prt_hist_room - the number of bytes that a histogram takes in a record. prt_put_hist - write it
 *  at @p; returns the byte after it. @st may be NULL, which is an empty histogram. @rows: of struct
 *  prt_hist_data. */
u32 prt_hist_room(const struct prt_stat *st, const struct prt_stat_type *t);
char *prt_put_hist(char *p, const struct prt_stat *st, const struct prt_stat_type *t, u32 rows);

#endif
