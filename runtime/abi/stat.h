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

/* Counts of one doubling: hist.h. A block that is free has the number of the next free one, from 1
 * on, in its first cell. */
struct prt_exp_block {
	u64 cell[PRT_EXP_CELLS];
	u64 coarse;           /* values that are in no cell */
};
struct prt_hists;
/* The blocks of one copy of a global. An array's follow. A scalar has none of its own: it takes
 * pieces of several blocks from a stock that all scalars share (hists.h), and keeps them. */
struct prt_exp_pool {
	u32 size;             /* blocks that follow, */
	u32 used;             /* and below which they are taken or free; of a scalar, those taken */
	u32 free;             /* number of the first free one below `used`, from 1 on; 0: none */
	u32 low;              /* `used` from which on more are to be requested (grow.h) */
	u64 coarse;           /* values that are in no cell because there was no block */
	struct prt_hists *stock;     /* of a scalar; NULL: an array's pool */
	struct prt_exp_block *piece; /* the last one of the scalar */
	struct prt_exp_block block[];
};

/* The counts of an exponential histogram are words, one for each doubling. An odd one is the offset
 * of its block from the aggregate in bytes, plus 1. An even one is twice the number of values,
 * which are in no cell, as 0 never is. This follows: */
struct prt_exp {
	s64 pool;             /* offset of the pool, in the same way; 0: there is none */
};
/** PRT_EXP_WORDS - the words after the counts of a scalar with an exponential histogram. */
#define PRT_EXP_WORDS ((sizeof(struct prt_exp) + sizeof(struct prt_exp_pool)) / 8)

PRT_INLINE struct prt_exp *prt_stat_exp(const struct prt_stat *st)
{
	return (struct prt_exp *)(st->hist + PRT_HIST_LOG_BUCKETS);
}
PRT_INLINE struct prt_exp_block *prt_exp_block_at(const struct prt_stat *st, u64 word)
{
	return (struct prt_exp_block *)((char *)st + (s64)word - 1);
}
/** prt_stat_add_exp - count a value whose doubling has no block yet, or 0. */
void prt_stat_add_exp(struct prt_stat *st, s64 v);
/** prt_stat_count_exp - count a value in an exponential histogram. */
PRT_INLINE void prt_stat_count_exp(struct prt_stat *st, s64 v)
{
	u64 size = v < 0 ? 0 - (u64)v : (u64)v;
	u32 zeros = (u32)__builtin_clzll(size | 1);
	u64 word = st->hist[v < 0 ? zeros : 128 - zeros];

	if (unlikely(!(word & 1) || !v)) {
		prt_stat_add_exp(st, v);
		return;
	}
	prt_exp_block_at(st, word)->cell[prt_exp_cell(size << zeros)]++;
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
/** prt_stat_clear - remove all values of a scalar, which keeps its blocks. */
void prt_stat_clear(struct prt_stat *st, const struct prt_stat_type *t);
/** prt_hist_room - the number of bytes that a histogram takes in a record. prt_put_hist - write it
 *  at @p; returns the byte after it. @st may be NULL, which is an empty histogram. @rows: of struct
 *  prt_hist_data. */
u32 prt_hist_room(const struct prt_stat *st, const struct prt_stat_type *t);
char *prt_put_hist(char *p, const struct prt_stat *st, const struct prt_stat_type *t, u32 rows);

#endif
