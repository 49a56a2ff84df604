/* SPDX-License-Identifier: GPL-2.0 */
/* Arrays: their layout, making and destroying them. map.h has the theory. */
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "aggregate.h"
#include "grow.h"
#include "map.h"
#include "memory.h"

/* The most bytes that the types of the keys allow. */
static u32 longest_key(const struct prt_global *g)
{
	u32 len = 0, i;

	for (i = 0; i < g->nkeys; i++)
		len += g->key_string[i] ? 2 + prt_script.maxstringlen : 8;
	return len;
}

/* The most bytes that the script's own keys can have. */
static u32 longest_stored(const struct prt_global *g)
{
	u32 len = longest_key(g);

	return g->key_bytes ? min(g->key_bytes, len) : len;
}

static u32 value_size(const struct prt_global *g)
{
	if (g->value == PRT_G_LONG)
		return sizeof(s64);
	if (g->value == PRT_G_STRING)
		return sizeof(struct prt_strbuf) + prt_script.maxstringlen;
	return sizeof(struct prt_stat);
}

void prt_map_type_init(struct prt_map_type *t, const struct prt_global *g, struct prt_hists *hists)
{
	u32 longest = longest_stored(g);
	u64 size, keymem = 0;

	memset(t, 0, sizeof(*t));
	t->global = g;
	t->hists = g->value == PRT_G_STAT && g->stat.buckets ? hists : NULL;
	t->capacity = g->size ? g->size : prt_script.maxmapentries;
	t->nheads = roundup_pow_of_two(clamp_t(u32, t->capacity, 1, PRT_MAP_MAX));
	t->kind = g->nkeys > 1 ? PRT_KEY_PACKED : g->key_string[0] ? PRT_KEY_STR : PRT_KEY_LONG;
	t->key_max = t->kind == PRT_KEY_LONG ? 8 :
		     ALIGN(min_t(u32, longest_key(g), PRT_KEY_INLINE), 8);
	t->value_at = sizeof(struct prt_element) + t->key_max;
	t->value_size = value_size(g);
	t->stride = ALIGN(t->value_at + t->value_size, 8);
	get_random_bytes(&t->seed, sizeof(t->seed));

	size = ALIGN(t->nheads * sizeof(u32), 64);
	t->elements_at = size;
	size += ((u64)t->capacity + 1) * t->stride;
	t->keymem_at = size;
	if (longest > PRT_KEY_INLINE)
		keymem = max_t(u64, (u64)t->capacity * min_t(u32, PRT_KEY_MEAN,
				      roundup_pow_of_two(max_t(u32, longest, PRT_KEY_BLOCK))),
				      roundup_pow_of_two(longest));
	size += keymem;
	t->holes_at = size;
	size += keymem <= U32_MAX ? prt_keymem_holes(keymem) : 0;
	if (g->value == PRT_G_STAT && g->stat.ops & PRT_STAT_HIST_EXP) {
		size = ALIGN(size, 8);
		t->pool_at = size;
		t->blocks = PRT_EXP_POOL + PRT_EXP_PER_ELEMENT * clamp_t(u32, t->capacity, 1,
									 PRT_MAP_MAX);
		size += prt_stat_pool_size(&g->stat, t->blocks);
	}
	t->bytes = sizeof(struct prt_map) + PAGE_ALIGN(size);
	t->keymem_size = keymem;
	t->key_least = keymem ? roundup_pow_of_two(longest) : 0;
	if (size <= U32_MAX / 2 && t->capacity && t->capacity <= PRT_MAP_MAX && g->nkeys &&
	    g->nkeys <= PRT_KEYS_MAX && longest <= (u32)PRT_KEY_BLOCK << (PRT_KEY_CLASSES - 1))
		t->size = size;
	prt_grow_first(t);
}

static bool grows(const struct prt_map_type *t, bool in_bank)
{
	return in_bank ? t->grows : t->grows_alone;
}

u64 prt_map_memory(const struct prt_map_type *t, bool in_bank)
{
	return grows(t, in_bank) ? t->first_bytes : t->bytes;
}

/* Allocates the memory of a map, all of it. NULL: there is none. */
static char *all_memory(struct prt_map *m, int node)
{
	m->has = (struct prt_map_room){ m->t->capacity, m->t->keymem_size, m->t->blocks };
	return prt_alloc_pages(m->t->size, node);
}

static bool add_to_hists(struct prt_map *m)
{
	/* The spare element has one as well. */
	return !prt_hists_add_copy(m->t->hists, m->t->capacity + 1) &&
	       prt_map_has_hist(m, m->t->capacity + 1);
}

struct prt_map *prt_map_create(struct prt_map_type *t, int node, bool in_bank)
{
	struct prt_map *m = prt_alloc(1, sizeof(*m), node);
	char *p;

	if (!m)
		return NULL;
	m->t = t;
	m->in_bank = in_bank;
	p = grows(t, in_bank) ? prt_grow_begin(m, node) : all_memory(m, node);
	if (!p) {
		kvfree(m);
		return NULL;
	}
	m->look.mask = t->nheads - 1;
	m->look.seed = t->seed;
	m->look.stride = t->stride;
	m->look.value_at = t->value_at;
	prt_map_place(m, p);
	prt_map_allow(m);
	if (t->hists && !add_to_hists(m)) {
		prt_map_destroy(m);
		return NULL;
	}
	return m;
}

void prt_map_place(struct prt_map *m, char *p)
{
	WRITE_ONCE(m->look.heads, (u32 *)p);
	WRITE_ONCE(m->look.elements, p + m->t->elements_at);
	WRITE_ONCE(m->keymem.data, p + m->t->keymem_at);
	WRITE_ONCE(m->keymem.holes, (u8 *)p + m->t->holes_at);
}

void prt_map_destroy(struct prt_map *m)
{
	if (!m)
		return;
	if (m->area.pages)
		prt_area_deinit(&m->area);
	else
		prt_free_pages(m->look.heads, m->t->size);
	kvfree(m);
}
