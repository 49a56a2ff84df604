/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Arrays. A map is one allocation made at SETUP: a hash table with chains, `capacity` elements of
 * one size, and a keymem for keys that are longer than an element holds. Nothing is allocated
 * afterwards, so that all of it may be called in any context that owns the map: the CPU of its
 * bank, the holder of its lock, or the thread.
 *
 *   heads    capacity rounded up to a power of two: numbers of elements, each with the round in
 *            which it was written (PRT_MAP_NR_BITS and above). A head of another round is empty
 *   entries  header, key (a long in place; else up to PRT_KEY_INLINE bytes, or the place in the
 *            keymem), value. Numbers count from 1; 0 is none
 *   keymem   long keys (keymem.h). Its size is PRT_KEY_MEAN bytes an element, unless no key can be
 *            so long; a map whose keymem is used up is full
 *
 * One element more than `capacity` is the spare. A new element that finds no room is written there,
 * to be forgotten, unless that is an error: so emitted code need not ask, and the session goes on.
 * Such elements are counted, in the map and on the context.
 *
 * To clear a map is to begin a new round, which a hit may do, with interrupts off, whatever the
 * size. Each such clear zeros one of PRT_MAP_ROUNDS parts of the heads, in turn, so no head has the
 * number of a round when it is used again.
 *
 * Elements are chained in the order of insertion as well: foreach without sorting, and `%` arrays,
 * which drop the oldest. `seq` counts insertions, so that an iterator recognises an element whose
 * memory was used again.
 */
#ifndef PRT_MAP_H
#define PRT_MAP_H

#include <linux/types.h>

#include "keymem.h"
#include "bytes.h"
#include "limits.h"
#include "abi/script.h"

enum prt_key_kind { PRT_KEY_LONG, PRT_KEY_STR, PRT_KEY_PACKED };

/* The properties that all instances of a global array share. */
struct prt_map_type {
	const struct prt_global *global;
	u32 capacity, nheads;
	u32 stride;            /* bytes of an element */
	u32 key_max;          /* bytes of the key in it */
	u32 value_at, value_size;
	u32 keymem_size;
	/* offsets in the allocation, which begins with the heads, and its size; 0: it can't be
	 * counted */
	u32 entries_at, keymem_at, holes_at, size;
	u64 bytes;             /* of a map, whether it can be counted or not */
	u32 seed;
	u8 kind;               /* enum prt_key_kind */
};

/* A number of an element has so many bits. */
#define PRT_MAP_NR_BITS 25
#define PRT_MAP_ROUNDS (1u << (32 - PRT_MAP_NR_BITS))

/* The fields of a map that a lookup needs. */
struct prt_map_look {
	u32 *heads;
	char *entries;
	u32 mask;              /* of a hash: which head */
	u32 seed;
	u32 stride;            /* bytes of an element */
	u32 value_at;          /* in it */
	u32 round;             /* above PRT_MAP_NR_BITS */
};

struct prt_element {
	u32 next;              /* chain of the hash; free list */
	u32 older, newer;
	u32 hash;
	u32 seq;
	u16 klen;
	u16 live;
	char key[];
};

static __always_inline u32 prt_hash_mix(u64 h)
{
	h *= 0x9e3779b97f4a7c15ull;
	return h >> 32;
}

static __always_inline u32 prt_hash_long(const struct prt_map_look *l, s64 key)
{
	return prt_hash_mix((u64)key + l->seed);
}

static __always_inline u32 prt_hash_bytes(const struct prt_map_look *l, const char *s, u32 len)
{
	return prt_hash_mix(prt_bytes_hash(l->seed, s, len));
}

/* The number of the first element of the hash's chain, less 1; more than PRT_MAP_MAX: none. */
static __always_inline u32 prt_map_first_index(const struct prt_map_look *l, u32 hash)
{
	return (l->heads[hash & l->mask] ^ l->round) - 1;
}

/* The first element of the hash's chain, or NULL. */
static __always_inline struct prt_element *prt_map_first(const struct prt_map_look *l, u32 hash)
{
	u32 index = prt_map_first_index(l, hash);

	if (index > PRT_MAP_MAX)
		return NULL;
	return (struct prt_element *)(l->entries + (size_t)index * l->stride);
}

struct prt_map {
	struct prt_map_look look;
	const struct prt_map_type *t;
	u32 count;             /* live elements */
	u32 used;              /* elements ever taken since the last clear */
	u32 free;              /* first free one below `used` */
	u32 zeroed;            /* the part of the heads that was zeroed last */
	u32 oldest, newest;
	u32 seq;
	u32 srcloc;             /* of the last insertion, for errors of a merge */
	u32 lost_srcloc;        /* of the last element that did not fit, */
	u64 lost;              /* and how many there were */
	struct prt_keymem keymem;
};

static __always_inline struct prt_element *prt_map_element(const struct prt_map *m, u32 nr)
{
	return (struct prt_element *)(m->look.entries + (size_t)(nr - 1) * m->t->stride);
}

static __always_inline const char *prt_map_key(const struct prt_map *m, const struct prt_element *e)
{
	return e->klen <= PRT_KEY_INLINE ? e->key : m->keymem.data + *(const u32 *)e->key;
}

static __always_inline void *prt_map_value(const struct prt_map *m, struct prt_element *e)
{
	return (char *)e + m->t->value_at;
}

/* Fills in @t; its size is 0 if a map of it would not fit into 2 GiB or the limits. */
void prt_map_type_init(struct prt_map_type *t, const struct prt_global *g);
/* Process context. NULL: no memory. */
struct prt_map *prt_map_create(const struct prt_map_type *t, int node);
void prt_map_destroy(struct prt_map *m);
/* Bytes that prt_map_create allocates. */
u64 prt_map_memory(const struct prt_map_type *t);
/* Adds every element of @from to @to (longs add, aggregates merge) and clears @from. The caller
 * owns both. An element that does not fit is lost and counted, or PRT_E_ARRAY_FULL in @c if the
 * array says so. */
void prt_map_merge(struct prt_ctx *c, struct prt_map *to, struct prt_map *from);

#endif
