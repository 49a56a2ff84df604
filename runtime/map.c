/* SPDX-License-Identifier: GPL-2.0 */
/* Arrays: hash, elements, keys, merging. map.h has the theory. */
#include <linux/kprobes.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "aggregate.h"
#include "context.h"
#include "grow.h"
#include "map.h"
#include "session.h"

/* ---- keys ---- */

struct map_key {
	const char *s;
	u32 len;
	u32 hash;
};

/* ---- elements ---- */

static struct prt_element *spare_element(const struct prt_map *m)
{
	return prt_map_element(m, m->t->capacity + 1);
}
NOKPROBE_SYMBOL(spare_element);

bool prt_map_has_hist(const struct prt_map *m, u32 nr)
{
	struct prt_stat *st = prt_map_value(m, prt_map_element(m, nr));

	if (m->t->hists && !st->hist)
		st->hist = prt_hists_take(m->t->hists);
	return !m->t->hists || st->hist;
}
NOKPROBE_SYMBOL(prt_map_has_hist);

/* The first of the hash's chain; 0: none. */
static __always_inline u32 first_nr(const struct prt_map *m, u32 hash)
{
	u32 index = prt_map_first_index(&m->look, hash);

	return index <= PRT_MAP_MAX ? index + 1 : 0;
}

static __always_inline void set_first(struct prt_map *m, u32 hash, u32 nr)
{
	m->look.heads[hash & m->look.mask] = nr | m->look.round;
}

static __always_inline struct prt_element *find_long(const struct prt_map *m, s64 key, u32 hash)
{
	u32 nr = first_nr(m, hash);

	while (nr) {
		struct prt_element *e = prt_map_element(m, nr);

		if (*(s64 *)e->key == key)
			return e;
		nr = e->next;
	}
	return NULL;
}

static struct prt_element *find_bytes(const struct prt_map *m, const struct map_key *k)
{
	u32 nr = first_nr(m, k->hash);

	while (nr) {
		struct prt_element *e = prt_map_element(m, nr);

		if (e->hash == k->hash && e->klen == k->len &&
		    prt_bytes_equal(prt_map_key(m, e), k->s, k->len))
			return e;
		nr = e->next;
	}
	return NULL;
}
NOKPROBE_SYMBOL(find_bytes);

static void unchain(struct prt_map *m, const struct prt_element *e, u32 nr)
{
	u32 first = first_nr(m, e->hash), *link;

	if (first == nr) {
		set_first(m, e->hash, e->next);
		return;
	}
	link = &prt_map_element(m, first)->next;
	while (*link != nr)
		link = &prt_map_element(m, *link)->next;
	*link = e->next;
}
NOKPROBE_SYMBOL(unchain);

static void remove_entry(struct prt_map *m, struct prt_element *e)
{
	u32 nr = (u32)(((char *)e - m->look.elements) / m->t->stride) + 1;

	unchain(m, e, nr);
	*(e->older ? &prt_map_element(m, e->older)->newer : &m->oldest) = e->newer;
	*(e->newer ? &prt_map_element(m, e->newer)->older : &m->newest) = e->older;
	if (e->klen > PRT_KEY_INLINE)
		prt_keymem_put(&m->keymem, *(u32 *)e->key, e->klen);
	if (m->t->blocks)
		prt_stat_put_blocks(prt_map_value(m, e));
	e->live = 0;
	e->next = m->free;
	m->free = nr;
	m->count--;
}
NOKPROBE_SYMBOL(remove_entry);

/* Few elements of a large table are cleared one by one. */
static void clear_heads(struct prt_map *m)
{
	u32 part = max(m->t->nheads / PRT_MAP_ROUNDS, 1u), parts = m->t->nheads / part, nr;

	if (m->used < part / PRT_CLEAR_SPARSE) {
		for (nr = 1; nr <= m->used; nr++)
			set_first(m, prt_map_element(m, nr)->hash, 0);
		return;
	}
	m->look.round += 1u << PRT_MAP_NR_BITS;
	m->zeroed = (m->zeroed + 1) & (parts - 1);
	memset(m->look.heads + m->zeroed * part, 0, part * sizeof(*m->look.heads));
}
NOKPROBE_SYMBOL(clear_heads);

static void remove_all(struct prt_map *m)
{
	clear_heads(m);
	prt_keymem_clear(&m->keymem);
	if (m->t->blocks)
		prt_map_pool(m)->used = prt_map_pool(m)->free = 0;
	m->count = m->used = m->free = 0;
	m->oldest = m->newest = 0;
}
NOKPROBE_SYMBOL(remove_all);

/* Little memory is left for elements or for long keys. Hits, and the thread with locks, have
 * interrupts off. */
static noinline void get_more(struct prt_map *m)
{
	if (raw_irqs_disabled())
		prt_grow_ask();
	else
		prt_map_grow(m);
}
NOKPROBE_SYMBOL(get_more);

/* Whether there is memory for an element after m->used, when little is left. */
static noinline bool has_another(struct prt_map *m)
{
	if (m->low < m->has.elements)
		get_more(m);
	return m->used < m->has.elements;
}
NOKPROBE_SYMBOL(has_another);

/* The element that the next key gets. */
static u32 next_entry(const struct prt_map *m)
{
	return m->free ? m->free : m->used + 1;
}
NOKPROBE_SYMBOL(next_entry);

/* Returns the number of a free element and, for a long key, its block; the oldest elements are
 * dropped if the array wraps, and all of them if long keys among short ones leave no room
 * otherwise. */
static u32 take_entry(struct prt_map *m, u32 klen, u32 *block)
{
	bool wrap = m->t->global->wrap;
	u32 drops = 0, nr;

	if (wrap && m->count == m->t->capacity)
		remove_entry(m, prt_map_element(m, m->oldest));
	if (!m->free && m->used >= m->low && !has_another(m))
		return 0;
	if (klen > PRT_KEY_INLINE) {
		while ((*block = prt_keymem_get(&m->keymem, klen)) == PRT_KEYMEM_FULL) {
			if (!wrap || !m->count)
				return 0;
			if (drops++ == PRT_KEY_DROPS)
				remove_all(m);
			else
				remove_entry(m, prt_map_element(m, m->oldest));
		}
		if (unlikely(m->keymem.used >= m->keymem.low))
			get_more(m);
	}
	nr = next_entry(m);
	if (!prt_map_has_hist(m, nr)) {
		if (klen > PRT_KEY_INLINE)
			prt_keymem_put(&m->keymem, *block, klen);
		return 0;
	}
	if (m->free)
		m->free = prt_map_element(m, nr)->next;
	else
		m->used = nr;
	return nr;
}

static void zero_value(const struct prt_map *m, struct prt_element *e)
{
	void *v = prt_map_value(m, e);

	if (m->t->global->value == PRT_G_STRING)
		((struct prt_strbuf *)v)->len = 0;
	else if (m->t->global->value == PRT_G_STAT)
		prt_stat_empty(v, &m->t->global->stat);
	else
		memset(v, 0, m->t->value_size);
	if (m->t->blocks && e->live)
		prt_stat_set_pool(v, prt_map_pool(m));
}

/* Inserts an element whose key the caller writes. NULL: the map is full. */
static struct prt_element *insert(struct prt_map *m, u32 hash, u32 klen, u32 srcloc)
{
	u32 block = 0, nr = take_entry(m, klen, &block);
	struct prt_element *e;

	if (!nr)
		return NULL;
	e = prt_map_element(m, nr);
	e->hash = hash;
	e->klen = klen;
	e->live = 1;
	e->seq = m->seq++;
	if (klen > PRT_KEY_INLINE)
		*(u32 *)e->key = block;
	e->next = first_nr(m, hash);
	set_first(m, hash, nr);
	e->older = m->newest;
	e->newer = 0;
	*(m->newest ? &prt_map_element(m, m->newest)->newer : &m->oldest) = nr;
	m->newest = nr;
	m->count++;
	m->srcloc = srcloc & ~PRT_FULL_FAILS;
	zero_value(m, e);
	return e;
}
NOKPROBE_SYMBOL(insert);

/* The words after the number of elements in the text of the error. */
static const char * const full_words[] = {
	[PRT_SHORT_NOT] = " elements",
	[PRT_SHORT_MEMORY] = " elements, no memory for more",
	[PRT_SHORT_LIMIT] = " elements, the session's limit of memory",
	[PRT_SHORT_TIME] = " elements, too fast to make room for more",
};

static void full(struct prt_ctx *c, const struct prt_map *m, u32 srcloc, u8 why)
{
	char text[128];
	u32 len = strnlen(m->t->global->name, 64), digits = 1, i, more = strlen(full_words[why]);
	u32 n = why ? m->count : m->t->capacity;

	memcpy(text, m->t->global->name, len);
	text[len++] = ',';
	text[len++] = ' ';
	for (i = n; i >= 10; i /= 10)
		digits++;
	for (i = digits; i--; n /= 10)
		text[len + i] = '0' + n % 10;
	len += digits;
	memcpy(text + len, full_words[why], more);
	prt_error(c, PRT_E_ARRAY_FULL, srcloc, (struct prt_str){ text, len + more });
}
NOKPROBE_SYMBOL(full);

/* Returns memory for the value of a new element that does not fit, or NULL with an error. */
static void *no_room(struct prt_ctx *c, struct prt_map *m, u32 srcloc)
{
	struct prt_element *spare = spare_element(m);
	u8 why = prt_map_short(m);

	if (why)
		WRITE_ONCE(m->late, why);
	if (m->t->global->full_fails || srcloc & PRT_FULL_FAILS) {
		full(c, m, srcloc & ~PRT_FULL_FAILS, why);
		return NULL;
	}
	WRITE_ONCE(m->lost_srcloc, srcloc);
	WRITE_ONCE(m->lost, m->lost + 1);
	WRITE_ONCE(prt_cpu_of(c)->not_stored, prt_cpu_of(c)->not_stored + 1);
	zero_value(m, spare);
	return prt_map_value(m, spare);
}
NOKPROBE_SYMBOL(no_room);

/* ---- interface of scripts ---- */

/* The inlined part of a get looks at the head of the chain, where most keys are found, and needs no
 * registers across a call. The rest is here. */
static noinline void *get_long(struct prt_ctx *c, struct prt_map *m, s64 key, u32 hash, u32 srcloc)
{
	struct prt_element *e = find_long(m, key, hash);

	if (!e) {
		e = insert(m, hash, sizeof(key), srcloc);
		if (!e)
			return no_room(c, m, srcloc);
		*(s64 *)e->key = key;
	}
	return prt_map_value(m, e);
}
NOKPROBE_SYMBOL(get_long);

void *prt_map_get_l(struct prt_ctx *c, struct prt_map_ref *r, s64 key, u32 srcloc)
{
	struct prt_map *m = r->m;
	u32 hash = prt_hash_long(&m->look, key);
	struct prt_element *e;

	if (likely(prt_map_first(&m->look, hash, &e) && *(s64 *)e->key == key))
		return e->key + sizeof(key);
	return get_long(c, m, key, hash, srcloc);
}
NOKPROBE_SYMBOL(prt_map_get_l);

void *prt_map_get_k(struct prt_ctx *c, struct prt_map_ref *r, const void *key, u32 len, u32 srcloc)
{
	struct prt_map *m = r->m;
	struct map_key k = { key, len, prt_hash_bytes(&m->look, key, len) };
	struct prt_element *e = find_bytes(m, &k);

	if (!e) {
		e = insert(m, k.hash, len, srcloc);
		if (!e)
			return no_room(c, m, srcloc);
		if (len < 8)
			memset(e->key, 0, 8);
		memcpy((char *)prt_map_key(m, e), key, len);
	}
	return prt_map_value(m, e);
}
NOKPROBE_SYMBOL(prt_map_get_k);

/* prt_map_get_text() for any length. */
static noinline void *get_text(struct prt_ctx *c, struct prt_map *m, u32 srcloc, u32 len,
			       const char *s)
{
	struct prt_map_ref r = { m };

	return prt_map_get_k(c, &r, s, len, srcloc);
}
NOKPROBE_SYMBOL(get_text);

static noinline void *get_word(struct prt_ctx *c, struct prt_map *m, u32 srcloc, u32 len,
			       const char *s)
{
	void *value;

	if (prt_map_find_word(&m->look, len, prt_load_word(s, len), &value))
		return value;
	return get_text(c, m, srcloc, len, s);
}
NOKPROBE_SYMBOL(get_word);

static noinline void *get_words(struct prt_ctx *c, struct prt_map *m, u32 srcloc, u32 len,
				const char *s)
{
	const struct prt_map_look *l = &m->look;
	u64 first = prt_load8(s), last = prt_load8(s + len - 8);
	u64 hash = prt_hash_word(prt_hash_word(prt_hash_start(l->seed, len), first), last);
	struct prt_element *e;

	if (prt_map_first(l, prt_hash_mix(hash), &e) &&
	    likely(e->klen == len && prt_load8(e->key) == first &&
		   prt_load8(e->key + len - 8) == last))
		return (char *)e + l->value_at;
	return get_text(c, m, srcloc, len, s);
}
NOKPROBE_SYMBOL(get_words);

/* Most keys have 4 to 16 bytes and are at the head of their chain. They are found without moving
 * registers and saving many: each of these functions ends with the call of another one. */
void *prt_map_get_text(struct prt_ctx *c, struct prt_map *m, u32 srcloc, u32 len, const char *s)
{
	if (likely(len - 4 <= 4))
		return get_word(c, m, srcloc, len, s);
	if (likely(len - 8 <= 8))
		return get_words(c, m, srcloc, len, s);
	return get_text(c, m, srcloc, len, s);
}
NOKPROBE_SYMBOL(prt_map_get_text);

void *prt_map_get_s(struct prt_ctx *c, struct prt_map_ref *r, struct prt_str key, u32 srcloc)
{
	return prt_map_get_text(c, r->m, srcloc, key.len, key.s);
}
NOKPROBE_SYMBOL(prt_map_get_s);

void *prt_map_get_long_name(struct prt_ctx *c, struct prt_map *m, u32 srcloc, const char *name)
{
	u64 words[2];
	u32 len;

	words[0] = READ_ONCE(*(const u64 *)name);
	words[1] = READ_ONCE(*(const u64 *)(name + 8));
	len = prt_word_strlen(words[0]);
	if (len == 8)
		len += prt_word_strlen(words[1]);
	return prt_map_get_text(c, m, srcloc, len, (const char *)words);
}
NOKPROBE_SYMBOL(prt_map_get_long_name);

static noinline char *long_key_str(char *p, struct prt_str s)
{
	memcpy(p + 2, s.s, s.len);
	return p + 2 + s.len;
}
NOKPROBE_SYMBOL(long_key_str);

char *prt_key_str(char *p, struct prt_str s)
{
	u16 len = (u16)s.len;

	__builtin_memcpy(p, &len, 2);
	if (likely(prt_copy_short(p + 2, s.s, s.len)))
		return p + 2 + s.len;
	return long_key_str(p, s);
}
NOKPROBE_SYMBOL(prt_key_str);

void *prt_map_find_l(struct prt_map_ref *r, s64 key)
{
	struct prt_element *e = find_long(r->m, key, prt_hash_long(&r->m->look, key));

	return e ? prt_map_value(r->m, e) : NULL;
}
NOKPROBE_SYMBOL(prt_map_find_l);

void *prt_map_find_k(struct prt_map_ref *r, const void *key, u32 len)
{
	struct map_key k = { key, len, prt_hash_bytes(&r->m->look, key, len) };
	struct prt_element *e = find_bytes(r->m, &k);

	return e ? prt_map_value(r->m, e) : NULL;
}
NOKPROBE_SYMBOL(prt_map_find_k);

void *prt_map_find_s(struct prt_map_ref *r, struct prt_str key)
{
	return prt_map_find_k(r, key.s, key.len);
}
NOKPROBE_SYMBOL(prt_map_find_s);

void prt_map_del_l(struct prt_map_ref *r, s64 key)
{
	struct prt_element *e = find_long(r->m, key, prt_hash_long(&r->m->look, key));

	if (e)
		remove_entry(r->m, e);
}
NOKPROBE_SYMBOL(prt_map_del_l);

void prt_map_del_k(struct prt_map_ref *r, const void *key, u32 len)
{
	struct map_key k = { key, len, prt_hash_bytes(&r->m->look, key, len) };
	struct prt_element *e = find_bytes(r->m, &k);

	if (e)
		remove_entry(r->m, e);
}
NOKPROBE_SYMBOL(prt_map_del_k);

void prt_map_del_s(struct prt_map_ref *r, struct prt_str key)
{
	prt_map_del_k(r, key.s, key.len);
}
NOKPROBE_SYMBOL(prt_map_del_s);

void prt_map_clear(struct prt_map_ref *r)
{
	if (r->m->used)
		remove_all(r->m);
}
NOKPROBE_SYMBOL(prt_map_clear);

/* ---- merging ---- */

static void merge_value(const struct prt_map *m, void *to, const void *from)
{
	if (m->t->global->value == PRT_G_LONG)
		*(s64 *)to = (s64)(*(u64 *)to + *(const u64 *)from);
	else
		prt_stat_merge(to, from, &m->t->global->stat);
}

/* Gives the next element a histogram, which a hit may not take any more. */
static void make_ready(const struct prt_map *m)
{
	u32 nr = next_entry(m);
	struct prt_stat *st = prt_map_value(m, prt_map_element(m, nr));

	if (nr <= m->has.elements && !st->hist)
		st->hist = prt_hists_take_to_merge(m->t->hists);
}

void prt_map_merge(struct prt_ctx *c, struct prt_map *to, struct prt_map *from)
{
	struct prt_map_ref ref = { to }, done = { from };
	u32 nr;

	for (nr = from->oldest; nr; nr = prt_map_element(from, nr)->newer) {
		struct prt_element *e = prt_map_element(from, nr);
		void *v;

		if (to->used >= to->low)
			prt_map_grow(to);
		if (to->t->hists)
			make_ready(to);
		if (from->t->kind == PRT_KEY_LONG)
			v = prt_map_get_l(c, &ref, *(s64 *)e->key, from->srcloc);
		else
			v = prt_map_get_k(c, &ref, prt_map_key(from, e), e->klen, from->srcloc);
		if (v)
			merge_value(from, v, prt_map_value(from, e));
		if (nr % PRT_WORK_AT_ONCE == 0)
			cond_resched();
	}
	prt_map_clear(&done);
}
