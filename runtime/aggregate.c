/* SPDX-License-Identifier: GPL-2.0 */
/* Aggregates: extractors, cells of exponential histograms, merging, histograms in records. Variance
 * is exact: a 128-bit sum of squares. */
#include <linux/kprobes.h>
#include <linux/string.h>

#include "aggregate.h"
#include "grow.h"

/* ---- cells of exponential histograms ---- */

static struct prt_exp_pool *exp_pool(const struct prt_stat *st)
{
	s64 at = prt_stat_exp(st)->pool;

	return at ? (struct prt_exp_pool *)((char *)st + at) : NULL;
}
NOKPROBE_SYMBOL(exp_pool);

static struct prt_exp_block *exp_block(const struct prt_stat *st, u32 i)
{
	return st->hist[i] & 1 ? prt_exp_block_at(st, st->hist[i]) : NULL;
}
NOKPROBE_SYMBOL(exp_block);

static struct prt_exp_block *take_from_array(struct prt_exp_pool *pool)
{
	struct prt_exp_block *b;

	if (pool->free) {
		b = &pool->block[pool->free - 1];
		pool->free = (u32)b->cell[0];
	} else if (pool->used < pool->size) {
		b = &pool->block[pool->used++];
		if (unlikely(pool->used >= pool->low))
			prt_grow_ask();
	} else {
		return NULL;
	}
	memset(b, 0, sizeof(*b));
	return b;
}
NOKPROBE_SYMBOL(take_from_array);

static struct prt_exp_block *take_from_stock(struct prt_exp_pool *pool)
{
	u32 i = pool->used % PRT_EXP_PIECE;

	if (i == 0) {
		struct prt_exp_block *piece = (void *)prt_hists_take(pool->stock);

		if (!piece)
			return NULL;
		pool->piece = piece;
	}
	pool->used++;
	return &pool->piece[i];
}
NOKPROBE_SYMBOL(take_from_stock);

/* The block of doubling @i, which is taken if there is none yet. NULL: none is left. */
static struct prt_exp_block *exp_need_block(struct prt_stat *st, u32 i)
{
	struct prt_exp_pool *pool = exp_pool(st);
	struct prt_exp_block *b = exp_block(st, i);

	if (b || !pool)
		return b;
	b = pool->stock ? take_from_stock(pool) : take_from_array(pool);
	if (!b)
		return NULL;
	b->coarse = st->hist[i] / 2;
	st->hist[i] = (u64)((char *)b - (char *)st) + 1;
	return b;
}
NOKPROBE_SYMBOL(exp_need_block);

/* Counts @n values of doubling @i that are in no cell. */
static void add_to_doubling(struct prt_stat *st, u32 i, u64 n)
{
	struct prt_exp_block *b = exp_block(st, i);

	if (b)
		b->coarse += n;
	else
		st->hist[i] += 2 * n;
}
NOKPROBE_SYMBOL(add_to_doubling);

/* The same, for want of a block. */
static void exp_add_coarse(struct prt_stat *st, u32 i, u64 n)
{
	struct prt_exp_pool *pool = exp_pool(st);

	add_to_doubling(st, i, n);
	if (pool)
		WRITE_ONCE(pool->coarse, pool->coarse + n);
}
NOKPROBE_SYMBOL(exp_add_coarse);

void prt_stat_add_exp(struct prt_stat *st, s64 v)
{
	u64 size = v < 0 ? 0 - (u64)v : (u64)v;
	u32 i = prt_hist_log_bucket(v);
	struct prt_exp_block *b;

	if (!v) {
		add_to_doubling(st, i, 1);
		return;
	}
	b = exp_need_block(st, i);
	if (b)
		b->cell[prt_exp_cell(size << __builtin_clzll(size))]++;
	else
		exp_add_coarse(st, i, 1);
}
NOKPROBE_SYMBOL(prt_stat_add_exp);

void prt_stat_put_blocks(struct prt_stat *st)
{
	struct prt_exp_pool *pool = exp_pool(st);
	u32 i;

	for (i = 0; pool && i < PRT_HIST_LOG_BUCKETS; i++) {
		struct prt_exp_block *b = exp_block(st, i);

		if (!b)
			continue;
		b->cell[0] = pool->free;
		pool->free = (u32)(b - pool->block) + 1;
		st->hist[i] = 0;
	}
}
NOKPROBE_SYMBOL(prt_stat_put_blocks);

void prt_stat_empty(struct prt_stat *st, const struct prt_stat_type *t)
{
	u64 *hist = st->hist;

	*st = (struct prt_stat){ .hist = hist };
	if (hist)
		memset(hist, 0, prt_stat_hist_size(t));
}
NOKPROBE_SYMBOL(prt_stat_empty);

static struct prt_exp_pool *scalars_pool(const struct prt_stat *st, const struct prt_stat_type *t)
{
	return (struct prt_exp_pool *)((char *)st + prt_stat_size(t));
}
NOKPROBE_SYMBOL(scalars_pool);

void prt_stat_init(struct prt_stat *st, const struct prt_stat_type *t, struct prt_hists *stock)
{
	memset(st, 0, prt_stat_size(t) + prt_stat_pool_size(t, 0));
	st->hist = t->buckets ? (u64 *)(st + 1) : NULL;
	if (!(t->ops & PRT_STAT_HIST_EXP))
		return;
	prt_stat_set_pool(st, scalars_pool(st, t));
	scalars_pool(st, t)->stock = stock;
}

static void clear_blocks(struct prt_stat *st)
{
	u32 i;

	for (i = 0; i < PRT_HIST_LOG_BUCKETS; i++) {
		struct prt_exp_block *b = exp_block(st, i);

		if (b)
			memset(b, 0, sizeof(*b));
		else
			st->hist[i] = 0;
	}
}
NOKPROBE_SYMBOL(clear_blocks);

void prt_stat_clear(struct prt_stat *st, const struct prt_stat_type *t)
{
	u64 *hist = st->hist;

	*st = (struct prt_stat){ .hist = hist };
	if (t->ops & PRT_STAT_HIST_EXP)
		clear_blocks(st);
	else if (t->buckets)
		memset(hist, 0, prt_stat_hist_size(t));
}
NOKPROBE_SYMBOL(prt_stat_clear);

u64 prt_stat_coarse(const struct prt_stat *st, const struct prt_stat_type *t)
{
	return t->ops & PRT_STAT_HIST_EXP ? READ_ONCE(scalars_pool(st, t)->coarse) : 0;
}

/* ---- merging ---- */

/* Values that were in no cell stay so, and are not counted as such once more. */
static void exp_merge(struct prt_stat *to, const struct prt_stat *from)
{
	u64 sum;
	u32 i, k;

	for (i = 0; i < PRT_HIST_LOG_BUCKETS; i++) {
		const struct prt_exp_block *add = exp_block(from, i);
		struct prt_exp_block *b = add ? exp_need_block(to, i) : NULL;

		for (k = 0, sum = 0; add && k < PRT_EXP_CELLS; k++) {
			sum += add->cell[k];
			if (b)
				b->cell[k] += add->cell[k];
		}
		if (add && !b)
			exp_add_coarse(to, i, sum);
		add_to_doubling(to, i, prt_stat_slot(from, i * PRT_EXP_SLOTS));
	}
}

void prt_stat_merge(struct prt_stat *to, const struct prt_stat *from, const struct prt_stat_type *t)
{
	u32 i;

	if (!from->count)
		return;
	if (!to->count) {
		memcpy(to, from, offsetof(struct prt_stat, hist));
	} else {
		to->count += from->count;
		to->sum = (s64)((u64)to->sum + (u64)from->sum);
		to->min = from->min < to->min ? from->min : to->min;
		to->max = from->max > to->max ? from->max : to->max;
		to->sq_lo += from->sq_lo;
		to->sq_hi = (s64)((u64)to->sq_hi + (u64)from->sq_hi + (to->sq_lo < from->sq_lo));
	}
	if (t->ops & PRT_STAT_HIST_EXP)
		exp_merge(to, from);
	else
		for (i = 0; i < t->buckets; i++)
			to->hist[i] += from->hist[i];
}

/* ---- extractors ---- */

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

/* The sum of the slots [from, end) of a doubling. */
static u64 exp_sum(const struct prt_stat *st, u32 doubling, u32 from, u32 end)
{
	u64 sum = 0;

	for (; from < end; from++)
		sum += prt_stat_slot(st, doubling * PRT_EXP_SLOTS + from);
	return sum;
}
NOKPROBE_SYMBOL(exp_sum);

/* Values that are in no cell count in the row of the power of two. */
static u64 exp_row_count(const struct prt_stat *st, u32 rows, u32 i)
{
	u32 doubling = i / rows, row = i % rows, of_power = doubling < 64 ? rows - 1 : 0;
	struct prt_slots s = prt_exp_row(doubling, rows, row);

	return exp_sum(st, doubling, s.from, s.end) +
	       (row == of_power ? prt_stat_slot(st, doubling * PRT_EXP_SLOTS) : 0);
}
NOKPROBE_SYMBOL(exp_row_count);

s64 prt_stat_bucket(struct prt_ctx *c, const struct prt_stat *st, const struct prt_stat_type *t,
		    u32 rows, s64 i, u32 srcloc)
{
	u32 each = rows ? rows : 1;

	if (i < 0 || i >= t->buckets * each) {
		prt_error(c, PRT_E_BAD_VALUE, srcloc, PRT_LIT("histogram bucket out of range"));
		return 0;
	}
	if (!st || !st->count)
		return 0;
	return t->ops & PRT_STAT_HIST_EXP ? (s64)exp_row_count(st, each, (u32)i) : (s64)st->hist[i];
}
NOKPROBE_SYMBOL(prt_stat_bucket);

/* ---- in records ---- */

/* The range [*first, end) of counts that go into a record: a logarithmic histogram omits empty
 * ends, an exponential one the doublings before that of the least value and after that of the
 * greatest. */
static u32 span(const struct prt_stat *st, const struct prt_stat_type *t, u32 *first)
{
	u32 end = t->buckets;

	*first = 0;
	if (!st || !st->count)
		return 0;
	if (t->ops & PRT_STAT_HIST_EXP) {
		*first = prt_hist_log_bucket(st->min) * PRT_EXP_SLOTS;
		return (prt_hist_log_bucket(st->max) + 1) * PRT_EXP_SLOTS;
	}
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
		    const struct prt_stat_type *t, u32 rows)
{
	memset(h, 0, sizeof(*h));
	h->is_log = t->ops & PRT_STAT_HIST_EXP ? PRT_HIST_EXP :
		    t->ops & PRT_STAT_HIST_LOG ? PRT_HIST_LOG : PRT_HIST_LINEAR;
	h->rows = rows;
	h->low = t->low;
	h->high = t->high;
	h->width = t->width;
	h->n = span(st, t, &h->first) - h->first;
	if (h->n) {
		h->min = st->min;
		h->max = st->max;
	}
}
NOKPROBE_SYMBOL(prt_hist_shape);

char *prt_put_hist(char *p, const struct prt_stat *st, const struct prt_stat_type *t, u32 rows)
{
	struct prt_hist_data *h = (struct prt_hist_data *)p;
	u64 *to = (u64 *)(h + 1);
	u32 i;

	prt_hist_shape(h, st, t, rows);
	if (h->n && h->is_log != PRT_HIST_EXP)
		memcpy(to, st->hist + h->first, h->n * sizeof(u64));
	for (i = 0; h->is_log == PRT_HIST_EXP && i < h->n; i++)
		to[i] = prt_stat_slot(st, h->first + i);
	return (char *)(to + h->n);
}
NOKPROBE_SYMBOL(prt_put_hist);
