/* SPDX-License-Identifier: GPL-2.0 */
/* The arguments of a record. They come from shared memory: every length is checked. */
#include "show/args.h"

#include <string.h>

#include "format.h"
#include "hist.h"
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
	if (!prt_hist_valid(h))
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

void args_double(const struct arg *a, char room[ARGS_DOUBLE])
{
	long n = prt_format(room, ARGS_DOUBLE - 1, "%.17g", 5, "d", &a->number, sizeof(a->number));

	room[n < 0 || n >= ARGS_DOUBLE ? 0 : n] = '\0';
}

static uint64_t count_at(const struct arg *hist, uint32_t i)
{
	uint64_t n;

	memcpy(&n, hist->counts + (size_t)i * 8, 8);
	return n;
}

struct args_bucket args_bucket(const struct arg *hist, uint32_t i)
{
	const struct prt_hist_data *h = &hist->hist;
	struct prt_bounds values = prt_bucket_bounds(h, (h->is_log ? h->first : 0) + i);

	return (struct args_bucket){
		.has_low = h->is_log || i > 0, .has_high = h->is_log || i + 1 < h->n,
		.low = h->is_log || i > 0 ? values.low : 0,
		.high = h->is_log || i + 1 < h->n ? values.high : 0,
		.count = count_at(hist, i),
	};
}

bool args_next_bucket(const struct arg *hist, uint32_t *at, struct args_bucket *ret)
{
	const struct prt_hist_data *h = &hist->hist;
	uint32_t doubling;

	while (*at < h->n && !count_at(hist, *at))
		++*at;
	if (*at >= h->n)
		return false;
	*ret = args_bucket(hist, (*at)++);
	if (h->is_log != PRT_HIST_EXP || h->rows)
		return true;
	/* Shown as a logarithmic one. */
	doubling = (h->first + *at - 1) / PRT_EXP_SLOTS;
	ret->low = prt_log_bounds(doubling).low;
	ret->high = prt_log_bounds(doubling).high;
	for (; *at < h->n && (h->first + *at) / PRT_EXP_SLOTS == doubling; ++*at)
		ret->count += count_at(hist, *at);
	return true;
}
