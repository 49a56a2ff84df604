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

static uint32_t hash_number(uint64_t number)
{
	return hash_bytes((const char *)&number, sizeof(number));
}

static struct map_item *item_of(const struct map *m, const char *key)
{
	if (!m->nbuckets)
		return NULL;
	for (struct map_item *e = m->buckets[hash_name(key) & (m->nbuckets - 1)]; e;
	     e = e->next_in_bucket)
		if (strcmp(e->key, key) == 0)
			return e;
	return NULL;
}

static struct map_item *find_number(const struct map *m, uint64_t number)
{
	if (!m->nbuckets)
		return NULL;
	for (struct map_item *e = m->buckets[hash_number(number) & (m->nbuckets - 1)]; e;
	     e = e->next_in_bucket)
		if (e->number == number)
			return e;
	return NULL;
}

void *map_get(const struct map *m, const char *key)
{
	struct map_item *e = item_of(m, key);

	return e ? e->value : NULL;
}

void *map_get_number(const struct map *m, uint64_t number)
{
	struct map_item *e = find_number(m, number);

	return e ? e->value : NULL;
}

static void link_in(struct map *m, struct map_item *e)
{
	uint32_t hash = m->numbers ? hash_number(e->number) : hash_name(e->key);
	struct map_item **b = &m->buckets[hash & (m->nbuckets - 1)];

	e->next_in_bucket = *b;
	*b = e;
}

static void grow(struct map *m)
{
	m->nbuckets = m->nbuckets ? m->nbuckets * 2 : 16;
	m->buckets = arena_alloc(m->arena, m->nbuckets * sizeof(struct map_item *));
	map_each(e, m)
		link_in(m, e);
}

static void add(struct map *m, struct map_item key)
{
	struct map_item *e = NEW(m->arena, struct map_item);

	if (m->n >= m->nbuckets)
		grow(m);
	*e = key;
	link_in(m, e);
	if (m->last)
		m->last->next = e;
	else
		m->first = e;
	m->last = e;
	m->n++;
}

void map_set(struct map *m, const char *key, void *value)
{
	struct map_item *e = item_of(m, key);

	if (e)
		e->value = value;
	else
		add(m, (struct map_item){ .key = key, .value = value });
}

void map_set_number(struct map *m, uint64_t number, void *value)
{
	struct map_item *e = find_number(m, number);

	m->numbers = true;
	if (e)
		e->value = value;
	else
		add(m, (struct map_item){ .number = number, .value = value });
}
