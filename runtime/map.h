/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Arrays. A map is one allocation made at SETUP: a hash table with chaining, `capacity` elements of
 * one size, and a keymem for keys that are too long for an element. Functions on a map allocate
 * nothing while interrupts are off, so they may run in any context that owns it: on the CPU of its
 * bank, under its lock, or in the session thread. A map may begin with memory for a part of its
 * elements: grow.h.
 *
 *   heads the hash table, `capacity` rounded up to a power of two: numbers of elements, each with
 *            the round in which it was written (from bit PRT_MAP_NR_BITS on). A head of another
 *            round is empty
 *   elements header, key (a long, up to PRT_KEY_INLINE bytes, or an offset in the keymem), and
 *            value. They are numbered from 1; 0 means none
 *   keymem   long keys (keymem.h). It has PRT_KEY_MEAN bytes for each element, unless all keys are
 *            shorter; a map whose keymem is used up is full
 *   hists    histograms, which all copies share (hists.h)
 *   pool     cells of exponential histograms (abi/stat.h). It has PRT_EXP_PER_ELEMENT blocks for
 *            each element, and PRT_EXP_POOL more; when it is used up, values of new doublings are
 *            counted without cells
 *
 * There is one spare element beyond `capacity`. If a map is full and that is not an error, a new
 * element is written there and never read, so emitted code need not check. It takes no blocks. Such
 * elements are counted in the map and on the context.
 *
 * Clearing a map begins a new round, so a hit may do it, with interrupts off, whatever the size.
 * Each such clear zeros one of PRT_MAP_ROUNDS parts of the heads, in turn, so no head has the
 * number of a round when that number is used again.
 *
 * A second list has the elements in the order of insertion, for foreach without sorting and for `%`
 * arrays, which drop the oldest one. `seq` counts insertions, so that an iterator recognises an
 * element that was removed and reused.
 */
#ifndef PRT_MAP_H
#define PRT_MAP_H

#include <linux/types.h>

#include "area.h"
#include "hists.h"
#include "keymem.h"
#include "bytes.h"
#include "limits.h"
#include "abi/script.h"

enum prt_key_kind { PRT_KEY_LONG, PRT_KEY_STR, PRT_KEY_PACKED };

/* How much of an array there is memory for. */
struct prt_map_room {
	u32 elements;
	u32 keys;              /* bytes of the keymem */
	u32 blocks;            /* of the pool */
};

/* The properties that all instances of a global array share. */
struct prt_map_type {
	const struct prt_global *global;
	u32 capacity, nheads;
	u32 stride;            /* bytes of an element */
	u32 key_max;          /* bytes of the key in it */
	u32 value_at, value_size;
	u32 keymem_size;
	/* offsets in the allocation, which begins with the heads, and its size in bytes; size 0: it
	 * would be 2 GiB or more */
	u32 elements_at, keymem_at, holes_at, pool_at, size;
	u64 bytes;             /* of a map, however many */
	bool grows;            /* the maps of banks do, */
	bool grows_alone;      /* and the totals, or the map that is in no bank. They begin with: */
	struct prt_map_room first;
	u64 first_bytes;
	u64 promised;          /* bytes that the totals may grow by, whatever the limit says */
	u32 key_least;         /* bytes of the keymem without which the longest key never fits */
	u32 seed;
	u32 blocks;            /* of the pool; 0: there is none */
	struct prt_hists *hists; /* NULL: the values are no aggregates with histograms */
	u8 kind;               /* enum prt_key_kind */
};

/* The number of bits that the number of an element has. */
#define PRT_MAP_NR_BITS 25
#define PRT_MAP_ROUNDS (1u << (32 - PRT_MAP_NR_BITS))

/* The fields of a map that lookups read. */
struct prt_map_look {
	u32 *heads;
	char *elements;
	u32 mask;              /* bits of a hash that select a head */
	u32 seed;
	u32 stride;            /* bytes of an element */
	u32 value_at;          /* offset of the value in an element */
	u32 round;             /* the current round, shifted by PRT_MAP_NR_BITS */
};

struct prt_element {
	u32 next;              /* in the chain of its hash, or in the list of free elements */
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

/* The first element of the hash's chain; false: there is none. */
static __always_inline bool prt_map_first(const struct prt_map_look *l, u32 hash,
					  struct prt_element **ret)
{
	u32 index = prt_map_first_index(l, hash);

	if (index > PRT_MAP_MAX)
		return false;
	*ret = (struct prt_element *)(l->elements + (size_t)index * l->stride);
	return true;
}

/* Sets *@ret to the value of the key of @len bytes, at most 8, in @word, zeros after it, as in its
 * element; false: it is not at the head of its chain. */
static __always_inline bool prt_map_find_word(const struct prt_map_look *l, u32 len, u64 word,
					      void **ret)
{
	u64 hash = prt_hash_word(prt_hash_start(l->seed, len), word);
	struct prt_element *e;

	if (!prt_map_first(l, prt_hash_mix(hash), &e) ||
	    unlikely(e->klen != len || *(u64 *)e->key != word))
		return false;
	*ret = (char *)e + l->value_at;
	return true;
}

struct prt_map {
	struct prt_map_look look;
	struct prt_map_type *t;
	bool in_bank;          /* of a processor */
	u32 count;             /* live elements */
	u32 used;              /* elements ever taken since the last clear */
	u32 low;               /* `used` from which on there may be no memory for another one, or
				* more is to be requested */
	u32 free;              /* first free one below `used` */
	u32 zeroed;            /* the part of the heads that was zeroed last */
	u32 oldest, newest;
	u32 seq;
	u32 srcloc;             /* of the last insertion, for errors of a merge */
	u32 lost_srcloc;        /* of the last element that did not fit, */
	u64 lost;              /* and how many there were */
	struct prt_keymem keymem;
	/* A map that grows. Hits only read them, except for `late`. */
	struct prt_map_room has;
	struct prt_map_room wants;
	struct prt_area area;  /* its pages are NULL if it does not grow */
	u8 starved;            /* enum prt_short: why it grows no more */
	u8 late;               /* enum prt_short: why elements were lost below the capacity */
};

/* The pool of a map that has one: t->blocks. It is found by the same word as the elements, so that
 * the distance between them is right whenever that changes. */
static __always_inline struct prt_exp_pool *prt_map_pool(const struct prt_map *m)
{
	return (struct prt_exp_pool *)(m->look.elements + (m->t->pool_at - m->t->elements_at));
}

static __always_inline struct prt_element *prt_map_element(const struct prt_map *m, u32 nr)
{
	return (struct prt_element *)(m->look.elements + (size_t)(nr - 1) * m->t->stride);
}

static __always_inline const char *prt_map_key(const struct prt_map *m, const struct prt_element *e)
{
	return e->klen <= PRT_KEY_INLINE ? e->key : m->keymem.data + *(const u32 *)e->key;
}

static __always_inline void *prt_map_value(const struct prt_map *m, struct prt_element *e)
{
	return (char *)e + m->t->value_at;
}

/* prt_map_get_s() for scripts: abi/fast.h. */
void *prt_map_get_text(struct prt_ctx *c, struct prt_map *m, u32 srcloc, u32 len, const char *s);
/* prt_map_get_name() for any length. */
void *prt_map_get_long_name(struct prt_ctx *c, struct prt_map *m, u32 srcloc, const char *name);

/* prt_map_get_s(); the key are the bytes before the first NUL of the 16 at @name, which may be
 * changing. Less than 8 are not copied. Any context. */
static __always_inline void *prt_map_get_name(struct prt_ctx *c, struct prt_map *m, u32 srcloc,
					      const char *name)
{
	u64 word = READ_ONCE(*(const u64 *)name), zeros = prt_word_zeros(word);
	void *value;

	if (zeros && prt_map_find_word(&m->look, __builtin_ctzll(zeros) / 8,
				       word & (zeros ^ (zeros - 1)), &value))
		return value;
	return prt_map_get_long_name(c, m, srcloc, name);
}

/* Computes the layout @t of array @g; its size is 0 if a map would have 2 GiB or more, or exceed
 * the limits. @hists: of its maps, if its values have histograms. */
void prt_map_type_init(struct prt_map_type *t, const struct prt_global *g,
		       struct prt_hists *hists);
/* Allocates an empty map on NUMA node @node. Process context. NULL: no memory. */
struct prt_map *prt_map_create(struct prt_map_type *t, int node, bool in_bank);
void prt_map_destroy(struct prt_map *m);
/* Whether the memory of element @nr has a histogram, or has got one now, if the values have any.
 * The owner. */
bool prt_map_has_hist(const struct prt_map *m, u32 nr);
/* Sets the addresses of a map's memory to those from @p on. The owner. */
void prt_map_place(struct prt_map *m, char *p);
/* The number of bytes that prt_map_create() allocates. */
u64 prt_map_memory(const struct prt_map_type *t, bool in_bank);
/* Adds every element of @from to @to (longs are added, aggregates merged) and clears @from. Process
 * context; the caller owns both. Elements that do not fit are counted as lost; if the array makes
 * that an error, it is PRT_E_ARRAY_FULL in @c. */
void prt_map_merge(struct prt_ctx *c, struct prt_map *to, struct prt_map *from);

#endif
