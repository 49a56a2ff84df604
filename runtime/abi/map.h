/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What it takes to look a key up in an array: shared by the runtime's map.c, which has the theory
 * in map.h, and by what of it is inlined in scripts (fast.h).
 */
#ifndef PRT_ABI_MAP_H
#define PRT_ABI_MAP_H

#include "script.h"
#include "bytes.h"

/* The beginning of a struct prt_map. */
struct prt_map_look {
	u32 *heads;
	char *entries;
	u32 mask;              /* of a hash: which head */
	u32 seed;
	u32 stride;            /* bytes of an entry */
	u32 value_at;          /* in it */
};

struct prt_entry {
	u32 next;              /* chain of the hash; free list */
	u32 older, newer;
	u32 hash;
	u32 seq;
	u16 klen;
	u16 live;
	char key[];
};

PRT_INLINE u32 prt_hash_mix(u64 h)
{
	h *= 0x9e3779b97f4a7c15ull;
	return h >> 32;
}

PRT_INLINE u32 prt_hash_long(const struct prt_map_look *l, s64 key)
{
	return prt_hash_mix((u64)key + l->seed);
}

PRT_INLINE u32 prt_hash_bytes(const struct prt_map_look *l, const char *s, u32 len)
{
	return prt_hash_mix(prt_bytes_hash(l->seed, s, len));
}

/* The first entry of the hash's chain, or NULL. */
PRT_INLINE struct prt_entry *prt_map_first(const struct prt_map_look *l, u32 hash)
{
	u32 nr = l->heads[hash & l->mask];

	return nr ? (struct prt_entry *)(l->entries + (size_t)(nr - 1) * l->stride) : NULL;
}

#endif
