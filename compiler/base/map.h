/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hash table of the compiler, in an arena. A map's keys are strings or numbers, not both.
 * Iteration is in order of insertion, so output is stable.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

struct map_item {
	union {
		const char *key; /* the caller's pointer, not copied */
		uint64_t number;
	};
	void *value;
	struct map_item *next_in_bucket, *next; /* next: insertion order */
};

struct map {
	struct arena *arena;
	struct map_item **buckets;
	size_t nbuckets, n;
	bool numbers;    /* whether its keys are numbers */
	struct map_item *first, *last;
};

/** map_init - an empty map, whose memory is @a's. */
void map_init(struct map *m, struct arena *a);
/** map_get - the value of @key, or NULL. */
void *map_get(const struct map *m, const char *key);
/** map_set - insert or replace a value; @key must outlive the map. */
void map_set(struct map *m, const char *key, void *value);
/** map_get_number, map_set_number - the same for a map whose keys are numbers. */
void *map_get_number(const struct map *m, uint64_t number);
void map_set_number(struct map *m, uint64_t number, void *value);

#define map_each(it, m) for (struct map_item *it = (m)->first; it; it = it->next)

#endif
