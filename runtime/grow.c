/* SPDX-License-Identifier: GPL-2.0 */
/* Arrays that grow ahead of use: grow.h. */
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

#include "aggregate.h"
#include "global.h"
#include "grow.h"
#include "map.h"
#include "part.h"
#include "session.h"
#include "words.h"

enum { PARTS = 5 };

static DEFINE_MUTEX(counting);
static u64 growth_left;                     /* bytes that all may still grow by */
static bool growth_asked, hists_asked, rings_asked, words_asked;

/* ---- sizes ---- */

struct part {
	u64 from, end;
};

/* The parts of a map's memory that @room needs. */
static void parts_of(const struct prt_map_type *t, const struct prt_map_room *room,
		     struct part parts[PARTS])
{
	u64 spare = t->elements_at + (u64)t->capacity * t->stride;

	parts[0] = (struct part){ 0, t->elements_at + (u64)room->elements * t->stride };
	parts[1] = (struct part){ spare, spare + t->stride };
	parts[2] = (struct part){ t->keymem_at, t->keymem_at + (u64)room->keys };
	parts[3] = (struct part){ t->holes_at, t->holes_at + prt_keymem_holes(t->keymem_size) };
	parts[4] = (struct part){ t->pool_at, t->pool_at };
	if (t->blocks)
		parts[4].end += prt_stat_pool_size(&t->global->stat, room->blocks);
}

static u64 bytes_of(const struct prt_map_type *t, const struct prt_map_room *room)
{
	struct part parts[PARTS];
	u64 sum = 0;
	u32 i;

	parts_of(t, room, parts);
	for (i = 0; i < PARTS; i++)
		if (parts[i].from < parts[i].end)
			sum += PAGE_ALIGN(parts[i].end) - (parts[i].from & ~(u64)(PAGE_SIZE - 1));
	return sum;
}

void prt_grow_first(struct prt_map_type *t)
{
	struct prt_map_room first = {
		.elements = min_t(u32, t->capacity, PRT_GROW_FIRST),
		.keys = min_t(u32, t->keymem_size,
			      max_t(u32, PRT_GROW_FIRST * PRT_KEY_BLOCK, t->key_least)),
		.blocks = min_t(u32, t->blocks, PRT_GROW_FIRST),
	};
	u64 bytes;

	t->first = (struct prt_map_room){ t->capacity, t->keymem_size, t->blocks };
	t->first_bytes = t->bytes;
	if (!t->size || t->global->wrap)
		return;
	bytes = sizeof(struct prt_map) + bytes_of(t, &first) + prt_area_overhead(t->size);
	if (bytes + PRT_GROW_LEAST > t->bytes)
		return;
	t->first = first;
	t->first_bytes = bytes;
	t->grows = t->global->percpu;
	/* A value that the thread adds to may take any number of blocks. */
	t->grows_alone = !t->global->whole && !t->blocks;
}

/* ---- one map ---- */

/* Gives the map memory for @room. -ENOMEM. */
static int fill(struct prt_map *m, const struct prt_map_room *room)
{
	struct part parts[PARTS];
	int err = 0;
	u32 i;

	parts_of(m->t, room, parts);
	for (i = 0; i < PARTS && !err; i++)
		if (parts[i].from < parts[i].end)
			err = prt_area_fill(&m->area, parts[i].from, parts[i].end);
	return err ? err : prt_area_map(&m->area);
}

/* The bytes that the map lacks for @room; a page with two parts may count twice. */
static u64 lacks(const struct prt_map *m, const struct prt_map_room *room)
{
	struct part parts[PARTS];
	u64 pages = 0;
	u32 i;

	parts_of(m->t, room, parts);
	for (i = 0; i < PARTS; i++)
		if (parts[i].from < parts[i].end)
			pages += prt_area_lacks(&m->area, parts[i].from, parts[i].end);
	return pages * PAGE_SIZE;
}

char *prt_grow_begin(struct prt_map *m, int node)
{
	if (prt_area_init(&m->area, m->t->size, node))
		return NULL;
	if (fill(m, &m->t->first)) {
		prt_area_deinit(&m->area);
		return NULL;
	}
	prt_area_settle(&m->area);
	m->has = m->wants = m->t->first;
	return m->area.base;
}

/* The use from which on a map that has @has asks for more, up to @most. */
static u32 low_of(const struct prt_map *m, u32 has, u32 most, u32 spare)
{
	return has == most || m->starved ? U32_MAX : has - min(has, spare);
}

void prt_map_allow(struct prt_map *m)
{
	const struct prt_map_type *t = m->t;

	m->low = min(low_of(m, m->has.elements, t->capacity, PRT_GROW_SPARE), m->has.elements);
	m->keymem.size = m->has.keys;
	m->keymem.low = low_of(m, m->has.keys, t->keymem_size, PRT_GROW_SPARE * PRT_KEY_BLOCK);
	if (!t->blocks)
		return;
	prt_map_pool(m)->size = m->has.blocks;
	prt_map_pool(m)->low = low_of(m, m->has.blocks, t->blocks, PRT_GROW_SPARE);
}

/* How much is wanted where @used of @has is in use: twice that, or twice the spare beyond it. */
static u32 wanted(u32 used, u32 has, u32 most, u32 spare)
{
	if (has == most || used < has - min(has, spare))
		return has;
	return min_t(u64, most, (u64)used + max_t(u64, used, 2 * (u64)spare));
}

void prt_map_measure(struct prt_map *m)
{
	const struct prt_map_type *t = m->t;

	m->wants = m->has;
	if (m->starved)
		return;
	m->wants.elements = wanted(m->used, m->has.elements, t->capacity, PRT_GROW_SPARE);
	m->wants.keys = wanted(m->keymem.used, m->has.keys, t->keymem_size,
					  PRT_GROW_SPARE * PRT_KEY_BLOCK);
	if (t->blocks)
		m->wants.blocks = wanted(prt_map_pool(m)->used, m->has.blocks, t->blocks,
					 PRT_GROW_SPARE);
}

/* Takes @bytes from what all may still grow by. */
static bool take_growth(u64 bytes)
{
	if (bytes > growth_left)
		return false;
	growth_left -= bytes;
	return true;
}

/* Counts @bytes of growth of a map. */
static bool may_grow(const struct prt_map *m, u64 bytes)
{
	u64 *promised = &m->t->promised, paid;
	bool may;

	mutex_lock(&counting);
	paid = m->in_bank ? 0 : min(bytes, *promised);
	may = take_growth(bytes - paid);
	if (may)
		*promised -= paid;
	mutex_unlock(&counting);
	return may;
}

void prt_grow_promise(struct prt_map_type *t)
{
	t->promised = min(t->bytes - t->first_bytes, growth_left / 2);
	growth_left -= t->promised;
}

bool prt_map_extend(struct prt_map *m)
{
	if (memcmp(&m->wants, &m->has, sizeof(m->has)) == 0)
		return false;
	if (!may_grow(m, lacks(m, &m->wants)))
		WRITE_ONCE(m->starved, PRT_SHORT_LIMIT);
	else if (fill(m, &m->wants))
		WRITE_ONCE(m->starved, PRT_SHORT_MEMORY);
	if (m->starved)
		m->wants = m->has;
	return true;
}

void prt_map_take(struct prt_map *m)
{
	if (m->area.next) {
		prt_map_place(m, m->area.next);
		barrier();
	}
	m->has = m->wants;
	prt_map_allow(m);
}

void prt_map_grow(struct prt_map *m)
{
	prt_map_measure(m);
	if (!prt_map_extend(m))
		return;
	if (!m->area.next || !prt_area_keep(&m->area)) {
		prt_map_take(m);
		prt_area_settle(&m->area);
		return;
	}
	m->starved = PRT_SHORT_MEMORY;
	prt_map_allow(m);
}

u8 prt_map_short(const struct prt_map *m)
{
	u8 starved = READ_ONCE(m->starved);

	if (m->count < m->t->capacity && m->t->hists && prt_hists_short(m->t->hists))
		return prt_hists_short(m->t->hists);
	if (m->count >= m->t->capacity || (m->has.elements == m->t->capacity &&
					   m->has.keys == m->t->keymem_size))
		return PRT_SHORT_NOT;
	return starved ? starved : PRT_SHORT_TIME;
}
NOKPROBE_SYMBOL(prt_map_short);

/* ---- the work item ---- */

static void grow_arrays(struct work_struct *unused)
{
	/* Full barriers, as in used() of output.c: it looks at `asked` of the rings after that. */
	if (READ_ONCE(rings_asked) && xchg(&rings_asked, false))
		prt_part_grow_rings();
	if (READ_ONCE(words_asked) && xchg(&words_asked, false)) {
		prt_words_grow(&prt_stack_words);
		prt_words_grow(&prt_script_words);
	}
	/* The same: it looks at how many histograms were taken. */
	xchg(&hists_asked, false);
	prt_global_fill_hists();
	if (!READ_ONCE(growth_asked))
		return;
	/* A hit that found it set is over when its processor has measured its arrays. */
	WRITE_ONCE(growth_asked, false);
	prt_global_grow();
}

static DECLARE_WORK(grow_work, grow_arrays);

void prt_grow_limit(u64 bytes)
{
	growth_left = bytes;
	prt_global_promise();
}

bool prt_grow_may(u64 bytes)
{
	bool may;

	mutex_lock(&counting);
	may = take_growth(bytes);
	mutex_unlock(&counting);
	return may;
}

static void ask(bool *asked)
{
	if (READ_ONCE(*asked))
		return;
	WRITE_ONCE(*asked, true);
	prt_session_kick();
}
NOKPROBE_SYMBOL(ask);

void prt_grow_ask(void)
{
	ask(&growth_asked);
}
NOKPROBE_SYMBOL(prt_grow_ask);

void prt_grow_ask_hists(void)
{
	ask(&hists_asked);
}
NOKPROBE_SYMBOL(prt_grow_ask_hists);

void prt_grow_ask_rings(void)
{
	ask(&rings_asked);
}
NOKPROBE_SYMBOL(prt_grow_ask_rings);

void prt_grow_ask_words(void)
{
	ask(&words_asked);
}
NOKPROBE_SYMBOL(prt_grow_ask_words);

void prt_grow_kicked(void)
{
	if (READ_ONCE(growth_asked) || READ_ONCE(hists_asked) || READ_ONCE(rings_asked) ||
	    READ_ONCE(words_asked))
		queue_work(system_unbound_wq, &grow_work);
}

void prt_grow_end(void)
{
	WRITE_ONCE(growth_asked, false);
	WRITE_ONCE(hists_asked, false);
	WRITE_ONCE(rings_asked, false);
	WRITE_ONCE(words_asked, false);
	irq_work_sync(&prt_session.kick);
	cancel_work_sync(&grow_work);
}
