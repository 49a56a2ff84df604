/* SPDX-License-Identifier: GPL-2.0 */
/* String-keyed hash map in an arena; iteration is in order of insertion, so output is stable. */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "base/arena.h"

struct map_entry {
	const char *key; /* the caller's pointer, not copied */
	void *value;
	struct map_entry *next_in_bucket, *next; /* next: insertion order */
};

struct map {
	struct arena *arena;
	struct map_entry **buckets;
	size_t nbuckets, n;
	struct map_entry *first, *last;
};

/** map_init - an empty map that allocates from @a and is never freed by itself. */
void map_init(struct map *m, struct arena *a);
/** map_get - the value of @key, or NULL. */
void *map_get(const struct map *m, const char *key);
/** map_set - insert or replace; @key must outlive the map. */
void map_set(struct map *m, const char *key, void *value);

#define map_each(it, m) for (struct map_entry *it = (m)->first; it; it = it->next)

#endif
