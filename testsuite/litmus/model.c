/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The models.
 *
 * arm64 is the model of the Arm Architecture Reference Manual for A-profile (DDI 0487), section
 * B2.3, whose formal text is aarch64.cat of herdtools7: a store becomes visible to all other
 * processors at once, so that one order of events, "ordered before", has to exist. It contains what
 * one processor observes of another, and what orders the events of one processor: dependencies
 * (dob), atomic operations (aob) and barriers (bob). The names are those of that section. Left out
 * are accesses of other sizes than that of the place, of instructions, of translation tables and of
 * tags, and faults. A DSB counts as a DMB.
 *
 * TSO is x86's: stores become visible in the order of the program, later than loads that follow
 * them.
 *
 * In both, one place behaves as on one processor (internal visibility), and nothing comes between
 * the two halves of an atomic operation.
 */
#include <string.h>

#include "litmus.h"

static void add(relation to, unsigned a, unsigned b)
{
	to[a] |= 1ull << b;
}

static void add_all(relation to, const relation from, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		to[i] |= from[i];
}

static bool is_acyclic(const relation r, unsigned n)
{
	relation closed;

	memcpy(closed, r, sizeof(relation));
	for (unsigned k = 0; k < n; k++)
		for (unsigned i = 0; i < n; i++)
			if (closed[i] >> k & 1)
				closed[i] |= closed[k];
	for (unsigned i = 0; i < n; i++)
		if (closed[i] >> i & 1)
			return false;
	return true;
}

static bool is_memory(const struct event *e)
{
	return e->kind != FENCE_EVENT;
}

static bool same_thread(const struct execution *x, unsigned a, unsigned b)
{
	return x->thread[a] == x->thread[b] && x->thread[a] >= 0;
}

static bool same_place(const struct event *a, const struct event *b)
{
	return is_memory(a) && is_memory(b) && a->address == b->address;
}

/* The order of the program between accesses to one place, with what reads and stores tell. */
static bool is_coherent(const struct execution *x)
{
	relation r = { 0 };

	for (unsigned a = 0; a < x->n; a++)
		for (unsigned b = a + 1; b < x->n && same_thread(x, a, b); b++)
			if (same_place(x->event[a], x->event[b]))
				add(r, a, b);
	add_all(r, x->reads_from, x->n);
	add_all(r, x->coherence, x->n);
	add_all(r, x->from_reads, x->n);
	return is_acyclic(r, x->n);
}

/* No store of another thread comes between the halves of an atomic operation. On x86, an operation
 * without a lock prefix is atomic on its own processor only. */
static bool is_atomic(const struct execution *x, enum model model)
{
	for (unsigned w = 1; w < x->n; w++) {
		uint64_t between;

		if (!x->event[w]->of_pair || (model == TSO && !x->event[w]->locked))
			continue;
		for (between = x->from_reads[w - 1]; between; between &= between - 1) {
			unsigned other = __builtin_ctzll(between);

			if (!same_thread(x, other, w) && x->coherence[other] >> w & 1)
				return false;
		}
	}
	return true;
}

/* Relations between different threads only. */
static void add_external(relation to, const struct execution *x, const relation from)
{
	for (unsigned a = 0; a < x->n; a++)
		for (unsigned b = 0; b < x->n; b++)
			if (from[a] >> b & 1 && !same_thread(x, a, b))
				add(to, a, b);
}

/* ---- arm64 ---- */

/* b is a load of what the store a has left, as far as their processor is concerned: no other store
 * of it to the place comes between them. */
static bool reads_back(const struct execution *x, unsigned a, unsigned b)
{
	if (x->event[a]->kind != WRITE || x->event[b]->kind != READ || b <= a ||
	    !same_thread(x, a, b) || !same_place(x->event[a], x->event[b]))
		return false;
	for (unsigned i = a + 1; i < b; i++)
		if (x->event[i]->kind == WRITE && same_place(x->event[i], x->event[b]))
			return false;
	return true;
}

/* Whether an ISB comes after a and before b. */
static bool isync_between(const struct execution *x, unsigned a, unsigned b)
{
	for (unsigned i = a + 1; i < b; i++)
		if (x->event[i]->kind == FENCE_EVENT && x->event[i]->fence == FENCE_ISYNC)
			return true;
	return false;
}

/* Dependencies of an event b on the read a, and what follows an address that depends on it. */
static void add_dependencies(relation to, const struct execution *x, unsigned a)
{
	unsigned bit = a - x->base[a], addressed = MAX_EVENTS;

	for (unsigned b = a + 1; b < x->n && same_thread(x, a, b); b++) {
		const struct event *e = x->event[b];
		bool by_address = e->by_address >> bit & 1, by_data = e->by_data >> bit & 1;

		if (!is_memory(e))
			continue;
		if (by_address || by_data) {
			add(to, a, b);
			for (unsigned c = b + 1; c < x->n; c++)
				if (reads_back(x, b, c))
					add(to, a, c);
		}
		if (e->kind == WRITE && (e->by_control >> bit & 1 || addressed < b))
			add(to, a, b);
		if (addressed < b && isync_between(x, addressed, b))
			add(to, a, b);
		if (by_address && addressed == MAX_EVENTS)
			addressed = b;
	}
}

/* All that follows an ISB after a branch that depends on the read a: the ISB depends on it, too. */
static void add_control_isync(relation to, const struct execution *x, unsigned a)
{
	unsigned bit = a - x->base[a];
	bool passed = false;

	for (unsigned b = a + 1; b < x->n && same_thread(x, a, b); b++) {
		const struct event *e = x->event[b];

		if (e->kind == FENCE_EVENT && e->fence == FENCE_ISYNC && e->by_control >> bit & 1)
			passed = true;
		if (passed && is_memory(e))
			add(to, a, b);
	}
}

static void add_atomic(relation to, const struct execution *x, unsigned w)
{
	add(to, w - 1, w);
	for (unsigned r = w + 1; r < x->n; r++)
		if (reads_back(x, w, r) && (x->event[r]->acquire || x->event[r]->acquire_pc))
			add(to, w - 1, r);
}

static bool fence_orders(enum fence f, const struct event *a, const struct event *b)
{
	if (!is_memory(a) || !is_memory(b))
		return false;
	return f == FENCE_FULL || (f == FENCE_READ && a->kind == READ) ||
	       (f == FENCE_WRITE && a->kind == WRITE && b->kind == WRITE);
}

static void add_fence(relation to, const struct execution *x, unsigned f)
{
	for (unsigned a = x->base[f]; a < f; a++)
		for (unsigned b = f + 1; b < x->n && same_thread(x, f, b); b++)
			if (fence_orders(x->event[f]->fence, x->event[a], x->event[b]))
				add(to, a, b);
}

/* Whether b follows a because of what they are: acquire, release, or a store to the same place. */
static bool barrier_orders(const struct event *a, const struct event *b)
{
	return b->release || a->acquire || a->acquire_pc || (a->release && b->acquire) ||
	       (b->kind == WRITE && same_place(a, b));
}

/* The store of one instruction that acquires and releases: others follow it. */
static bool is_full_atomic(const struct execution *x, unsigned w)
{
	return x->event[w]->of_pair && x->event[w]->amo && x->event[w]->release &&
	       x->event[w - 1]->acquire;
}

static bool arm64_allows(const struct execution *x)
{
	relation ob = { 0 };

	add_external(ob, x, x->reads_from);
	add_external(ob, x, x->from_reads);
	add_external(ob, x, x->coherence);
	for (unsigned a = 0; a < x->n; a++) {
		const struct event *e = x->event[a];

		if (x->thread[a] < 0)
			continue;
		if (e->kind == FENCE_EVENT) {
			add_fence(ob, x, a);
			continue;
		}
		if (e->kind == READ) {
			add_dependencies(ob, x, a);
			add_control_isync(ob, x, a);
		}
		if (e->of_pair)
			add_atomic(ob, x, a);
		for (unsigned b = a + 1; b < x->n && same_thread(x, a, b); b++)
			if (is_memory(x->event[b]) &&
			    (barrier_orders(e, x->event[b]) || is_full_atomic(x, a)))
				add(ob, a, b);
	}
	return is_acyclic(ob, x->n);
}

/* ---- TSO ---- */

static bool fenced(const struct execution *x, unsigned a, unsigned b)
{
	for (unsigned i = a + 1; i < b; i++)
		if ((x->event[i]->kind == FENCE_EVENT && x->event[i]->fence == FENCE_FULL) ||
		    x->event[i]->locked)
			return true;
	return x->event[a]->locked || x->event[b]->locked;
}

static bool tso_allows(const struct execution *x)
{
	relation r = { 0 };

	add_external(r, x, x->reads_from);
	add_all(r, x->from_reads, x->n);
	add_all(r, x->coherence, x->n);
	for (unsigned a = 0; a < x->n; a++)
		for (unsigned b = a + 1; b < x->n && same_thread(x, a, b); b++)
			if (is_memory(x->event[a]) && is_memory(x->event[b]) &&
			    (x->event[a]->kind == READ || x->event[b]->kind == WRITE ||
			     fenced(x, a, b)))
				add(r, a, b);
	return is_acyclic(r, x->n);
}

bool litmus_allows(enum model model, const struct execution *x)
{
	return is_coherent(x) && is_atomic(x, model) &&
	       (model == TSO ? tso_allows(x) : arm64_allows(x));
}
