/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A stand-in for the runtime in user space, so that emitted C can run in a unit test: arrays are
 * lists, sorting is by insertion, nothing is fast. It checks what the runtime trusts: that locks,
 * iterators, frames and the depth of recursion are given back on every way out.
 *
 * Begin probes run in their order, then each timer probe twice, then end probes. What is printed
 * is formatted by the loader's formatter from the formats in the script's own description.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PRT_SCRIPT_UNIT
#include "script.h"
/* The formatter and the loader's parser see user space. */
#include "format.h"
#include "module/meta.h"

extern const char prt_meta[];

#define MAXSTR prt_script.maxstringlen

static struct prt_ctx ctx;
static struct meta meta;
static int iters_open, exiting;
static char record[1 << 20];
static u32 record_id, record_len;

__attribute__((noreturn, format(printf, 1, 2))) static void bug(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fflush(stdout);
	fprintf(stderr, "BUG: ");
	vfprintf(stderr, fmt, ap);
	fprintf(stderr, "\n");
	exit(2);
}

/* ---- errors ---- */

void prt_error(struct prt_ctx *c, enum prt_err err, u32 place, struct prt_str text)
{
	if (c->err)
		return;
	c->err = err;
	c->err_place = place;
	c->err_len = text.len;
	memcpy(c->err_text, text.s, text.len);
}

bool prt_steps_out(struct prt_ctx *c, u32 place)
{
	prt_error(c, PRT_E_STEPS, place, PRT_LIT(""));
	return true;
}

static const char *error_name(u32 err)
{
	static const char *const name[] = {
		[PRT_E_DIV_ZERO] = "division by zero", [PRT_E_BAD_ADDRESS] = "bad address",
		[PRT_E_ARRAY_FULL] = "array full", [PRT_E_EMPTY_AGGREGATE] = "empty aggregate",
		[PRT_E_STEPS] = "too many steps", [PRT_E_NESTING] = "calls too deep",
		[PRT_E_SCRIPT] = "", [PRT_E_BAD_VALUE] = "bad value", [PRT_E_ABORT] = "abort",
	};

	return name[err];
}

struct prt_str prt_error_text(struct prt_ctx *c, char *buf)
{
	int n = snprintf(buf, MAXSTR, "%s%s%.*s", error_name(c->err),
			 c->err_len && *error_name(c->err) ? ": " : "", (int)c->err_len, c->err_text);

	return (struct prt_str){ buf, (u32)n };
}

bool prt_enter(struct prt_ctx *c, u32 place)
{
	if (c->nesting >= prt_script.maxnesting) {
		prt_error(c, PRT_E_NESTING, place, PRT_LIT(""));
		return false;
	}
	c->nesting++;
	return true;
}

/* ---- strings ---- */

static u32 cut(u32 len)
{
	return len < MAXSTR ? len : MAXSTR - 1;
}

s64 prt_str_cmp(struct prt_str a, struct prt_str b)
{
	int order = memcmp(a.s, b.s, a.len < b.len ? a.len : b.len);

	return order ? order : (s64)a.len - (s64)b.len;
}

void prt_str_set(struct prt_strbuf *dst, struct prt_str src)
{
	dst->len = cut(src.len);
	memmove(dst->s, src.s, dst->len);
}

struct prt_str prt_str_copy(char *buf, struct prt_str src)
{
	memmove(buf, src.s, cut(src.len));
	return (struct prt_str){ buf, cut(src.len) };
}

struct prt_str prt_str_concat(char *buf, struct prt_str a, struct prt_str b)
{
	u32 n = cut(a.len), m = cut(n + b.len) - n;

	if (a.s == buf || b.s == buf)
		bug("a concatenation onto itself");
	memcpy(buf, a.s, n);
	memcpy(buf + n, b.s, m);
	return (struct prt_str){ buf, n + m };
}

struct prt_str prt_substr(char *buf, struct prt_str s, s64 start, s64 len)
{
	if (start < 0 || start >= s.len || len <= 0)
		return (struct prt_str){ buf, 0 };
	s.s += start;
	s.len = len < s.len - start ? (u32)len : s.len - (u32)start;
	return prt_str_copy(buf, s);
}

struct prt_str prt_sprintf(char *buf, struct prt_str fmt, const char *types, const void *args,
			   u32 args_len)
{
	long n = prt_format(buf, MAXSTR - 1, fmt.s, fmt.len, types, args, args_len);

	if (n < 0)
		bug("arguments of sprintf do not fit '%s'", types);
	return (struct prt_str){ buf, cut((u32)n) };
}

/* ---- output ---- */

static void flush(void)
{
	const struct meta_print *p;
	long n;
	char *text;

	if (!record_len)
		return;
	if (record_id >= meta.nprints || !meta.prints[record_id].format)
		bug("print %u has no format", record_id);
	p = &meta.prints[record_id];
	n = prt_format(NULL, 0, p->format, p->format_len, p->types, record, record_len - 8);
	if (n < 0)
		bug("record of print %u does not fit '%s'", record_id, p->types);
	text = malloc((size_t)n + 1);
	prt_format(text, (size_t)n, p->format, p->format_len, p->types, record, record_len - 8);
	fwrite(text, 1, (size_t)n, stdout);
	free(text);
	record_len = 0;
}

char *prt_out_begin(struct prt_ctx *c, u32 id, u32 len)
{
	(void)c;
	flush();
	if (len % 8 || len < 8 || len > sizeof(record))
		bug("a record of %u bytes", len);
	record_id = id;
	record_len = len;
	return record;
}

void prt_breathe(struct prt_ctx *c)
{
	if (c->locked)
		bug("breathing with a lock held");
}

void prt_exit(struct prt_ctx *c)
{
	(void)c;
	exiting = 1;
}

void prt_warn(struct prt_ctx *c, struct prt_str text)
{
	(void)c;
	flush();
	printf("WARNING: %.*s\n", (int)text.len, text.s);
}

s64 prt_pid(struct prt_ctx *c) { (void)c; return 42; }
s64 prt_tid(struct prt_ctx *c) { (void)c; return 43; }
s64 prt_target(struct prt_ctx *c) { (void)c; return 7; }
s64 prt_time_ns(struct prt_ctx *c) { (void)c; return 1700000000123456789; }
struct prt_str prt_pp(struct prt_ctx *c)
{
	return (struct prt_str){ c->probe->pp, (u32)strlen(c->probe->pp) };
}
struct prt_str prt_execname(struct prt_ctx *c, char *buf)
{
	(void)c;
	memcpy(buf, "host", 4);
	return (struct prt_str){ buf, 4 };
}

s64 prt_strtol(struct prt_str s, s64 base)
{
	char text[64];

	snprintf(text, sizeof(text), "%.*s", (int)s.len, s.s);
	return strtoll(text, NULL, (int)base);
}

s64 prt_read(struct prt_ctx *c, u64 addr, u32 size, bool is_signed, u32 place)
{
	(void)size;
	(void)is_signed;
	if (addr < 4096)
		prt_error(c, PRT_E_BAD_ADDRESS, place, PRT_LIT("0"));
	return 0;
}

struct prt_str prt_show(struct prt_ctx *c, char *buf, u64 addr, const struct prt_show *items, u32 n,
			u32 place)
{
	(void)c;
	(void)place;
	return (struct prt_str){ buf, (u32)snprintf(buf, 64, "%u items at %llu", n, addr) };
}

struct prt_str prt_read_kernel_str(struct prt_ctx *c, char *buf, u64 addr, u32 place)
{
	prt_read(c, addr, 1, false, place);
	return (struct prt_str){ buf, 0 };
}

/* ---- aggregates ---- */

static bool empty(struct prt_ctx *c, const struct prt_stat *st, u32 place)
{
	if (st && st->count)
		return false;
	prt_error(c, PRT_E_EMPTY_AGGREGATE, place, PRT_LIT(""));
	return true;
}

s64 prt_stat_min(struct prt_ctx *c, const struct prt_stat *st, u32 place)
{
	return empty(c, st, place) ? 0 : st->min;
}

s64 prt_stat_max(struct prt_ctx *c, const struct prt_stat *st, u32 place)
{
	return empty(c, st, place) ? 0 : st->max;
}

s64 prt_stat_avg(struct prt_ctx *c, const struct prt_stat *st, u32 place)
{
	return empty(c, st, place) ? 0 : st->sum / (s64)st->count;
}

s64 prt_stat_variance(struct prt_ctx *c, const struct prt_stat *st, s64 shift, u32 place)
{
	s64 n;

	(void)shift;
	if (empty(c, st, place) || st->count < 2)
		return 0;
	n = (s64)st->count;
	return ((s64)st->sq_lo * n - st->sum * st->sum) / (n * (n - 1));
}

s64 prt_stat_bucket(struct prt_ctx *c, const struct prt_stat *st, const struct prt_stat_type *t,
		    s64 i, u32 place)
{
	if (i < 0 || i >= t->buckets) {
		prt_error(c, PRT_E_BAD_VALUE, place, PRT_LIT("bucket"));
		return 0;
	}
	return st && st->count ? (s64)st->hist[i] : 0;
}

u32 prt_hist_room(const struct prt_stat *st, const struct prt_stat_type *t)
{
	(void)st;
	return (u32)sizeof(struct prt_hist_data) + 8 * t->buckets;
}

char *prt_put_hist(char *p, const struct prt_stat *st, const struct prt_stat_type *t)
{
	struct prt_hist_data h = {
		.is_log = !!(t->ops & PRT_STAT_HIST_LOG), .n = t->buckets,
		.low = t->low, .high = t->high, .width = t->width,
	};

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
	u32 n;
};

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
		if (e->live && e->len == len && !memcmp(e->key, key, len))
			return e;
	return NULL;
}

/* A removed entry keeps its place in the list (iterators may stand on it), but not its bytes. */
static void kill_entry(struct prt_map *m, struct entry *e)
{
	e->live = 0;
	memset(e->value, 0xee, value_size(m->g));
	m->n--;
}

static void *get(struct prt_ctx *c, struct prt_map *m, const void *key, u32 len, u32 place)
{
	struct entry *e = find(m, key, len), **at = &m->first;

	if (e)
		return e->value;
	if (m->n == m->g->size && !m->g->wrap) {
		prt_error(c, PRT_E_ARRAY_FULL, place,
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
	e->value = calloc(1, value_size(m->g));
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

void *prt_map_get_l(struct prt_ctx *c, struct prt_map_ref *r, s64 key, u32 place)
{
	return get(c, map_of(r, 'l'), &key, 8, place);
}

void *prt_map_get_s(struct prt_ctx *c, struct prt_map_ref *r, struct prt_str key, u32 place)
{
	return get(c, map_of(r, 's'), key.s, key.len, place);
}

void *prt_map_get_k(struct prt_ctx *c, struct prt_map_ref *r, const void *key, u32 len, u32 place)
{
	return get(c, map_of(r, 'k'), key, len, place);
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

struct prt_iter *prt_iter_start(struct prt_ctx *c, struct prt_map_ref *r, struct prt_sort sort, s64 limit,
				u32 place)
{
	struct prt_iter *it = calloc(1, sizeof(*it) + (r->m->n + 1) * sizeof(*it->v));

	if (++iters_open > (int)prt_script.iter_depth) {
		iters_open--;
		free(it);
		prt_error(c, PRT_E_BAD_VALUE, place, PRT_LIT("no iterator left"));
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
	iters_open--;
	free(it);
}

/* ---- locks ---- */

bool prt_lock(struct prt_ctx *c, const u16 *locks, u32 n)
{
	if (c->locked)
		bug("locked twice");
	for (u32 i = 0; i < n; i++)
		if (locks[i] >= prt_script.nlocks || (i && locks[i] <= locks[i - 1]))
			bug("locks out of order");
	c->locked = (u8)n;
	return true;
}

void prt_unlock(struct prt_ctx *c, const u16 *locks, u32 n)
{
	(void)locks;
	if (c->locked != n)
		bug("unlocked %u of %u", n, c->locked);
	c->locked = 0;
}

/* ---- a session ---- */

static void globals(void)
{
	for (u32 i = 0; i < prt_script.nglobals; i++) {
		const struct prt_global *g = &prt_script.globals[i];
		void *at = g->percpu ? ctx.bank + g->offset : g->where;

		if (g->kind == PRT_G_MAP) {
			((struct prt_map_ref *)at)->m = calloc(1, sizeof(struct prt_map));
			((struct prt_map_ref *)at)->m->g = g;
		} else if (g->kind == PRT_G_LONG) {
			*(s64 *)at = g->init;
		} else if (g->kind == PRT_G_STRING) {
			prt_str_set(at, g->init_str);
		}
	}
}

static void run(const struct prt_probe *p)
{
	char *frames = ctx.frame;

	memset(frames, 0xaa, prt_script.frame_size);
	ctx.err = PRT_OK;
	ctx.steps = prt_script.maxaction;
	ctx.probe = p;
	p->handler(&ctx);
	flush();
	if (ctx.locked || iters_open || ctx.frame != frames || ctx.nesting)
		bug("%s left locks %u, iterators %d, frames %d, nesting %u", p->pp, ctx.locked, iters_open,
		    (int)(ctx.frame - frames), ctx.nesting);
	if (ctx.err && ctx.err != PRT_E_ABORT) {
		const struct meta_place *at = &meta.places[ctx.err_place];
		char text[4096];
		struct prt_str s = prt_error_text(&ctx, text);

		printf("ERROR %u:%u-%u: %.*s\n", at->line, at->col, at->end_col - 1, (int)s.len, s.s);
		exiting = 1;
	}
	if (ctx.err == PRT_E_ABORT)
		exiting = 1;
}

/* Probes of one kind in the order of their numbers, which are small here. */
static void run_all(u16 kind)
{
	for (s64 order = -10; order <= 10; order++)
		for (u32 i = 0; i < prt_script.nprobes; i++)
			if (prt_script.probes[i].kind == kind && prt_script.probes[i].order == order &&
			    (kind == PRT_END || !exiting))
				run(&prt_script.probes[i]);
}

int main(void)
{
	char why[256];

	if (meta_parse(prt_meta, strlen(prt_meta), &meta, why, sizeof(why)))
		bug("the description: %s", why);
	ctx.level = PRT_LEVEL_PROCESS;
	ctx.bank = calloc(1, prt_script.bank_size + 8);
	ctx.frame = malloc(prt_script.frame_size + 8);
	ctx.frame_end = ctx.frame + prt_script.frame_size;
	ctx.err_text = malloc(MAXSTR);
	globals();
	run_all(PRT_BEGIN);
	run_all(PRT_TIMER);
	run_all(PRT_TIMER);
	run_all(PRT_END);
	return 0;
}
