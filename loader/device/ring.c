/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The merge. The groups of each ring are ordered by time. Across rings the group with the earliest
 * time is next, and it may be printed once no other ring can still receive an earlier one. Another
 * ring can if a hit is open there: its group will carry the open time. Otherwise it cannot, below
 * NOW, because a hit that began after NOW was taken reads a later clock. So the bound for ring r is
 * min(NOW, open times of the OTHER rings): r's own open hit comes after all groups that r has
 * published, and must not hold them back, or a handler that waits for room in a full ring would
 * wait for the loader for ever.
 *
 * `open` == 1 says that a clock is about to be read: the loader spins for a moment, and otherwise
 * prints nothing of other rings until the next turn.
 */
#include <stdbool.h>

#include "arch/arch.h"
#include "device/ring.h"

enum { SPINS = 1000 };

uint64_t ring_open(const struct ring *r)
{
	for (int i = 0; i < SPINS; i++) {
		uint64_t open = __atomic_load_n(&r->head->open, __ATOMIC_ACQUIRE);

		if (open == 0)
			return RING_NOT_OPEN;
		if (open != 1)
			return open;
		arch_pause();
	}
	return 0;
}

void ring_look(struct rings *r)
{
	r->run_until = 0;
	for (uint32_t i = 0; i < r->n; i++)
		r->ring[i].open = ring_open(&r->ring[i]);
	for (uint32_t i = 0; i < r->n; i++)
		if (!r->ring[i].is_recorded)
			r->ring[i].end = __atomic_load_n(&r->ring[i].head->head, __ATOMIC_ACQUIRE);
}

void ring_look_last(struct rings *r)
{
	ring_look(r);
	for (uint32_t i = 0; i < r->n; i++)
		r->ring[i].open = RING_NOT_OPEN;
}

static const struct prt_group *peek(struct ring *r, unsigned *damaged)
{
	const struct prt_group *g = (const void *)(r->data + (r->tail & (r->size - 1)));
	uint64_t left = r->end - r->tail;

	if (left == 0)
		return NULL;
	if (left <= r->size && left >= sizeof(*g) && g->len >= sizeof(*g) && g->len <= left &&
	    g->len % 8 == 0)
		return g;
	++*damaged;
	r->tail = r->end;
	return NULL;
}

/* Finds the earliest group of all rings; its ring goes to r->run and the next group's time to
 * @second. */
static const struct prt_group *earliest(struct rings *r, uint64_t *second, unsigned *damaged)
{
	const struct prt_group *best = NULL;

	*second = RING_NOT_OPEN;
	for (uint32_t i = 0; i < r->n; i++) {
		const struct prt_group *g = peek(&r->ring[i], damaged);

		if (!g)
			continue;
		if (best && g->time >= best->time) {
			*second = g->time < *second ? g->time : *second;
			continue;
		}
		if (best)
			*second = best->time;
		best = g;
		r->run = i;
	}
	return best;
}

const struct prt_group *ring_next(struct rings *r, uint64_t now, unsigned *damaged)
{
	const struct prt_group *g = NULL;
	uint64_t second, bound = now;

	if (r->run_until)
		g = peek(&r->ring[r->run], damaged);
	if (!g || g->time >= r->run_until) {
		g = earliest(r, &second, damaged);
		if (!g)
			return NULL;
		for (uint32_t i = 0; i < r->n; i++)
			if (i != r->run && r->ring[i].open < bound)
				bound = r->ring[i].open;
		if (g->time >= bound && bound != RING_NOT_OPEN)
			return NULL;
		r->run_until = second < bound ? second : bound;
	}
	r->ring[r->run].tail += g->len;
	return g;
}

void ring_release(struct rings *r)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (!r->ring[i].is_recorded)
			__atomic_store_n(&r->ring[i].head->tail, r->ring[i].tail,
					 __ATOMIC_RELEASE);
}

void ring_sleep(struct rings *r, int asleep)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (!r->ring[i].is_recorded)
			__atomic_store_n(&r->ring[i].head->reader_asleep, (uint64_t)asleep,
					 __ATOMIC_SEQ_CST);
}

bool ring_empty(const struct rings *r)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (!r->ring[i].is_recorded &&
		    __atomic_load_n(&r->ring[i].head->head, __ATOMIC_ACQUIRE) != r->ring[i].tail)
			return false;
	return true;
}
