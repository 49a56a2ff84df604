/* SPDX-License-Identifier: GPL-2.0 */
/* The rows of a histogram that format.c writes: which there are, and what they count. No other file
 * includes this one. */
#ifndef PRT_FORMAT_HIST_H
#define PRT_FORMAT_HIST_H

#include "quantile.h"

struct hist {
	struct prt_hist_data d;
	const unsigned char *counts; /* d.n of 8 bytes, not aligned */
	int each;                    /* rows of a doubling; 0: linear */
	int first, last;             /* rows that are shown */
	int rows;
	prt_u64 max;
	long columns;
	long margin; /* -1: empty rows are not left out */
	int label_width, count_width;
};

/* The count of bucket @i of all. */
static prt_u64 hist_bucket(const struct hist *h, int i)
{
	if (h->d.is_log)
		i -= (int)h->d.first;
	return i < 0 || i >= (int)h->d.n ? 0 : prt_quantile_count(h->counts, (prt_u32)i);
}

/* Whether values of the doubling are in no cell; then it is one row. */
static int hist_coarse(const struct hist *h, int doubling)
{
	return h->d.is_log == PRT_HIST_EXP && hist_bucket(h, doubling * PRT_EXP_SLOTS) != 0;
}

/* The doubling of a row, and its row in ascending order of the values without their sign. */
static int hist_row_of(const struct hist *h, int i, int *doubling)
{
	*doubling = i / h->each;
	return *doubling < 64 ? h->each - 1 - i % h->each : i % h->each;
}

/* The slots of a row. */
static struct prt_slots hist_slots(const struct hist *h, int i)
{
	if (h->each == 1 || hist_coarse(h, i / h->each))
		return (struct prt_slots){ 0, PRT_EXP_SLOTS };
	return prt_exp_row((prt_u32)(i / h->each), (prt_u32)h->each, (prt_u32)(i % h->each));
}

/* The values of a row of a logarithmic or exponential histogram. */
static struct prt_bounds hist_bounds(const struct hist *h, int i)
{
	int doubling = i / h->each;
	struct prt_slots s = hist_slots(h, i);
	struct prt_bounds b = prt_exp_bounds((prt_u32)doubling, s.from);

	if (s.from)
		b.high = prt_exp_bounds((prt_u32)doubling, s.end - 1).high;
	return b;
}

/* Whether the row exists: rows of a small doubling may have no whole number. */
static int hist_has(const struct hist *h, int i)
{
	int doubling, row;
	struct prt_bounds b;

	if (h->each <= 1)
		return 1;
	row = hist_row_of(h, i, &doubling);
	if (row == 0)
		return 1;
	b = hist_bounds(h, i);
	return doubling != 64 && b.low <= b.high && !hist_coarse(h, doubling);
}

/* The next row in the direction @step that exists; @i if there is none up to @end. */
static int hist_next(const struct hist *h, int i, int step, int end)
{
	int j = i;

	while (j != end) {
		j += step;
		if (hist_has(h, j))
			return j;
	}
	return i;
}

static prt_u64 hist_count(const struct hist *h, int i)
{
	prt_u64 sum = 0;
	struct prt_slots s;

	if (h->d.is_log != PRT_HIST_EXP)
		return hist_bucket(h, i);
	for (s = hist_slots(h, i); s.from < s.end; s.from++)
		sum += hist_bucket(h, i / h->each * PRT_EXP_SLOTS + (int)s.from);
	return sum;
}

/* Finds the range of rows that are not empty, with a margin of empty rows on each side. The margin
 * of a logarithmic histogram without negative values ends at 0, and that of a linear one does not
 * include the rows for values out of range. Returns 0 if all rows are empty. */
static int hist_range(struct hist *h)
{
	int low, high, i;

	h->each = h->d.is_log ? h->d.rows ? h->d.rows : 1 : 0;
	h->rows = h->d.is_log ? PRT_HIST_LOG_BUCKETS * h->each : (int)h->d.n;
	h->first = -1;
	h->max = 0;
	for (i = 0; i < h->rows; i++) {
		prt_u64 n = hist_has(h, i) ? hist_count(h, i) : 0;

		if (!n)
			continue;
		if (h->first < 0)
			h->first = i;
		h->last = i;
		if (n > h->max)
			h->max = n;
	}
	if (h->first < 0)
		return 0;
	low = h->d.is_log ? h->first >= 64 * h->each ? 64 * h->each : 0 : h->first ? 1 : 0;
	high = h->rows - 1 - (!h->d.is_log && h->last < h->rows - 1);
	for (i = 0; i < 2; i++) {
		h->first = hist_next(h, h->first, -1, low < h->first ? low : h->first);
		h->last = hist_next(h, h->last, 1, high > h->last ? high : h->last);
	}
	return 1;
}

/* Whether all rows around row @i within the margin are empty. */
static int hist_dull(const struct hist *h, int i)
{
	long n;
	int step, at;

	if (h->margin < 0 || hist_count(h, i))
		return 0;
	for (step = -1; step <= 1; step += 2) {
		for (at = i, n = 0; n < h->margin; n++) {
			int end = step < 0 ? h->first : h->last, next = hist_next(h, at, step, end);

			if (next == at)
				break;
			at = next;
			if (hist_count(h, at))
				return 0;
		}
	}
	return 1;
}

#endif
