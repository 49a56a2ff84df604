/* SPDX-License-Identifier: GPL-2.0 */
/* Aggregates: extractors, merging, histograms in records. Variance is exact: a 128-bit sum of
 * squares. */
#include <linux/kprobes.h>
#include <linux/string.h>

#include "aggregate.h"

void prt_stat_merge(struct prt_stat *to, const struct prt_stat *from, const struct prt_stat_type *t)
{
	u32 i;

	if (!from->count)
		return;
	if (!to->count) {
		memcpy(to, from, prt_stat_size(t));
		return;
	}
	to->count += from->count;
	to->sum = (s64)((u64)to->sum + (u64)from->sum);
	to->min = from->min < to->min ? from->min : to->min;
	to->max = from->max > to->max ? from->max : to->max;
	to->sq_lo += from->sq_lo;
	to->sq_hi = (s64)((u64)to->sq_hi + (u64)from->sq_hi + (to->sq_lo < from->sq_lo));
	for (i = 0; i < t->buckets; i++)
		to->hist[i] += from->hist[i];
}

/* n / d by shift and subtract: the kernel has no division of 128 bits. */
static unsigned __int128 divide(unsigned __int128 n, u64 d)
{
	unsigned __int128 rest = 0;
	int i;

	if (!(n >> 64))
		return (u64)n / d;
	for (i = 127; i >= 0; i--) {
		rest = (rest << 1) | ((n >> i) & 1);
		n &= ~((unsigned __int128)1 << i);
		if (rest >= d) {
			rest -= d;
			n |= (unsigned __int128)1 << i;
		}
	}
	return n;
}
NOKPROBE_SYMBOL(divide);

/* The sample variance: (sum of squares - sum * sum / n) / (n - 1); 0 if there is a single value.
 * One that does not fit is the largest number. */
static s64 variance(const struct prt_stat *st, u32 shift)
{
	unsigned __int128 squares = ((unsigned __int128)(u64)st->sq_hi << 64) | st->sq_lo;
	unsigned __int128 sum = st->sum < 0 ? 0 - (u64)st->sum : (u64)st->sum, spread, ret;
	u64 n = st->count;

	if (n < 2)
		return 0;
	if (!(squares >> 64) && n <= U32_MAX) {
		ret = divide(squares * n - sum * sum, n * (n - 1));
	} else {
		spread = squares - divide(sum * sum, n);
		ret = spread >> (127 - shift) ? divide(spread, n - 1) :
						divide(spread << shift, n - 1) >> shift;
	}
	return ret > S64_MAX ? S64_MAX : (s64)ret;
}
NOKPROBE_SYMBOL(variance);

s64 prt_stat_extract(const struct prt_stat *st, int agg)
{
	if (!st->count)
		return 0;
	switch (agg) {
	case 0: return st->count;
	case 1: return st->sum;
	case 2: return st->min;
	case 3: return st->max;
	case 4: return st->sum / (s64)st->count;
	default: return variance(st, 0);
	}
}
NOKPROBE_SYMBOL(prt_stat_extract);

static bool empty(struct prt_ctx *c, const struct prt_stat *st, u32 srcloc)
{
	if (st && st->count)
		return false;
	prt_error(c, PRT_E_EMPTY_AGGREGATE, srcloc, PRT_LIT(""));
	return true;
}

s64 prt_stat_min(struct prt_ctx *c, const struct prt_stat *st, u32 srcloc)
{
	return empty(c, st, srcloc) ? 0 : st->min;
}
NOKPROBE_SYMBOL(prt_stat_min);

s64 prt_stat_max(struct prt_ctx *c, const struct prt_stat *st, u32 srcloc)
{
	return empty(c, st, srcloc) ? 0 : st->max;
}
NOKPROBE_SYMBOL(prt_stat_max);

s64 prt_stat_avg(struct prt_ctx *c, const struct prt_stat *st, u32 srcloc)
{
	return empty(c, st, srcloc) ? 0 : st->sum / (s64)st->count;
}
NOKPROBE_SYMBOL(prt_stat_avg);

s64 prt_stat_variance(struct prt_ctx *c, const struct prt_stat *st, s64 shift, u32 srcloc)
{
	return empty(c, st, srcloc) ? 0 : variance(st, shift & 63);
}
NOKPROBE_SYMBOL(prt_stat_variance);

s64 prt_stat_bucket(struct prt_ctx *c, const struct prt_stat *st, const struct prt_stat_type *t,
		    s64 i, u32 srcloc)
{
	if (i < 0 || i >= t->buckets) {
		prt_error(c, PRT_E_BAD_VALUE, srcloc, PRT_LIT("histogram bucket out of range"));
		return 0;
	}
	return st && st->count ? (s64)st->hist[i] : 0;
}
NOKPROBE_SYMBOL(prt_stat_bucket);

/* ---- in records ---- */

/* The range [*first, end) of counts that go into a record: a logarithmic histogram omits empty
 * ends. */
static u32 span(const struct prt_stat *st, const struct prt_stat_type *t, u32 *first)
{
	u32 end = t->buckets;

	*first = 0;
	if (!st || !st->count)
		return 0;
	if (!(t->ops & PRT_STAT_HIST_LOG))
		return end;
	while (*first < end && !st->hist[*first])
		(*first)++;
	while (end > *first && !st->hist[end - 1])
		end--;
	return end;
}
NOKPROBE_SYMBOL(span);

u32 prt_hist_room(const struct prt_stat *st, const struct prt_stat_type *t)
{
	u32 first, end = span(st, t, &first);

	return sizeof(struct prt_hist_data) + (end - first) * sizeof(u64);
}
NOKPROBE_SYMBOL(prt_hist_room);

void prt_hist_shape(struct prt_hist_data *h, const struct prt_stat *st,
		    const struct prt_stat_type *t, u32 first, u32 n)
{
	memset(h, 0, sizeof(*h));
	h->is_log = !!(t->ops & PRT_STAT_HIST_LOG);
	h->n = n;
	h->low = t->low;
	h->high = t->high;
	h->width = t->width;
	h->first = first;
	if (n) {
		h->min = st->min;
		h->max = st->max;
	}
}
NOKPROBE_SYMBOL(prt_hist_shape);

char *prt_put_hist(char *p, const struct prt_stat *st, const struct prt_stat_type *t)
{
	struct prt_hist_data *h = (struct prt_hist_data *)p;
	u32 first, n = span(st, t, &first) - first;

	prt_hist_shape(h, st, t, first, n);
	if (n)
		memcpy(h + 1, st->hist + first, n * sizeof(u64));
	return (char *)(h + 1) + n * sizeof(u64);
}
NOKPROBE_SYMBOL(prt_put_hist);
