/* SPDX-License-Identifier: GPL-2.0 */
/* Chained hashing over strings; grows at load 1. */
#include "base/map.h"

#include <stdint.h>
#include <string.h>

#include "base/hash.h"

void map_init(struct map *m, struct arena *a)
{
	memset(m, 0, sizeof(*m));
	m->arena = a;
}

static struct map_entry *find(const struct map *m, const char *key)
{
	if (!m->nbuckets)
		return NULL;
	for (struct map_entry *e = m->buckets[hash_name(key) & (m->nbuckets - 1)]; e;
	     e = e->next_in_bucket)
		if (!strcmp(e->key, key))
			return e;
	return NULL;
}

void *map_get(const struct map *m, const char *key)
{
	struct map_entry *e = find(m, key);

	return e ? e->value : NULL;
}

static void link_in(struct map *m, struct map_entry *e)
{
	struct map_entry **b = &m->buckets[hash_name(e->key) & (m->nbuckets - 1)];

	e->next_in_bucket = *b;
	*b = e;
}

static void grow(struct map *m)
{
	m->nbuckets = m->nbuckets ? m->nbuckets * 2 : 16;
	m->buckets = arena_alloc(m->arena, m->nbuckets * sizeof(struct map_entry *));
	map_each(e, m)
		link_in(m, e);
}

void map_set(struct map *m, const char *key, void *value)
{
	struct map_entry *e = find(m, key);

	if (e) {
		e->value = value;
		return;
	}
	if (m->n >= m->nbuckets)
		grow(m);
	e = NEW(m->arena, struct map_entry);
	e->key = key;
	e->value = value;
	link_in(m, e);
	if (m->last)
		m->last->next = e;
	else
		m->first = e;
	m->last = e;
	m->n++;
}
