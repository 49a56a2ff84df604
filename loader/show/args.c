/* SPDX-License-Identifier: GPL-2.0 */
/* The arguments of a record. They come from shared memory: every length is checked. */
#include "show/args.h"

#include <string.h>

#include "show/stack.h"

static int next_string(struct args *a, struct arg *ret)
{
	uint32_t n;
	size_t all;

	if (a->end - a->p < 8)
		return -1;
	memcpy(&n, a->p, sizeof(n));
	all = ((size_t)n + sizeof(n) + 7) & ~(size_t)7;
	if (all > (size_t)(a->end - a->p))
		return -1;
	ret->s = a->p + sizeof(n);
	ret->len = n;
	a->p += all;
	return 0;
}

static int next_hist(struct args *a, struct arg *ret)
{
	struct prt_hist_data *h = &ret->hist;

	if ((size_t)(a->end - a->p) < sizeof(*h))
		return -1;
	memcpy(h, a->p, sizeof(*h));
	a->p += sizeof(*h);
	if (h->n > (size_t)(a->end - a->p) / 8)
		return -1;
	if (h->is_log ? h->first > PRT_HIST_LOG_BUCKETS ||
				h->n > PRT_HIST_LOG_BUCKETS - h->first :
			h->n > PRT_HIST_LINEAR_MAX + 2)
		return -1;
	ret->counts = a->p;
	a->p += (size_t)h->n * 8;
	return 0;
}

static int next_stack(struct args *a, struct arg *ret)
{
	struct prt_stack_data data;

	if ((size_t)(a->end - a->p) < sizeof(data))
		return -1;
	memcpy(&data, a->p, sizeof(data));
	a->p += sizeof(data);
	if (data.len % 8 || data.len > (size_t)(a->end - a->p) || !stack_valid(a->p, data.len))
		return -1;
	ret->number = data.style;
	ret->s = a->p;
	ret->len = data.len;
	a->p += data.len;
	return 0;
}

int args_next(struct args *a, struct arg *ret)
{
	ret->type = *a->types;
	if (!ret->type)
		return 0;
	a->types++;
	if (ret->type == 's')
		return next_string(a, ret);
	if (ret->type == 'k')
		return next_stack(a, ret);
	if (ret->type == 'H')
		return next_hist(a, ret);
	if (a->end - a->p < 8)
		return -1;
	memcpy(&ret->number, a->p, 8);
	a->p += 8;
	return 0;
}

/* Number 64 counts 0; 64 + k counts [2^(k-1), 2^k), 64 - k their negatives. */
static void log_bucket(struct args_bucket *b, int k)
{
	uint64_t first, last;

	b->has_low = b->has_high = true;
	if (k == 0)
		return;
	first = 1ULL << ((k < 0 ? -k : k) - 1);
	last = first > INT64_MAX / 2 ? (uint64_t)INT64_MAX : first * 2 - 1;
	if (k > 0) {
		b->low = (int64_t)first;
		b->high = (int64_t)last;
	} else {
		b->low = first > INT64_MAX ? INT64_MIN : -(int64_t)last;
		b->high = (int64_t)(0 - first);
	}
}

static void linear_bucket(struct args_bucket *b, const struct prt_hist_data *h, uint32_t i)
{
	uint64_t low = (uint64_t)h->low + (uint64_t)(i - 1) * (uint64_t)h->width;

	b->has_low = i > 0;
	b->has_high = i + 1 < h->n;
	if (!b->has_low) {
		b->high = (int64_t)((uint64_t)h->low - 1);
	} else if (!b->has_high) {
		b->low = h->high;
	} else {
		b->low = (int64_t)low;
		b->high = (int64_t)(low + (uint64_t)h->width - 1);
		if (b->high >= h->high)
			b->high = (int64_t)((uint64_t)h->high - 1);
	}
}

struct args_bucket args_bucket(const struct arg *hist, uint32_t i)
{
	struct args_bucket b = { 0 };

	memcpy(&b.count, hist->counts + (size_t)i * 8, 8);
	if (hist->hist.is_log)
		log_bucket(&b, (int)(hist->hist.first + i) - 64);
	else
		linear_bucket(&b, &hist->hist, i);
	return b;
}
