/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sets of names. A kernel has more than 100000 symbols and a script asks for a few of them, so
 * filling the table must be cheap: open addressing over the text as it was read, no copy, no
 * sorting. Only what a pattern matches is copied and sorted.
 */
#include "kernel/nameset.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/vec.h"

static struct nameset_slot *new_slots(size_t n)
{
	struct nameset_slot *slots = calloc(n, sizeof(*slots));
	if (!slots) {
		fputs("probec: out of memory\n", stderr);
		exit(1);
	}
	return slots;
}

void nameset_init(struct nameset *t, size_t expected)
{
	t->nslots = 64;
	while (t->nslots < expected + expected / 2)
		t->nslots *= 2;
	t->n = 0;
	t->slots = new_slots(t->nslots);
}

void nameset_deinit(struct nameset *t)
{
	free(t->slots);
	*t = (struct nameset){0};
}

static struct nameset_slot *find_slot(const struct nameset *t, const char *name, size_t len,
				      uint32_t hash)
{
	size_t i = hash & (t->nslots - 1);
	for (;; i = (i + 1) & (t->nslots - 1)) {
		struct nameset_slot *slot = &t->slots[i];
		if (!slot->name || (slot->hash == hash && slot->len == len &&
				    memcmp(slot->name, name, len) == 0))
			return slot;
	}
}

static void grow(struct nameset *t)
{
	struct nameset bigger = { .nslots = t->nslots * 2, .n = t->n };
	bigger.slots = new_slots(bigger.nslots);
	for (size_t i = 0; i < t->nslots; i++) {
		const struct nameset_slot *old = &t->slots[i];
		if (old->name)
			*find_slot(&bigger, old->name, old->len, old->hash) = *old;
	}
	free(t->slots);
	*t = bigger;
}

void nameset_add(struct nameset *t, const char *name, size_t len)
{
	if (len == 0 || len > UINT16_MAX)
		return;
	if (t->n + 1 > t->nslots / 4 * 3)
		grow(t);
	uint32_t hash = hash_bytes(name, len);
	struct nameset_slot *slot = find_slot(t, name, len, hash);
	if (!slot->name) {
		*slot = (struct nameset_slot){ .name = name, .hash = hash, .len = (uint16_t)len };
		t->n++;
	}
	if (slot->count < UINT16_MAX)
		slot->count++;
}

unsigned nameset_count(const struct nameset *t, const char *name)
{
	size_t len = strlen(name);
	if (!t->nslots || len == 0)
		return 0;
	return find_slot(t, name, len, hash_bytes(name, len))->count;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

size_t nameset_match(const struct nameset *t, struct arena *a, const char *pattern,
		   const char *const **ret)
{
	VEC(const char *) found = {0};
	size_t fixed = strcspn(pattern, "*?[\\");
	for (size_t i = 0; i < t->nslots; i++) {
		const struct nameset_slot *slot = &t->slots[i];
		char text[512];
		if (!slot->name || slot->len < fixed || slot->len >= sizeof(text) ||
		    memcmp(slot->name, pattern, fixed) != 0)
			continue;
		memcpy(text, slot->name, slot->len);
		text[slot->len] = '\0';
		if (fnmatch(pattern + fixed, text + fixed, 0) == 0)
			vec_push(a, &found, arena_strndup(a, text, slot->len));
	}
	if (found.n)
		qsort(found.v, found.n, sizeof(*found.v), compare_names);
	*ret = found.v;
	return found.n;
}

size_t nameset_of_length(const struct nameset *t, struct arena *a, size_t min, size_t max,
		       const char *const **ret)
{
	VEC(const char *) found = {0};
	for (size_t i = 0; i < t->nslots; i++) {
		const struct nameset_slot *slot = &t->slots[i];
		if (slot->name && slot->len >= min && slot->len <= max)
			vec_push(a, &found, arena_strndup(a, slot->name, slot->len));
	}
	*ret = found.v;
	return found.n;
}
