/* SPDX-License-Identifier: GPL-2.0 */
/* Stocks of histograms: hists.h. */
#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "abi/arrays.h"
#include "grow.h"
#include "hists.h"
#include "limits.h"
#include "memory.h"

struct prt_hists_chunk {
	struct prt_hists_chunk *before;
	char pad[L1_CACHE_BYTES - sizeof(void *)];
	char data[];
};

/* Excludes processors that come, the work item and the session's thread from each other. */
static DEFINE_MUTEX(making);

const struct prt_hists_kind prt_hists_of_array = {
	.chunk = PRT_HISTS_CHUNK, .spare = PRT_GROW_SPARE, .spare_copy = PRT_HISTS_COPY,
	.beyond = PRT_GROW_FIRST - PRT_GROW_SPARE, .totals = true,
};
const struct prt_hists_kind prt_hists_of_scalars = {
	.chunk = PRT_CELLS_CHUNK, .spare = PRT_CELLS_SPARE, .spare_copy = PRT_CELLS_COPY,
};

static u32 each_of(const struct prt_hists_kind *kind, u32 bytes)
{
	return (kind->chunk - sizeof(struct prt_hists_chunk)) / (u32)L1_CACHE_ALIGN(bytes);
}

/* Spare ones of so many copies. */
static u32 spare_of(const struct prt_hists_kind *kind, u32 copies)
{
	return kind->spare + copies * kind->spare_copy;
}

/* The most that are made and not taken. */
static u64 left_at_most(const struct prt_hists_kind *kind, u32 spare)
{
	return spare + kind->beyond;
}

int prt_hists_begin(struct prt_hists *s, const struct prt_hists_kind *kind, u32 bytes, u32 copies)
{
	*s = (struct prt_hists){
		.kind = kind, .size = L1_CACHE_ALIGN(bytes), .each = each_of(kind, bytes),
		.merges = kind->totals && copies > 1,
	};
	/* The chunk in use and the one that goes beyond the number wanted. */
	s->room = left_at_most(kind, spare_of(kind, copies)) / s->each + 3;
	s->ring = prt_alloc(s->room, sizeof(*s->ring), NUMA_NO_NODE);
	return s->ring ? 0 : -ENOMEM;
}

void prt_hists_end(struct prt_hists *s)
{
	while (s->last) {
		struct prt_hists_chunk *chunk = s->last;

		s->last = chunk->before;
		prt_free_pages(chunk, s->kind->chunk);
	}
	kvfree(s->ring);
	*s = (struct prt_hists){ 0 };
}

u64 prt_hists_memory(const struct prt_hists_kind *kind, u32 bytes, u32 copies, u32 each)
{
	u64 n = min_t(u64, left_at_most(kind, spare_of(kind, copies)), (u64)copies * each);

	return DIV_ROUND_UP(n, each_of(kind, bytes)) * kind->chunk;
}

/* One more chunk is to be made. */
static bool wants_chunk(const struct prt_hists *s)
{
	u64 taken = READ_ONCE(s->taken);

	return s->made < min(s->most, taken + left_at_most(s->kind, s->spare)) &&
	       s->made / s->each - taken / s->each < s->room;
}

/* Why a chunk could not be made: enum prt_short. */
static u8 make_chunk(struct prt_hists *s)
{
	struct prt_hists_chunk *chunk = prt_alloc_pages(s->kind->chunk, NUMA_NO_NODE);

	if (!chunk)
		return PRT_SHORT_MEMORY;
	chunk->before = s->last;
	s->last = chunk;
	WRITE_ONCE(s->ring[s->made / s->each % s->room], chunk);
	smp_store_release(&s->made, s->made + s->each);
	return PRT_SHORT_NOT;
}

/* The same for hits; the totals may then have one as well. */
static u8 make_for_hits(struct prt_hists *s)
{
	u8 why = make_chunk(s);

	if (!why && s->merges)
		s->owed += s->each;
	return why;
}

int prt_hists_add_copy(struct prt_hists *s, u32 each)
{
	u8 why = PRT_SHORT_NOT;

	mutex_lock(&making);
	WRITE_ONCE(s->most, s->most + each);
	WRITE_ONCE(s->spare, s->spare ? s->spare + s->kind->spare_copy : spare_of(s->kind, 1));
	while (!why && wants_chunk(s))
		why = make_for_hits(s);
	mutex_unlock(&making);
	return why ? -ENOMEM : 0;
}

/* Makes as many as are to be spare. */
static void fill_for_hits(struct prt_hists *s)
{
	u64 bytes = s->kind->chunk * (s->merges ? 2ull : 1);

	while (!s->starved && wants_chunk(s))
		WRITE_ONCE(s->starved, prt_grow_may(bytes) ? make_for_hits(s) : PRT_SHORT_LIMIT);
}

void prt_hists_fill(struct prt_hists *s)
{
	mutex_lock(&making);
	fill_for_hits(s);
	mutex_unlock(&making);
}

/* Makes one for the totals, if they may have it. */
static void make_for_totals(struct prt_hists *s)
{
	u8 why = s->owed || prt_grow_may(s->kind->chunk) ? PRT_SHORT_NOT : PRT_SHORT_LIMIT;

	if (!why) {
		/* Hits that see it made see it kept. */
		WRITE_ONCE(s->kept, s->each);
		why = make_chunk(s);
	}
	if (why) {
		WRITE_ONCE(s->starved, why);
		WRITE_ONCE(s->kept, 0);
		return;
	}
	s->owed -= min_t(u64, s->owed, s->each);
}

static u64 hists_left(const struct prt_hists *s, u64 taken)
{
	return smp_load_acquire(&s->made) - taken;
}

/* Leaves the number at @kept. Each turn but the last one means that another processor has taken
 * one. */
static u64 *take_beyond(struct prt_hists *s, const u64 *kept)
{
	u64 nr = READ_ONCE(s->taken), was, left;
	struct prt_hists_chunk *chunk;

	for (;; nr = was) {
		/* In this order: those that are kept were kept before they were made. */
		left = hists_left(s, nr);
		if (left <= READ_ONCE(*kept))
			return NULL;
		chunk = READ_ONCE(s->ring[nr / s->each % s->room]);
		was = cmpxchg(&s->taken, nr, nr + 1);
		if (was == nr)
			return (u64 *)(chunk->data + nr % s->each * s->size);
	}
}
NOKPROBE_SYMBOL(take_beyond);

u64 *prt_hists_take_to_merge(struct prt_hists *s)
{
	static const u64 none;
	u64 *ret;

	mutex_lock(&making);
	if (!s->kept && wants_chunk(s))
		make_for_totals(s);
	if (hists_left(s, READ_ONCE(s->taken)) < s->spare / 2)
		fill_for_hits(s);
	ret = take_beyond(s, &none);
	if (ret && s->kept)
		WRITE_ONCE(s->kept, s->kept - 1);
	mutex_unlock(&making);
	return ret;
}

u64 *prt_hists_take(struct prt_hists *s)
{
	u64 *ret = take_beyond(s, &s->kept);

	if (hists_left(s, READ_ONCE(s->taken)) < READ_ONCE(s->spare) &&
	    READ_ONCE(s->made) < READ_ONCE(s->most) && !READ_ONCE(s->starved))
		prt_grow_ask_hists();
	return ret;
}
NOKPROBE_SYMBOL(prt_hists_take);

u8 prt_hists_short(const struct prt_hists *s)
{
	u8 starved = READ_ONCE(s->starved);

	if (hists_left(s, READ_ONCE(s->taken)) > READ_ONCE(s->kept))
		return PRT_SHORT_NOT;
	return starved ? starved : PRT_SHORT_TIME;
}
NOKPROBE_SYMBOL(prt_hists_short);
