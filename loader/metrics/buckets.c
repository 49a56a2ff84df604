/* SPDX-License-Identifier: GPL-2.0 */
#include "metrics/buckets.h"

#include <string.h>

#include "shared/memory.h"

enum { LOG_ZERO = PRT_HIST_LOG_BUCKETS / 2 }; /* the bucket of 0 */

/* ---- buckets with bounds ---- */

static void push_bucket(struct buckets *b, int64_t bound)
{
	if (!(b->n & (b->n - 1)))
		b->v = memory_resized(b->v, b->n ? 2 * b->n : 1, sizeof(*b->v));
	b->v[b->n].bound = bound;
	b->v[b->n++].sum = b->total;
}

/* The doublings [*first, *past) of a logarithmic or exponential histogram. */
static void doublings(const struct arg *h, uint32_t *first, uint32_t *past)
{
	uint32_t each = h->hist.is_log == PRT_HIST_EXP ? PRT_EXP_SLOTS : 1;

	*first = h->hist.first / each;
	*past = (h->hist.first + h->hist.n + each - 1) / each;
}

/* The values of doubling @k. */
static uint64_t doubling_count(const struct arg *h, uint32_t k)
{
	uint32_t each = h->hist.is_log == PRT_HIST_EXP ? PRT_EXP_SLOTS : 1;
	uint64_t sum = 0;

	for (uint32_t i = k * each; i < (k + 1) * each; i++)
		if (i >= h->hist.first && i - h->hist.first < h->hist.n)
			sum += args_bucket(h, i - h->hist.first).count;
	return sum;
}

void buckets_log(struct buckets *b, const struct arg *h, uint32_t *top)
{
	uint32_t first, past;

	doublings(h, &first, &past);
	if (past > *top)
		*top = past;
	for (uint32_t k = first < LOG_ZERO ? first : LOG_ZERO; k < *top; k++) {
		b->total += doubling_count(h, k);
		push_bucket(b, k == LOG_ZERO ? 0 : k > LOG_ZERO ?
			    (int64_t)((1ull << (k - LOG_ZERO)) - 1) :
			    (int64_t)(0 - (1ull << (LOG_ZERO - 1 - k))));
	}
}

uint64_t buckets_log_count(const struct arg *h, uint32_t top)
{
	uint32_t first, past;

	doublings(h, &first, &past);
	if (past < top)
		past = top;
	return past - (first < LOG_ZERO ? first : LOG_ZERO);
}

void buckets_linear(struct buckets *b, const struct arg *h, bool negative)
{
	for (uint32_t i = 0; i < h->hist.n; i++) {
		struct args_bucket it = args_bucket(h, i);

		b->total += it.count;
		if (it.has_high && (it.high >= 0 || negative))
			push_bucket(b, it.high);
	}
}

/* ---- exponential buckets ---- */

static void clear_side(struct fine_side *s)
{
	memset(s->counts + s->first, 0, (s->past - s->first) * sizeof(*s->counts));
	s->first = s->past = 0;
}

/* Counts @n values of that doubling and slot, which is not slot 0. */
static void add_cell(struct fine *f, uint32_t doubling, uint32_t slot, uint64_t n)
{
	bool negative = doubling < LOG_ZERO;
	struct fine_side *s = negative ? &f->negative : &f->positive;
	uint32_t power = negative ? LOG_ZERO - 1 - doubling : doubling - LOG_ZERO - 1;
	uint32_t i = (power << FINE_SCALE) + (negative ? PRT_EXP_CELLS - slot : slot - 1);

	if (i >= FINE_BUCKETS)
		i = FINE_BUCKETS - 1; /* a damaged record */
	if (s->first == s->past)
		s->first = i;
	if (i < s->first)
		s->first = i;
	if (i >= s->past)
		s->past = i + 1;
	s->counts[i] += n;
}

static void add_coarse(struct fine *f, uint32_t doubling, uint64_t n)
{
	uint32_t slots[PRT_EXP_CELLS], count = 0;

	for (uint32_t slot = 1; slot < PRT_EXP_SLOTS; slot++) {
		struct prt_bounds b = prt_exp_bounds(doubling, slot);

		if (b.low <= b.high)
			slots[count++] = slot;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint64_t share = n / count + (i < n % count);

		if (share)
			add_cell(f, doubling, slots[i], share);
	}
}

void buckets_fine(struct fine *f, const struct arg *h)
{
	clear_side(&f->negative);
	clear_side(&f->positive);
	f->zero = 0;
	for (uint32_t i = 0; i < h->hist.n; i++) {
		uint32_t doubling = (h->hist.first + i) / PRT_EXP_SLOTS;
		uint32_t slot = (h->hist.first + i) % PRT_EXP_SLOTS;
		uint64_t n = args_bucket(h, i).count;

		if (!n)
			continue;
		if (doubling == LOG_ZERO)
			f->zero += n;
		else if (slot)
			add_cell(f, doubling, slot, n);
		else
			add_coarse(f, doubling, n);
	}
}
