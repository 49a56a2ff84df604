/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Histograms: their head in records, the bucket that counts a value, and the values that a bucket
 * counts. Scripts, the runtime, the loader and the compiler use the same code. records.h includes
 * this file.
 *
 * The values of a doubling, from a power of two to the next, are one bucket of a logarithmic
 * histogram. An exponential histogram divides each doubling into 17 cells. Cell 0 counts the power
 * itself; the others are the 16 buckets between 2^(e + (k - 1) / 16), which is excluded, and
 * 2^(e + k / 16), which is included. These are the buckets of OpenTelemetry's exponential
 * histograms of scale 4 and of Prometheus's native histograms of schema 4. They exclude their lower
 * bounds, whereas the doublings of a logarithmic histogram include theirs; with a cell of its own,
 * the power can be counted by either rule.
 */
#ifndef PRT_HIST_H
#define PRT_HIST_H

#include "records.h"

#ifndef PRT_INLINE
#define PRT_INLINE static inline __attribute__((always_inline, unused))
#endif

enum prt_hist_kind { PRT_HIST_LINEAR, PRT_HIST_LOG, PRT_HIST_EXP };

struct prt_hist_data {
	prt_u8 is_log;    /* enum prt_hist_kind */
	/* exponential: the rows that text has for a doubling, a power of two up to 16. 0: the
	 * doublings are shown as those of a logarithmic histogram, and quantiles are computed from
	 * all buckets */
	prt_u8 rows;
	prt_u8 pad[2];
	prt_u32 n;        /* counts that follow */
	prt_s64 low, high, width; /* linear */
	prt_s64 min, max; /* the smallest and the largest value; 0 if there was no value */
	prt_u32 first;    /* log, exponential: bucket number of the first count that follows */
	prt_u32 pad2;
};
/* Logarithmic buckets: number 64 counts 0; 64 + k counts values in [2^(k-1), 2^k), and 64 - k their
 * negatives. Linear buckets: number 0 counts values below low, 1 + i those in
 * [low + i*width, low + (i+1)*width), the last one those of high and above. `high` is the end of
 * the last bucket of the script, the one that holds the upper bound which the script gives.
 *
 * Exponential buckets: each logarithmic bucket i has PRT_EXP_SLOTS, from number i * PRT_EXP_SLOTS
 * on. The first counts values of which only the logarithmic bucket is known, since there was no
 * memory for cells. The others are the cells of above, in ascending order of the values. 0 has the
 * first one alone. */
#define PRT_HIST_LOG_BUCKETS 128
#define PRT_EXP_CELLS 17
#define PRT_EXP_SLOTS (1 + PRT_EXP_CELLS)
#define PRT_EXP_BUCKETS (PRT_HIST_LOG_BUCKETS * PRT_EXP_SLOTS)
#define PRT_EXP_ROWS_MAX 16
#define PRT_HIST_LINEAR_MAX 128 /* without the two outer ones */

/* A value is shifted to the left until its highest bit is bit 63. This is the largest such value of
 * each cell: 2^(63 + k / 16), rounded down. */
static const prt_u64 prt_exp_last[PRT_EXP_CELLS] __attribute__((unused)) = {
	0x8000000000000000, 0x85aac367cc487b14, 0x8b95c1e3ea8bd6e6, 0x91c3d373ab11c336,
	0x9837f0518db8a96f, 0x9ef5326091a111ad, 0xa5fed6a9b15138ea, 0xad583eea42a14ac6,
	0xb504f333f9de6484, 0xbd08a39f580c36be, 0xc5672a115506dadd, 0xce248c151f8480e3,
	0xd744fccad69d6af4, 0xe0ccdeec2a94e111, 0xeac0c6e7dd24392e, 0xf5257d152486cc2c,
	0xffffffffffffffff,
};
/* The cell of the least shifted value with each value of the five bits below the highest one. No
 * such range has more than one bound of cells in it. */
static const prt_u8 prt_exp_first[32] __attribute__((unused)) = {
	0, 1, 2, 3, 3, 4, 4, 5, 6, 6, 7, 7, 8, 8, 9, 9,
	10, 10, 11, 11, 12, 12, 13, 13, 13, 14, 14, 15, 15, 15, 16, 16,
};

/** prt_hist_valid - whether the head of a histogram in a record can be right. */
PRT_INLINE int prt_hist_valid(const struct prt_hist_data *h)
{
	prt_u32 most = h->is_log == PRT_HIST_EXP ? PRT_EXP_BUCKETS :
		       h->is_log ? PRT_HIST_LOG_BUCKETS : PRT_HIST_LINEAR_MAX + 2;

	if (h->is_log > PRT_HIST_EXP || h->rows > PRT_EXP_ROWS_MAX || h->rows & (h->rows - 1) ||
	    (h->rows && h->is_log != PRT_HIST_EXP))
		return 0;
	return h->n <= most && (!h->is_log || h->first <= most - h->n);
}
/** prt_hist_log_bucket - the number of the doubling of @v; 64 for 0. */
PRT_INLINE prt_u32 prt_hist_log_bucket(prt_s64 v)
{
	if (v == 0)
		return 64;
	return v > 0 ? 64 + 64 - __builtin_clzll((prt_u64)v) :
		       64 - (64 - __builtin_clzll(0 - (prt_u64)v));
}
PRT_INLINE prt_u32 prt_hist_linear_bucket(prt_s64 v, prt_s64 low, prt_s64 high, prt_s64 width,
					  prt_u32 buckets)
{
	if (v < low)
		return 0;
	if (v >= high)
		return buckets - 1;
	return 1 + (prt_u32)(((prt_u64)v - (prt_u64)low) / (prt_u64)width);
}
/** prt_exp_cell - the cell of a value without its sign. @shifted: its highest bit is bit 63. */
PRT_INLINE prt_u32 prt_exp_cell(prt_u64 shifted)
{
	prt_u32 cell = prt_exp_first[(shifted >> 58) - 32];

	return cell + (shifted > prt_exp_last[cell]);
}

/* The values that a bucket counts, both ends included. low > high: it counts none. */
struct prt_bounds {
	prt_s64 low, high;
};

/* Both ends without their sign, of values that are all negative or all not. */
PRT_INLINE struct prt_bounds prt_bounds_signed(prt_u64 low, prt_u64 high, int negative)
{
	const prt_u64 least = 1ULL << 63; /* without its sign */

	if (negative && low > least)
		return (struct prt_bounds){ 1, 0 };
	if (negative)
		return (struct prt_bounds){ (prt_s64)(0 - (high > least ? least : high)),
					    (prt_s64)(0 - low) };
	return (struct prt_bounds){ (prt_s64)low, (prt_s64)high };
}
/** prt_log_bounds - the values of doubling @i, 0 to PRT_HIST_LOG_BUCKETS - 1. */
PRT_INLINE struct prt_bounds prt_log_bounds(prt_u32 i)
{
	prt_u64 low = 1ULL << ((i < 64 ? 63 - i : i - 65) & 63);

	if (i == 64)
		return (struct prt_bounds){ 0, 0 };
	return prt_bounds_signed(low, low + (low - 1), i < 64);
}
/** prt_exp_bounds - the values of slot @slot of doubling @i: records.h. */
PRT_INLINE struct prt_bounds prt_exp_bounds(prt_u32 i, prt_u32 slot)
{
	prt_u32 cell = i < 64 ? PRT_EXP_CELLS - slot : slot - 1, less = i < 64 ? i : 128 - i;

	if (slot == 0 || i == 64)
		return prt_log_bounds(i);
	return prt_bounds_signed(cell ? (prt_exp_last[cell - 1] >> less) + 1 :
					prt_exp_last[0] >> less,
				 prt_exp_last[cell] >> less, i < 64);
}
/** prt_bucket_bounds - the values of bucket @i of all buckets of @h: INT64_MIN and INT64_MAX at the
 *  open ends of a linear one. */
PRT_INLINE struct prt_bounds prt_bucket_bounds(const struct prt_hist_data *h, prt_u32 i)
{
	const prt_u64 least = 1ULL << 63;
	struct prt_bounds b = { (prt_s64)least, (prt_s64)(least - 1) };

	if (h->is_log == PRT_HIST_EXP)
		return prt_exp_bounds(i / PRT_EXP_SLOTS, i % PRT_EXP_SLOTS);
	if (h->is_log)
		return prt_log_bounds(i);
	if (i + 1 == h->n)
		b.low = h->high;
	else if (i)
		b.low = (prt_s64)((prt_u64)h->low + (prt_u64)(i - 1) * (prt_u64)h->width);
	if (i == 0)
		b.high = (prt_s64)((prt_u64)h->low - 1);
	else if (i + 1 < h->n)
		b.high = (prt_s64)((prt_u64)b.low + (prt_u64)h->width - 1);
	if (i + 2 == h->n && b.high >= h->high)
		b.high = (prt_s64)((prt_u64)h->high - 1);
	return b;
}

/* The slots [from, end) of a doubling that are one of its rows. */
struct prt_slots {
	prt_u32 from, end;
};

/** prt_exp_row - the slots of row @row of @rows (1, 2, 4, 8 or 16) of doubling @i, rows in
 *  ascending order of the values. Slot 0 is in none. */
PRT_INLINE struct prt_slots prt_exp_row(prt_u32 i, prt_u32 rows, prt_u32 row)
{
	prt_u32 each = (PRT_EXP_CELLS - 1) / rows;
	struct prt_slots s = { 2 + row * each, 2 + (row + 1) * each };

	if (i < 64) {
		s.from--;
		s.end--;
		s.end += row + 1 == rows;
	} else if (row == 0) {
		s.from = 1;
	}
	return s;
}

#endif
