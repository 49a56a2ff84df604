/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compares arrays with a plain list. The list holds the array's elements in order of insertion;
 * finding searches all of it, sorting is by insertion. Keys take the same calls as those of emitted
 * code.
 *
 * The list knows one fact about the inside of the array: keys longer than PRT_KEY_MEAN bytes may
 * use up the keymem, so that an array is full, or drops more than one of the oldest elements,
 * before it has all its elements. As long as no key is longer, this must not happen.
 */
#include <stdlib.h>
#include <string.h>

#include "aggregate.h"
#include "machine.h"
#include "map.h"
#include "twin.h"

enum { CAPACITY_MAX = 96, KEY_MAX = 65536, KEYS_KNOWN = 40, SRCLOC = 7 };

struct key {
	struct { s64 l; struct prt_str s; } part[PRT_KEYS_MAX];
	u32 len;     /* packed */
	char *bytes;
};

struct element {
	const struct key *key;
	s64 l;
	char *text;  /* string values */
	u32 text_len;
	u64 n;       /* aggregates: count, sum, min and max are enough here */
	s64 sum, min, max;
};

struct fixture {
	struct prt_global g;
	struct prt_map_ref ref;
	struct prt_ctx *c;
	struct key keys[KEYS_KNOWN];
	struct element e[CAPACITY_MAX];
	u32 n, string_most; /* string_most: bytes of a string in a key */
	u64 lost;       /* elements that did not fit, without an error */
	bool long_keys; /* a key above PRT_KEY_MEAN was inserted since the last clear */
};

/* ---- keys ---- */

static void make_key(struct fixture *f, struct key *k)
{
	static char packed[KEY_MAX];
	char *p = packed;
	u32 i;

	for (i = 0; i < f->g.nkeys; i++) {
		if (f->g.key_string[i]) {
			u32 len = twin_length(f->string_most);
			char *s = malloc(len + 1);

			twin_bytes(s, len);
			k->part[i].s = (struct prt_str){ s, len };
			p = prt_key_str(p, k->part[i].s);
		} else {
			k->part[i].s = (struct prt_str){ NULL, 0 };
			k->part[i].l = twin_value();
			p = prt_key_long(p, k->part[i].l);
		}
	}
	k->len = f->g.nkeys > 1 ? p - packed : f->g.key_string[0] ? k->part[0].s.len : 8;
	k->bytes = malloc(p - packed);
	memcpy(k->bytes, packed, p - packed);
}

static void free_key(struct fixture *f, struct key *k)
{
	u32 i;

	for (i = 0; i < f->g.nkeys; i++)
		free((char *)k->part[i].s.s);
	free(k->bytes);
}

static bool same_key(const struct fixture *f, const struct key *a, const struct key *b)
{
	u32 i;

	for (i = 0; i < f->g.nkeys; i++) {
		const struct prt_str x = a->part[i].s, y = b->part[i].s;

		if (f->g.key_string[i] ? x.len != y.len || (x.len && memcmp(x.s, y.s, x.len) != 0) :
					 a->part[i].l != b->part[i].l)
			return false;
	}
	return true;
}

/* ---- the calls, by the type of the key ---- */

static void *array_get(struct fixture *f, const struct key *k, u32 srcloc)
{
	if (f->g.nkeys > 1)
		return prt_map_get_k(f->c, &f->ref, k->bytes, k->len, srcloc);
	if (f->g.key_string[0])
		return prt_map_get_s(f->c, &f->ref, k->part[0].s, srcloc);
	return prt_map_get_l(f->c, &f->ref, k->part[0].l, srcloc);
}

static void *array_find(struct fixture *f, const struct key *k)
{
	if (f->g.nkeys > 1)
		return prt_map_find_k(&f->ref, k->bytes, k->len);
	if (f->g.key_string[0])
		return prt_map_find_s(&f->ref, k->part[0].s);
	return prt_map_find_l(&f->ref, k->part[0].l);
}

static void array_del(struct fixture *f, const struct key *k)
{
	if (f->g.nkeys > 1)
		prt_map_del_k(&f->ref, k->bytes, k->len);
	else if (f->g.key_string[0])
		prt_map_del_s(&f->ref, k->part[0].s);
	else
		prt_map_del_l(&f->ref, k->part[0].l);
}

/* ---- the list ---- */

static struct element *list_find(struct fixture *f, const struct key *k)
{
	u32 i;

	for (i = 0; i < f->n; i++)
		if (same_key(f, f->e[i].key, k))
			return &f->e[i];
	return NULL;
}

static void list_del(struct fixture *f, struct element *e)
{
	free(e->text);
	memmove(e, e + 1, (char *)&f->e[--f->n] - (char *)e);
}

static void list_clear(struct fixture *f)
{
	while (f->n)
		list_del(f, &f->e[f->n - 1]);
	f->long_keys = false;
}

/* Adds a new key to the list and drops the elements that the array dropped; @count is the array's
 * number of elements after that. */
static struct element *list_add(struct fixture *f, const struct key *k, u32 count)
{
	u32 dropped = f->n + 1 - count;

	CHECK(dropped <= f->n, "%u elements of %u are left", count, f->n + 1);
	CHECK(dropped == (f->n == f->ref.m->t->capacity) || f->long_keys,
	      "%u of %u dropped without need", dropped, f->n);
	while (dropped--)
		list_del(f, &f->e[0]);
	f->e[f->n] = (struct element){ .key = k };
	return &f->e[f->n++];
}

static void check_value(struct fixture *f, const struct element *e, const void *v)
{
	const struct prt_strbuf *text = v;
	const struct prt_stat *st = v;

	if (f->g.value == PRT_G_LONG)
		CHECK(*(const s64 *)v == e->l, "%lld, not %lld", *(const s64 *)v, e->l);
	else if (f->g.value == PRT_G_STRING)
		CHECK(text->len == e->text_len && memcmp(text->s, e->text ?: "", text->len) == 0,
		      "a string of %u bytes, not %u", text->len, e->text_len);
	else if (st->count || e->n)
		CHECK(st->count == e->n && st->sum == e->sum && st->min == e->min &&
		      st->max == e->max, "count %llu sum %lld, not %llu and %lld",
		      st->count, st->sum, e->n, e->sum);
}

/* Writes a new value into both. */
static void change(struct fixture *f, struct element *e, void *v)
{
	char text[8192];
	u32 len = twin_length(twin_script.maxstringlen - 1);
	s64 x = twin_value();

	if (f->g.value == PRT_G_LONG) {
		*(s64 *)v = e->l = x;
	} else if (f->g.value == PRT_G_STRING) {
		twin_bytes(text, len);
		prt_str_set(v, (struct prt_str){ text, len });
		e->text = realloc(e->text, len + 1);
		memcpy(e->text, text, len);
		e->text_len = len;
	} else {
		PRT_STAT_ADD(v, x, PRT_STAT_SUM | PRT_STAT_MIN | PRT_STAT_MAX, 0, 0, 0, 0);
		e->min = e->n && e->min < x ? e->min : x;
		e->max = e->n && e->max > x ? e->max : x;
		e->sum = (s64)((u64)e->sum + (u64)x);
		e->n++;
	}
}

/* ---- operations ---- */

/* The element does not fit: the array reports an error, or returns a value that it counts and never
 * shows. */
static void not_stored(struct fixture *f, void *v, bool fails)
{
	struct element forgotten = { 0 };

	CHECK(!v == fails, "%s", fails ? "a value in place of an error" : "no place to write to");
	if (fails) {
		CHECK(f->c->err == PRT_E_ARRAY_FULL && f->c->err_srcloc == SRCLOC, "error %u",
		      f->c->err);
		return;
	}
	f->lost++;
	CHECK(!f->c->err && f->ref.m->lost_srcloc == SRCLOC, "error %u, place %u", f->c->err,
	      f->ref.m->lost_srcloc);
	check_value(f, &forgotten, v);
	change(f, &forgotten, v);
	free(forgotten.text);
}

static void op_get(struct fixture *f, const struct key *k)
{
	u32 flag = twin_below(2) ? PRT_FULL_FAILS : 0;
	struct element *e = list_find(f, k);
	u64 lost = f->ref.m->lost;
	void *v;

	f->long_keys |= k->len > PRT_KEY_MEAN;
	f->c->err = 0;
	v = array_get(f, k, SRCLOC | flag);
	if (!v || f->ref.m->lost != lost) {
		CHECK(!e, "an element that is there could not be had");
		not_stored(f, v, flag || f->g.full_fails);
		CHECK(f->n == f->ref.m->t->capacity || f->long_keys, "full with %u of %u", f->n,
		      f->ref.m->t->capacity);
		CHECK(!f->g.wrap || k->len > PRT_KEY_MEAN, "an array that wraps is full");
		/* A key that does not fit even so may have displaced other elements. */
		while (f->g.wrap && f->n > f->ref.m->count)
			list_del(f, &f->e[0]);
		return;
	}
	CHECK(!f->c->err, "error %u beside an element", f->c->err);
	if (!e)
		e = list_add(f, k, f->ref.m->count);
	check_value(f, e, v);
	if (twin_below(4))
		change(f, e, v);
}

static void op_find(struct fixture *f, const struct key *k)
{
	struct element *e = list_find(f, k);
	void *v = array_find(f, k);

	CHECK(!v == !e, "%s there", e ? "it should be" : "it should not be");
	if (e)
		check_value(f, e, v);
}

static void op_del(struct fixture *f, const struct key *k)
{
	struct element *e = list_find(f, k);

	array_del(f, k);
	if (e)
		list_del(f, e);
	CHECK(f->ref.m->count == f->n, "%u elements, not %u", f->ref.m->count, f->n);
}

/* ---- foreach ---- */

static s64 compare_strings(struct prt_str a, struct prt_str b)
{
	u32 i;

	for (i = 0; i < a.len && i < b.len; i++)
		if (a.s[i] != b.s[i])
			return (u8)a.s[i] < (u8)b.s[i] ? -1 : 1;
	return a.len < b.len ? -1 : a.len > b.len;
}

static s64 extract(const struct element *e, int agg)
{
	if (!e->n)
		return 0;
	return agg == 0 ? (s64)e->n : agg == 1 ? e->sum : agg == 2 ? e->min : agg == 3 ? e->max :
							      e->sum / (s64)e->n;
}

static s64 compare(const struct fixture *f, struct prt_sort by, const struct element *a,
		   const struct element *b)
{
	s64 x = a->l, y = b->l;

	if (by.key > 0 && f->g.key_string[by.key - 1])
		return compare_strings(a->key->part[by.key - 1].s, b->key->part[by.key - 1].s);
	if (by.key < 0 && f->g.value == PRT_G_STRING)
		return compare_strings((struct prt_str){ a->text, a->text_len },
				       (struct prt_str){ b->text, b->text_len });
	if (by.key > 0) {
		x = a->key->part[by.key - 1].l;
		y = b->key->part[by.key - 1].l;
	} else if (f->g.value == PRT_G_STAT) {
		x = extract(a, by.agg);
		y = extract(b, by.agg);
	}
	return x < y ? -1 : x > y;
}

/* Returns the numbers of the list's elements in the requested order; equal ones by insertion. */
static void sorted(const struct fixture *f, struct prt_sort by, u32 *order)
{
	u32 i, at;

	for (i = 0; i < f->n; i++) {
		for (at = i; by.key && at > 0; at--) {
			if (compare(f, by, &f->e[i], &f->e[order[at - 1]]) * by.dir >= 0)
				break;
			order[at] = order[at - 1];
		}
		order[at] = i;
	}
}

static void check_keys(const struct fixture *f, struct prt_iter *it, const struct key *k)
{
	u32 i;

	for (i = 0; i < f->g.nkeys; i++) {
		if (f->g.key_string[i])
			CHECK(!compare_strings(prt_iter_key_str(it, i), k->part[i].s), "key %u", i);
		else
			CHECK(prt_iter_key_long(it, i) == k->part[i].l, "key %u", i);
	}
}

static struct prt_sort random_sort(const struct fixture *f)
{
	struct prt_sort by = { .dir = twin_below(2) ? 1 : -1 };

	by.key = twin_below(3) ? (int)twin_below(f->g.nkeys + 1) : -1;
	if (by.key == -1 && f->g.value == PRT_G_STAT) {
		by.key = -2;
		by.agg = (int)twin_below(5);
	}
	return by;
}

static void op_foreach(struct fixture *f, bool deletes)
{
	struct prt_sort by = random_sort(f);
	u32 order[CAPACITY_MAX], n = f->n, i, shown = 0;
	const struct key *key[CAPACITY_MAX];
	bool gone[CAPACITY_MAX] = { false };
	s64 limit = twin_below(2) ? -1 : (s64)twin_below(n + 3);
	struct prt_iter *it;

	sorted(f, by, order);
	for (i = 0; i < n; i++)
		key[i] = f->e[order[i]].key;
	if (limit >= 0 && limit < n)
		n = limit;
	f->c->err = 0;
	f->c->steps = 100000;
	it = prt_iter_start(f->c, &f->ref, by, limit, SRCLOC);
	CHECK(it && !f->c->err, "no iterator, error %u", f->c->err);
	for (i = 0; i < n; i++) {
		if (gone[i])
			continue;
		CHECK(prt_iter_next(it), "ends after %u of %u", shown, n);
		check_keys(f, it, key[i]);
		check_value(f, list_find(f, key[i]), prt_iter_value(it));
		shown++;
		if (deletes && twin_below(3) == 0) {
			u32 victim = (u32)twin_below(n);

			/* An element that is deleted and added again must not be visited. */
			op_del(f, key[victim]);
			gone[victim] = true;
			if (!f->long_keys && twin_below(2))
				op_get(f, key[victim]);
		}
	}
	CHECK(!prt_iter_next(it), "more than %u elements", n);
	prt_iter_end(f->c, it);
}

/* A walk, in which elements are removed as it stands at them, as by delete a[*, k]. */
static void op_walk(struct fixture *f)
{
	struct prt_iter *it;
	u32 n = f->n, at = 0, i;

	f->c->err = 0;
	f->c->steps = 100000;
	it = prt_iter_walk(f->c, &f->ref, SRCLOC);
	CHECK(it && !f->c->err, "no iterator, error %u", f->c->err);
	for (i = 0; i < n; i++) {
		CHECK(prt_iter_next(it), "ends after %u of %u", i, n);
		check_keys(f, it, f->e[at].key);
		check_value(f, &f->e[at], prt_iter_value(it));
		if (twin_below(3) == 0)
			op_del(f, f->e[at].key);
		else
			at++;
	}
	CHECK(!prt_iter_next(it), "more than %u elements", n);
	prt_iter_end(f->c, it);
}

/* ---- the test ---- */

static void random_global(struct fixture *f)
{
	static const u32 lengths[] = { 16, 17, 33, 64, 100, 512, 7168 };
	u32 i, known = twin_below(2);

	twin_script.maxstringlen = lengths[twin_below(sizeof(lengths) / sizeof(lengths[0]))];
	f->g = (struct prt_global){
		.name = "a", .kind = PRT_G_MAP, .where = &f->ref, .wrap = twin_below(2),
		.value = PRT_G_LONG + twin_below(3), .full_fails = twin_below(3) == 0,
		.nkeys = 1 + (twin_below(2) ? twin_below(PRT_KEYS_MAX) : 0),
		.size = 1 + twin_below(CAPACITY_MAX),
	};
	f->g.stat = (struct prt_stat_type){ .ops = PRT_STAT_SUM | PRT_STAT_MIN | PRT_STAT_MAX,
					    .buckets = 128 * (u32)twin_below(2) };
	f->string_most = twin_script.maxstringlen - 1 - (known ? (u32)twin_below(16) : 0);
	for (i = 0; i < f->g.nkeys; i++) {
		f->g.key_string[i] = twin_below(2);
		f->g.key_bytes += !known ? 0 : f->g.key_string[i] ? 2 + f->string_most : 8;
	}
	twin_script.globals = &f->g;
	twin_script.nglobals = 1;
}

void twin_array(u32 ops)
{
	struct fixture *f = calloc(1, sizeof(*f));
	u32 i, known = 1 + twin_below(KEYS_KNOWN);
	static struct prt_probe probe;

	twin_script.probes = &probe;
	twin_script.nprobes = 1;
	random_global(f);
	CHECK(machine_open(0) == 0, "no session");
	f->c = machine_context(twin_below(2) ? 0 : TWIN_CPUS, 0);
	for (i = 0; i < known; i++)
		make_key(f, &f->keys[i]);
	for (i = 0; i < ops && !twin_hungry(); i++) {
		const struct key *k = &f->keys[twin_below(known)];

		switch (twin_below(16)) {
		case 0 ... 7:
			op_get(f, k);
			break;
		case 8 ... 10:
			op_find(f, k);
			break;
		case 11 ... 13:
			op_del(f, k);
			break;
		case 14:
			if (twin_below(3))
				op_foreach(f, twin_below(2));
			else
				op_walk(f);
			break;
		default:
			if (twin_below(8))
				break;
			prt_map_clear(&f->ref);
			list_clear(f);
		}
	}
	op_foreach(f, false);
	CHECK(f->ref.m->lost == f->lost, "%llu elements lost, not %llu", f->ref.m->lost, f->lost);
	list_clear(f);
	for (i = 0; i < known; i++)
		free_key(f, &f->keys[i]);
	machine_close();
	free(f);
}

TWIN_TEST(map)
{
	u64 i;

	for (i = 0; i < twin_rounds(300); i++)
		twin_array(400);
}

static void check_no_chains(const struct prt_map *m)
{
	u32 i;

	CHECK(!m->count && !m->used && !m->oldest, "not empty");
	for (i = 0; i < m->t->nheads; i++)
		CHECK(prt_map_first_index(&m->look, i) > PRT_MAP_MAX, "chain %u is not empty", i);
}

/* Fills @ref with @n elements and removes some of them, and clears it. Returns how many heads the
 * clear changed. */
static u32 fill_and_clear(struct prt_ctx *c, struct prt_map_ref *ref, u64 n)
{
	u32 nheads = ref->m->t->nheads, changed = 0, i;
	u32 *before = malloc(nheads * sizeof(*before));

	for (; n; n--) {
		CHECK(prt_map_get_l(c, ref, (s64)twin_below(5 * nheads), 1), "no room");
		if (twin_below(4) == 0)
			prt_map_del_l(ref, (s64)twin_below(5 * nheads));
	}
	memcpy(before, ref->m->look.heads, nheads * sizeof(*before));
	prt_map_clear(ref);
	for (i = 0; i < nheads; i++)
		changed += before[i] != ref->m->look.heads[i];
	free(before);
	check_no_chains(ref->m);
	return changed;
}

/* After a clear, each chain is empty, however many elements there were and had been removed, and
 * after more clears than a head has rounds. A clear writes a small part of the heads only. */
static void clear_many(u32 size, u64 rounds)
{
	static struct prt_probe probe;
	struct prt_map_ref ref;
	struct prt_global g = { .name = "a", .kind = PRT_G_MAP, .where = &ref, .nkeys = 1,
				.size = size };
	u64 round;

	twin_script.probes = &probe;
	twin_script.nprobes = twin_script.nglobals = 1;
	twin_script.globals = &g;
	CHECK(machine_open(0) == 0, "no session");
	for (round = 0; round < rounds; round++) {
		u64 n = twin_below(3) ? twin_below(size / 12 + 1) : twin_below(size + 1);
		u32 changed = fill_and_clear(machine_context(0, 0), &ref, n);

		CHECK(changed <= ref.m->t->nheads / PRT_MAP_ROUNDS + 1,
		      "%u heads of %u were written", changed, ref.m->t->nheads);
	}
	machine_close();
}

TWIN_TEST(map_clear)
{
	clear_many(1, twin_rounds(600));
	clear_many(5, twin_rounds(600));
	clear_many(1000, twin_rounds(600));
	clear_many(40000, twin_rounds(300));
}

/* An array that is full of keys of the mean length can reuse each element's memory, whatever was
 * there before: keymem.h promises this. */
TWIN_TEST(map_keymem)
{
	static struct prt_probe probe;
	struct prt_map_ref ref;
	struct prt_global g = { .name = "a", .kind = PRT_G_MAP, .where = &ref, .nkeys = 1,
				.key_string = { 1 }, .size = 50, .full_fails = 1 };
	u64 round, i;

	twin_script.probes = &probe;
	twin_script.nprobes = twin_script.nglobals = 1;
	twin_script.globals = &g;
	CHECK(machine_open(0) == 0, "no session");
	for (round = 0; round < twin_rounds(200); round++) {
		struct prt_ctx *c = machine_context(0, 0);
		char key[512];

		for (i = 0; i < 50; i++) {
			twin_bytes(key, sizeof(key));
			memcpy(key, &i, sizeof(i));
			prt_map_get_s(c, &ref, (struct prt_str){ key, 33 + twin_below(478) }, 1);
		}
		while (ref.m->count) {
			struct prt_element *e = prt_map_element(ref.m, ref.m->oldest);

			memcpy(key, prt_map_key(ref.m, e), e->klen);
			prt_map_del_s(&ref, (struct prt_str){ key, e->klen });
		}
		c->err = 0;
		for (i = 0; i < 50; i++) {
			memset(key, (char)i, PRT_KEY_MEAN);
			prt_map_get_s(c, &ref, (struct prt_str){ key, PRT_KEY_MEAN }, 1);
			CHECK(!c->err, "key %llu of 50 had no room", i);
		}
		prt_map_clear(&ref);
	}
	machine_close();
}
