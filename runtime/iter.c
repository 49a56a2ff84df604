/* SPDX-License-Identifier: GPL-2.0 */
/*
 * foreach over an array: the numbers of its elements are copied into the iterator and sorted there.
 *
 * With a limit a heap of that many is kept while the elements are walked through, so a foreach in
 * a hot probe needs room for its limit and no more. Then the heap is sorted in place. Equal
 * elements are compared by their insertion, so the order is total and needs no stable sort.
 *
 * Where a statement only looks through all elements (a slice of an array that is deleted or looked
 * for), they are walked through as they are, and no number is copied.
 *
 * Entries that were deleted since, or whose place was used again, are passed over: they are not
 * live, or their seq is not older than the iterator.
 */
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "aggregate.h"
#include "context.h"
#include "global.h"
#include "iter.h"
#include "map.h"

struct prt_iter {
	struct prt_iter *next;
	struct prt_map *m;
	u32 n, pos, cap;
	u32 seq;
	bool walks;          /* nr[0] is the current element */
	u32 follows;         /* walks: the element after it; 0: none */
	u32 nr[];
};

static u32 room_of(bool hot)
{
	u32 most = prt_global_capacity();

	return hot ? min_t(u32, most, PRT_HOT_ITER_MAX) : most;
}

static size_t size_of(bool hot)
{
	return ALIGN(sizeof(struct prt_iter) + room_of(hot) * sizeof(u32), 8);
}

static u32 depth_of(bool hot)
{
	return hot ? prt_script.hot_iter_depth : prt_script.iter_depth;
}

size_t prt_iter_memory(bool hot)
{
	return depth_of(hot) * size_of(hot);
}

struct prt_iter *prt_iter_carve(char *p, bool hot)
{
	struct prt_iter *first = NULL;
	u32 i;

	for (i = 0; i < depth_of(hot); i++, p += size_of(hot)) {
		struct prt_iter *it = (struct prt_iter *)p;

		it->cap = room_of(hot);
		it->next = first;
		first = it;
	}
	return first;
}

/* ---- order ---- */

static struct prt_str key_part(const struct prt_map *m, const struct prt_element *e, u32 i)
{
	const struct prt_global *g = m->t->global;
	const char *p = prt_map_key(m, e);
	u32 k;
	u16 len;

	if (m->t->kind == PRT_KEY_LONG)
		return (struct prt_str){ p, 8 };
	if (m->t->kind == PRT_KEY_STR)
		return (struct prt_str){ p, e->klen };
	for (k = 0;; k++) {
		len = 8;
		if (g->key_string[k]) {
			memcpy(&len, p, 2);
			p += 2;
		}
		if (k == i)
			return (struct prt_str){ p, len };
		p += len;
	}
}
NOKPROBE_SYMBOL(key_part);

static s64 key_long(const struct prt_map *m, const struct prt_element *e, u32 i)
{
	s64 v;

	memcpy(&v, key_part(m, e, i).s, 8);
	return v;
}
NOKPROBE_SYMBOL(key_long);

static int compare_longs(s64 a, s64 b)
{
	return a < b ? -1 : a > b;
}

static s64 compare(const struct prt_map *m, const struct prt_sort *sort, u32 x, u32 y)
{
	struct prt_element *a = prt_map_element(m, x), *b = prt_map_element(m, y);
	const struct prt_global *g = m->t->global;
	u32 k = sort->key - 1;
	s64 order;

	if (sort->key > 0 && g->key_string[k])
		order = prt_str_cmp(key_part(m, a, k), key_part(m, b, k));
	else if (sort->key > 0 && g->key_stack[k])
		order = prt_stacks_cmp(NULL, key_long(m, a, k), key_long(m, b, k));
	else if (sort->key > 0)
		order = compare_longs(key_long(m, a, k), key_long(m, b, k));
	else if (g->value == PRT_G_STAT)
		order = compare_longs(prt_stat_extract(prt_map_value(m, a), sort->agg),
				      prt_stat_extract(prt_map_value(m, b), sort->agg));
	else if (g->value == PRT_G_STRING)
		order = prt_str_cmp(prt_str_get(prt_map_value(m, a)),
				    prt_str_get(prt_map_value(m, b)));
	else if (g->value == PRT_G_STACK)
		order = prt_stacks_cmp(NULL, *(s64 *)prt_map_value(m, a),
				       *(s64 *)prt_map_value(m, b));
	else
		order = compare_longs(*(s64 *)prt_map_value(m, a), *(s64 *)prt_map_value(m, b));
	if (!order)
		return (s32)(a->seq - b->seq);
	return sort->dir < 0 ? -order : order;
}
NOKPROBE_SYMBOL(compare);

/* Lets element @i sink in a heap of @n whose largest is first. */
static void sink(struct prt_iter *it, const struct prt_sort *sort, u32 i, u32 n)
{
	u32 v = it->nr[i], child;

	while ((child = 2 * i + 1) < n) {
		if (child + 1 < n && compare(it->m, sort, it->nr[child], it->nr[child + 1]) < 0)
			child++;
		if (compare(it->m, sort, v, it->nr[child]) >= 0)
			break;
		it->nr[i] = it->nr[child];
		i = child;
	}
	it->nr[i] = v;
}
NOKPROBE_SYMBOL(sink);

/* Lets other tasks run: a million elements take a second. */
static __always_inline void pause_at(const struct prt_ctx *c, u32 i)
{
	if (unlikely(i % PRT_WORK_AT_ONCE == 0) && PRT_IS_PROCESS(c) && !c->locked)
		cond_resched();
}

static void collect_sorted(const struct prt_ctx *c, struct prt_iter *it,
			   const struct prt_sort *sort, u32 want)
{
	struct prt_map *m = it->m;
	u32 nr = m->oldest, i;

	for (; nr && it->n < want; nr = prt_map_element(m, nr)->newer)
		it->nr[it->n++] = nr;
	for (i = it->n / 2; i--;) {
		sink(it, sort, i, it->n);
		pause_at(c, i);
	}
	for (; nr; nr = prt_map_element(m, nr)->newer) {
		if (compare(m, sort, nr, it->nr[0]) < 0) {
			it->nr[0] = nr;
			sink(it, sort, 0, it->n);
		}
		pause_at(c, nr);
	}
	for (i = it->n; i-- > 1;) {
		swap(it->nr[0], it->nr[i]);
		sink(it, sort, 0, i);
		pause_at(c, i);
	}
}
NOKPROBE_SYMBOL(collect_sorted);

/* ---- interface of scripts ---- */

struct prt_iter *prt_iter_start(struct prt_ctx *c, struct prt_map_ref *r, struct prt_sort sort,
				s64 limit, u32 srcloc)
{
	struct prt_cpu *cpu = prt_cpu_of(c);
	struct prt_iter *it = cpu->iters;
	struct prt_map *m = r->m;
	u32 want = limit < 0 || limit > m->count ? m->count : limit, nr;
	s64 work = m->count * (s64)(sort.key ? 1 + ilog2(want | 1) : 1);

	if (!it || want > it->cap) {
		prt_error(c, PRT_E_BAD_VALUE, srcloc,
			  it ? PRT_LIT("foreach over more elements than a hot probe may hold") :
			       PRT_LIT("foreach loops nested too deeply"));
		return NULL;
	}
	PRT_STEPS(c, work / PRT_SORT_STEPS, srcloc, fail);
	cpu->iters = it->next;
	it->m = m;
	it->n = 0;
	it->pos = 0;
	it->seq = m->seq;
	it->walks = false;
	if (want && sort.key)
		collect_sorted(c, it, &sort, want);
	else
		for (nr = m->oldest; nr && it->n < want; nr = prt_map_element(m, nr)->newer)
			it->nr[it->n++] = nr;
	return it;
fail:
	return NULL;
}
NOKPROBE_SYMBOL(prt_iter_start);

struct prt_iter *prt_iter_walk(struct prt_ctx *c, struct prt_map_ref *r, u32 srcloc)
{
	struct prt_cpu *cpu = prt_cpu_of(c);
	struct prt_iter *it = cpu->iters;

	if (!it) {
		prt_error(c, PRT_E_BAD_VALUE, srcloc,
			  PRT_LIT("foreach loops nested too deeply"));
		return NULL;
	}
	PRT_STEPS(c, r->m->count / PRT_SORT_STEPS, srcloc, fail);
	cpu->iters = it->next;
	it->m = r->m;
	it->walks = true;
	it->follows = r->m->oldest;
	return it;
fail:
	return NULL;
}
NOKPROBE_SYMBOL(prt_iter_walk);

bool prt_iter_next(struct prt_iter *it)
{
	if (it->walks && it->follows) {
		it->nr[0] = it->follows;
		it->pos = 1;
		it->follows = prt_map_element(it->m, it->nr[0])->newer;
		return true;
	}
	if (it->walks)
		return false;
	while (it->pos < it->n) {
		u32 nr = it->nr[it->pos++];
		struct prt_element *e = prt_map_element(it->m, nr);

		if (nr <= it->m->used && e->live && (s32)(e->seq - it->seq) < 0)
			return true;
	}
	return false;
}
NOKPROBE_SYMBOL(prt_iter_next);

static struct prt_element *entry_of(struct prt_iter *it)
{
	return prt_map_element(it->m, it->nr[it->pos - 1]);
}

s64 prt_iter_key_long(struct prt_iter *it, u32 i)
{
	return key_long(it->m, entry_of(it), i);
}
NOKPROBE_SYMBOL(prt_iter_key_long);

struct prt_str prt_iter_key_str(struct prt_iter *it, u32 i)
{
	return key_part(it->m, entry_of(it), i);
}
NOKPROBE_SYMBOL(prt_iter_key_str);

void *prt_iter_value(struct prt_iter *it)
{
	return prt_map_value(it->m, entry_of(it));
}
NOKPROBE_SYMBOL(prt_iter_value);

void prt_iter_end(struct prt_ctx *c, struct prt_iter *it)
{
	struct prt_cpu *cpu = prt_cpu_of(c);

	if (!it)
		return;
	it->next = cpu->iters;
	cpu->iters = it;
}
NOKPROBE_SYMBOL(prt_iter_end);
