/* SPDX-License-Identifier: GPL-2.0 */
/* The second file of the stand-in: aggregates, arrays (which are lists), and loops over them. */
#include <stdlib.h>
#include <string.h>

#define PRT_SCRIPT_UNIT
#include "script.h"

#include "host.h"

#define MAXSTR prt_script.maxstringlen

int host_iters_open;

/* ---- aggregates ---- */

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

s64 prt_stat_max(struct prt_ctx *c, const struct prt_stat *st, u32 srcloc)
{
	return empty(c, st, srcloc) ? 0 : st->max;
}

s64 prt_stat_avg(struct prt_ctx *c, const struct prt_stat *st, u32 srcloc)
{
	return empty(c, st, srcloc) ? 0 : st->sum / (s64)st->count;
}

s64 prt_stat_variance(struct prt_ctx *c, const struct prt_stat *st, s64 shift, u32 srcloc)
{
	s64 n;

	(void)shift;
	if (empty(c, st, srcloc) || st->count < 2)
		return 0;
	n = (s64)st->count;
	return ((s64)st->sq_lo * n - st->sum * st->sum) / (n * (n - 1));
}

s64 prt_stat_bucket(struct prt_ctx *c, const struct prt_stat *st, const struct prt_stat_type *t,
		    u32 rows, s64 i, u32 srcloc)
{
	(void)rows;
	if (i < 0 || i >= t->buckets) {
		prt_error(c, PRT_E_BAD_VALUE, srcloc, PRT_LIT("bucket"));
		return 0;
	}
	return st && st->count ? (s64)st->hist[i] : 0;
}

u32 prt_hist_room(const struct prt_stat *st, const struct prt_stat_type *t)
{
	(void)st;
	return (u32)sizeof(struct prt_hist_data) + 8 * t->buckets;
}

char *prt_put_hist(char *p, const struct prt_stat *st, const struct prt_stat_type *t, u32 rows)
{
	struct prt_hist_data h = {
		.is_log = !!(t->ops & PRT_STAT_HIST_LOG), .n = t->buckets,
		.low = t->low, .high = t->high, .width = t->width, .rows = (u8)rows,
	};

	if (st && st->count) {
		h.min = st->min;
		h.max = st->max;
	}

	memcpy(p, &h, sizeof(h));
	memset(p + sizeof(h), 0, 8 * t->buckets);
	if (st && st->count)
		memcpy(p + sizeof(h), st->hist, 8 * t->buckets);
	return p + sizeof(h) + 8 * t->buckets;
}

/* ---- arrays ---- */

struct entry {
	struct entry *next;
	u32 len;
	int live;
	char *key;
	void *value;
};

struct prt_map {
	const struct prt_global *g;
	struct entry *first;
	void *lost; /* receives the value of an element that did not fit */
	u32 n;
};

struct prt_map *host_map(const struct prt_global *g)
{
	struct prt_map *m = calloc(1, sizeof(*m));

	m->g = g;
	return m;
}

static struct prt_map *map_of(struct prt_map_ref *r, char family)
{
	const struct prt_global *g = r->m->g;
	char right = g->nkeys > 1 ? 'k' : g->key_string[0] ? 's' : 'l';

	if (family != right)
		bug("key family %c of %s, which has %c", family, g->name, right);
	return r->m;
}

static size_t value_size(const struct prt_global *g)
{
	return g->value == PRT_G_STRING ? sizeof(u32) + MAXSTR :
	       g->value == PRT_G_STAT ? sizeof(struct prt_stat) + 8 * g->stat.buckets : 8;
}

static struct entry *find(struct prt_map *m, const void *key, u32 len)
{
	for (struct entry *e = m->first; e; e = e->next)
		if (e->live && e->len == len && memcmp(e->key, key, len) == 0)
			return e;
	return NULL;
}

/* Aggregates are followed by the counts of their histogram, scalars as well. */
void prt_stat_clear(struct prt_stat *st, const struct prt_stat_type *t)
{
	memset(st, 0, sizeof(*st) + 8 * t->buckets);
	st->hist = (u64 *)(st + 1);
}

static void *new_value(const struct prt_global *g)
{
	void *v = calloc(1, value_size(g));

	if (g->value == PRT_G_STAT)
		prt_stat_clear(v, &g->stat);
	return v;
}

/* A removed entry stays in the list, because iterators may point to it, but its bytes are
 * overwritten. */
static void kill_entry(struct prt_map *m, struct entry *e)
{
	e->live = 0;
	memset(e->value, 0xee, value_size(m->g));
	m->n--;
}

static void *get(struct prt_ctx *c, struct prt_map *m, const void *key, u32 len, u32 srcloc)
{
	struct entry *e = find(m, key, len), **at = &m->first;

	if (e)
		return e->value;
	if (m->n == m->g->size && !m->g->wrap && !m->g->full_fails && !(srcloc & PRT_FULL_FAILS)) {
		free(m->lost);
		m->lost = new_value(m->g);
		return m->lost;
	}
	if (m->n == m->g->size && !m->g->wrap) {
		prt_error(c, PRT_E_ARRAY_FULL, srcloc & ~PRT_FULL_FAILS,
			  (struct prt_str){ m->g->name, (u32)strlen(m->g->name) });
		return NULL;
	}
	if (m->n == m->g->size) {
		for (e = m->first; !e->live; e = e->next)
			;
		kill_entry(m, e);
	}
	e = calloc(1, sizeof(*e));
	e->len = len;
	e->live = 1;
	e->key = malloc(len + 1);
	memcpy(e->key, key, len);
	e->value = new_value(m->g);
	while (*at)
		at = &(*at)->next;
	*at = e;
	m->n++;
	return e->value;
}

static void *value_of(struct entry *e)
{
	return e ? e->value : NULL;
}

static void del(struct prt_map *m, struct entry *e)
{
	if (e)
		kill_entry(m, e);
}

void *prt_map_get_l(struct prt_ctx *c, struct prt_map_ref *r, s64 key, u32 srcloc)
{
	return get(c, map_of(r, 'l'), &key, 8, srcloc);
}

void *prt_map_get_s(struct prt_ctx *c, struct prt_map_ref *r, struct prt_str key, u32 srcloc)
{
	return get(c, map_of(r, 's'), key.s, key.len, srcloc);
}

void *prt_map_get_execname(struct prt_ctx *c, struct prt_map_ref *r, u32 srcloc)
{
	return prt_map_get_s(c, r, PRT_LIT("host"), srcloc);
}

void *prt_map_get_k(struct prt_ctx *c, struct prt_map_ref *r, const void *key, u32 len, u32 srcloc)
{
	return get(c, map_of(r, 'k'), key, len, srcloc);
}

char *prt_key_str(char *p, struct prt_str s)
{
	u16 len = s.len;

	memcpy(p, &len, sizeof(len));
	memcpy(p + sizeof(len), s.s, len);
	return p + sizeof(len) + len;
}

void *prt_map_find_l(struct prt_map_ref *r, s64 key)
{
	return value_of(find(map_of(r, 'l'), &key, 8));
}

void *prt_map_find_s(struct prt_map_ref *r, struct prt_str key)
{
	return value_of(find(map_of(r, 's'), key.s, key.len));
}

void *prt_map_find_k(struct prt_map_ref *r, const void *key, u32 len)
{
	return value_of(find(map_of(r, 'k'), key, len));
}

void prt_map_del_l(struct prt_map_ref *r, s64 key)
{
	del(r->m, find(map_of(r, 'l'), &key, 8));
}

void prt_map_del_s(struct prt_map_ref *r, struct prt_str key)
{
	del(r->m, find(map_of(r, 's'), key.s, key.len));
}

void prt_map_del_k(struct prt_map_ref *r, const void *key, u32 len)
{
	del(r->m, find(map_of(r, 'k'), key, len));
}

void prt_map_clear(struct prt_map_ref *r)
{
	for (struct entry *e = r->m->first; e; e = e->next)
		if (e->live)
			kill_entry(r->m, e);
}

/* ---- foreach ---- */

struct prt_iter {
	struct prt_map *m;
	u32 n, pos;
	struct entry *v[];
};

static struct prt_str key_part(const struct prt_map *m, const struct entry *e, u32 i)
{
	const char *p = e->key;
	u16 len = 8;

	if (m->g->nkeys == 1)
		return (struct prt_str){ e->key, e->len };
	for (u32 k = 0;; k++, p += len) {
		len = 8;
		if (m->g->key_string[k]) {
			memcpy(&len, p, 2);
			p += 2;
		}
		if (k == i)
			return (struct prt_str){ p, len };
	}
}

static s64 key_long(const struct prt_map *m, const struct entry *e, u32 i)
{
	s64 v;

	memcpy(&v, key_part(m, e, i).s, 8);
	return v;
}

static s64 extract(const struct prt_stat *st, int agg)
{
	return agg == 0 ? (s64)st->count : agg == 1 ? st->sum : agg == 2 ? st->min :
	       agg == 3 ? st->max : st->sum / (s64)st->count;
}

static s64 compare(const struct prt_map *m, struct prt_sort sort, struct entry *a, struct entry *b)
{
	u32 k = (u32)sort.key - 1;
	s64 x, y;

	if (sort.key > 0 && m->g->key_string[k])
		return sort.dir * prt_str_cmp(key_part(m, a, k), key_part(m, b, k));
	if (sort.key == -1 && m->g->value == PRT_G_STRING)
		return sort.dir * prt_str_cmp(prt_str_get(a->value), prt_str_get(b->value));
	if ((sort.key == -2) != (sort.key < 0 && m->g->value == PRT_G_STAT))
		bug("sorting %s by %d", m->g->name, sort.key);
	x = sort.key > 0 ? key_long(m, a, k) : sort.key == -1 ? *(s64 *)a->value :
	    extract(a->value, sort.agg);
	y = sort.key > 0 ? key_long(m, b, k) : sort.key == -1 ? *(s64 *)b->value :
	    extract(b->value, sort.agg);
	return sort.dir * ((x > y) - (x < y));
}

struct prt_iter *prt_iter_start(struct prt_ctx *c, struct prt_map_ref *r, struct prt_sort sort,
				s64 limit, u32 srcloc)
{
	struct prt_iter *it = calloc(1, sizeof(*it) + (r->m->n + 1) * sizeof(*it->v));

	if (++host_iters_open > (int)prt_script.iter_depth) {
		host_iters_open--;
		free(it);
		prt_error(c, PRT_E_BAD_VALUE, srcloc, PRT_LIT("no iterator left"));
		return NULL;
	}
	it->m = r->m;
	for (struct entry *e = r->m->first; e; e = e->next) {
		u32 at = it->n;

		if (!e->live)
			continue;
		while (sort.key && at && compare(r->m, sort, it->v[at - 1], e) > 0) {
			it->v[at] = it->v[at - 1];
			at--;
		}
		it->v[at] = e;
		it->n++;
	}
	if (limit >= 0 && limit < it->n)
		it->n = (u32)limit;
	return it;
}

struct prt_iter *prt_iter_walk(struct prt_ctx *c, struct prt_map_ref *r, u32 srcloc)
{
	return prt_iter_start(c, r, (struct prt_sort){ 0 }, -1, srcloc);
}

bool prt_iter_next(struct prt_iter *it)
{
	while (it->pos < it->n)
		if (it->v[it->pos++]->live)
			return true;
	return false;
}

s64 prt_iter_key_long(struct prt_iter *it, u32 i)
{
	return key_long(it->m, it->v[it->pos - 1], i);
}

struct prt_str prt_iter_key_str(struct prt_iter *it, u32 i)
{
	return key_part(it->m, it->v[it->pos - 1], i);
}

void *prt_iter_value(struct prt_iter *it)
{
	return it->v[it->pos - 1]->value;
}

void prt_iter_end(struct prt_ctx *c, struct prt_iter *it)
{
	(void)c;
	if (!it)
		return;
	host_iters_open--;
	free(it);
}
