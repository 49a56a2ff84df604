/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Chooses the storage of each global (architecture decision 4) by its uses in the whole program.
 *
 * A use counts by the code that has it: a hot probe (any CPU, any time), a timer (the session's
 * thread, while hot probes run), or begin, end and error (the session's thread, while no hot probe
 * runs). Uses of the last sort are never concurrent with others, so they neither decide the storage
 * nor need a lock.
 *
 *   no hot use                                      one instance, no lock: one thread uses it
 *   hot uses only add, order does not matter        per CPU
 *   nothing writes while hot probes run             one instance, no lock
 *   anything else                                   one instance under its lock
 */
#include "analyse/check/check.h"
#include "analyse/check/facts.h"

/* The uses of a global by context, as bits of enum global_use_kind. */
struct picture {
	unsigned hot, timer, quiet;
	bool stat;               /* a hot add by <<< */
	bool plain;              /* a hot add by ++ and the like */
	unsigned mark;           /* the last probe whose list of locks has it */
};

#define BIT(kind) (1u << (kind))
#define WRITES (BIT(GLOBAL_WRITE) | BIT(GLOBAL_ADD) | BIT(GLOBAL_DELETE))

static void record_uses(struct check *c, struct picture *pictures, const struct probe *pr,
			struct body *b)
{
	struct body_list all = { 0 };

	facts_reach(c, b, &all);
	vec_each(it, &all.v) {
		vec_each(u, &(*it)->uses) {
			struct picture *p = &pictures[u->sym->index];

			if (site_kind_is_hot(pr->kind)) {
				p->hot |= BIT(u->kind);
				p->stat |= u->kind == GLOBAL_ADD && u->is_stat;
				p->plain |= u->kind == GLOBAL_ADD && !u->is_stat;
			} else if (!site_kind_is_alone(pr->kind)) {
				p->timer |= BIT(u->kind);
			} else {
				p->quiet |= BIT(u->kind);
			}
		}
	}
}

static void choose(struct symbol *g, const struct picture *p)
{
	if (!p->hot) {
		g->storage = STORE_UNLOCKED;
		g->storage_why = "only the session's thread touches it";
	} else if (p->hot == BIT(GLOBAL_ADD) && g->wrap) {
		g->storage = STORE_LOCKED;
		g->storage_why = "a % array drops its oldest entry, whichever CPU made it";
	} else if (p->hot == BIT(GLOBAL_ADD)) {
		g->storage = STORE_PERCPU;
		g->storage_why = p->stat ? "only <<< in hot probes" :
				 "only ++ and += in hot probes";
	} else if (!((p->hot | p->timer | p->quiet) & WRITES)) {
		g->storage = STORE_UNLOCKED;
		g->storage_why = "never written";
	} else if (!((p->hot | p->timer) & WRITES)) {
		g->storage = STORE_UNLOCKED;
		g->storage_why = "written only before and after hot probes run";
	} else if (!(p->hot & WRITES)) {
		g->storage = STORE_LOCKED;
		g->storage_why = "read in hot probes, written in timers";
	} else if (!(p->hot & BIT(GLOBAL_READ))) {
		g->storage = STORE_LOCKED;
		g->storage_why = "assigned or deleted in hot probes";
	} else {
		g->storage = STORE_LOCKED;
		g->storage_why = "read and written in hot probes";
	}
}

static void number_locks(struct program *p)
{
	p->nlocks = 0;
	vec_each(g, &p->globals)
		(*g)->lock = (*g)->storage == STORE_LOCKED ? p->nlocks++ : -1;
}

/* Arrays to which a probe with these bodies, which is run by the session's thread under locks, may
 * add elements. */
static void find_whole(const struct body_list *bodies)
{
	vec_each(it, &bodies->v)
		vec_each(u, &(*it)->uses)
			u->sym->whole |= u->kind == GLOBAL_WRITE || u->kind == GLOBAL_ADD;
}

/* Finds the locks of one probe, in ascending order, and whether it reads per-CPU globals. */
static void complete_probe(struct check *c, struct picture *pictures, struct probe *pr,
			   struct body *b)
{
	struct body_list all = { 0 };
	bool quiet = site_kind_is_alone(pr->kind);

	facts_reach(c, b, &all);
	vec_each(it, &all.v) {
		vec_each(u, &(*it)->uses) {
			if (u->sym->storage == STORE_LOCKED && !quiet)
				pictures[u->sym->index].mark = (unsigned)pr->index + 1;
			if (u->sym->storage == STORE_PERCPU && !site_kind_is_hot(pr->kind) &&
			    u->kind != GLOBAL_ADD)
				pr->reads_percpu = true;
		}
	}
	vec_each(g, &c->p->globals)
		if (pictures[(*g)->index].mark == (unsigned)pr->index + 1)
			vec_push(c->s->arena, &pr->locks, *g);
	if (!site_kind_is_hot(pr->kind) && pr->locks.n)
		find_whole(&all);
}

void storage_choose(struct check *c)
{
	struct program *p = c->p;
	struct picture *pictures = arena_alloc(c->s->arena, (p->globals.n + 1) * sizeof(*pictures));

	vec_each(it, &c->bodies)
		if ((*it)->probe)
			record_uses(c, pictures, (*it)->probe, *it);
	vec_each(g, &p->globals)
		choose(*g, &pictures[(*g)->index]);
	number_locks(p);
	vec_each(it, &c->bodies)
		if ((*it)->probe)
			complete_probe(c, pictures, (*it)->probe, *it);
}
