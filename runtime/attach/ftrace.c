/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entry probes by ftrace: 2.5 times cheaper than kprobes, and any number of functions is armed in
 * one pass.
 *
 * Points with the same probes form a group, and each group has one ftrace_ops, so a hit knows what
 * to do. To register an ops, and even more so to remove it, costs the kernel the same for one
 * function as for a thousand. A set with many different lists of probes therefore has one group for
 * all of them, whose hits look the probes up by the address. Conditions arm and disarm whole
 * groups, so points with conditions stay in groups of their own.
 *
 * An ops with an empty filter would trace every function of the kernel, so an ops is registered
 * only after at least one address was accepted, and is never used again after its filter was freed.
 * When an ops in module memory is unregistered, the kernel waits until no task is in its trampoline
 * or handler any more.
 *
 * When a module is removed, its functions leave the filters: another module may be loaded at the
 * same address.
 *
 * Kprobes at the beginning of a function go through ftrace as well, but the kernel lets
 * kernel.ftrace_enabled be set to 0 while they are registered. They then have no hits, and when one
 * is removed, ftrace's counts become wrong and it warns. So while there are kprobes and no ops of
 * ours, a guard is registered at a function that is never called.
 */
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/panic.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "arch/x86.h"
#include "attach.h"
#include "compat/ftrace.h"
#include "context.h"
#include "memory.h"

struct slot {
	unsigned long addr;         /* 0: empty slot */
	const struct prt_point *point;
	prt_ftrace_hit *hit;        /* of its only probe; NULL: by its list */
};

struct prt_ftrace_group {
	struct ftrace_ops ops;
	struct prt_pair one;        /* of the only probe */
	struct prt_point **points;
	u32 npoints;
	u32 nleft;                  /* points in the filter; those of a removed module leave it */
	struct slot *slots;         /* the points by where their calls to ftrace may stand; NULL:
				     * all are alike */
	u32 bits;                   /* of a slot's number */
	bool registered;
};

/* Functions begin at multiples of 16, nearly all. */
static __always_inline u32 first_slot(const struct prt_ftrace_group *g, unsigned long ip)
{
	return hash_64(ip >> 4, g->bits);
}

static __always_inline u32 next_slot(const struct prt_ftrace_group *g, u32 at)
{
	return (at + 1) & ((1u << g->bits) - 1);
}

/* Where a call stands further behind than any is known to. */
static noinline notrace const struct slot *nearest_slot(const struct prt_ftrace_group *g,
							unsigned long ip)
{
	const struct slot *s, *best = g->slots;

	for (s = g->slots; s < g->slots + (1u << g->bits); s++)
		if (s->addr <= ip && s->addr > best->addr)
			best = s;
	return best;
}
NOKPROBE_SYMBOL(nearest_slot);

static __always_inline const struct slot *find_slot(const struct prt_ftrace_group *g,
						    unsigned long ip)
{
	u32 at = first_slot(g, ip);

	while (unlikely(ip - g->slots[at].addr > PRT_ARCH_FENTRY_MAX)) {
		if (!g->slots[at].addr)
			return nearest_slot(g, ip);
		at = next_slot(g, at);
	}
	return &g->slots[at];
}

static __always_inline void hit_list(const struct prt_point *p, struct ftrace_regs *fregs)
{
	const struct pt_regs *regs = prt_compat_ftrace_regs(fregs);
	u32 i;

	for (i = 0; i < p->n; i++)
		prt_context_hit(p->pairs[i].probe, p->pairs[i].site, regs, NULL, 0);
}

static noinline notrace void ftrace_hit_list(const struct prt_point *p, struct ftrace_regs *fregs)
{
	hit_list(p, fregs);
}
NOKPROBE_SYMBOL(ftrace_hit_list);

static void notrace ftrace_hit_slot(unsigned long ip, unsigned long parent_ip,
				    struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	const struct prt_ftrace_group *g = container_of(ops, struct prt_ftrace_group, ops);
	const struct slot *slot = find_slot(g, ip);

	if (slot->hit)
		slot->hit(ip, parent_ip, ops, fregs);
	else
		ftrace_hit_list(slot->point, fregs);
}
NOKPROBE_SYMBOL(ftrace_hit_slot);

static void notrace ftrace_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			       struct ftrace_regs *fregs)
{
	hit_list(container_of(ops, struct prt_ftrace_group, ops)->points[0], fregs);
}
NOKPROBE_SYMBOL(ftrace_hit);

/* The usual case: one probe that does not need its site, or has only one. */
static void notrace ftrace_hit_one(unsigned long ip, unsigned long parent_ip,
				   struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	const struct prt_ftrace_group *g = container_of(ops, struct prt_ftrace_group, ops);

	prt_context_hit(g->one.probe, g->one.site, prt_compat_ftrace_regs(fregs), NULL, 0);
}
NOKPROBE_SYMBOL(ftrace_hit_one);

/* The script's own function for that, or NULL. */
static prt_ftrace_hit *own_hit(const struct prt_point *p)
{
	const struct prt_probe *own = prt_point_own(p);

	BUILD_BUG_ON(prt_compat_ftrace_regs((struct ftrace_regs *)0) != (struct pt_regs *)0);
	return own ? own->hit : NULL;
}

static ftrace_func_t hit_of(const struct prt_ftrace_group *g)
{
	const struct prt_point *p = g->points[0];

	if (g->slots)
		return ftrace_hit_slot;
	if (own_hit(p))
		return (ftrace_func_t)own_hit(p);
	return p->n > 1 ? ftrace_hit : ftrace_hit_one;
}

/* ---- groups ---- */

/* The class of a point: points of one class may share a group, as they need the same registers. 0:
 * conditions arm and disarm the point, so it shares a group only with points of the same list. */
static u32 group_class(const struct prt_point *p)
{
	u32 i;

	for (i = 0; i < p->n && prt_script.probes[p->pairs[i].probe].gate; i++)
		;
	return i == p->n ? 0 : prt_point_flags(p) & PRT_NEED_REGS ? 2 : 1;
}

static int by_list(const void *x, const void *y)
{
	const struct prt_point *a = *(struct prt_point * const *)x;
	const struct prt_point *b = *(struct prt_point * const *)y;
	u32 i;

	if (group_class(a) != group_class(b))
		return group_class(a) < group_class(b) ? -1 : 1;
	if (a->n != b->n)
		return a->n < b->n ? -1 : 1;
	for (i = 0; i < a->n; i++)
		if (a->pairs[i].probe != b->pairs[i].probe)
			return a->pairs[i].probe < b->pairs[i].probe ? -1 : 1;
	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

static bool same_list(const struct prt_point *a, const struct prt_point *b)
{
	u32 i;

	for (i = 0; i < a->n && i < b->n; i++)
		if (a->pairs[i].probe != b->pairs[i].probe)
			return false;
	return a->n == b->n;
}

/* Moves the points that ftrace accepts to the front of @points, with their addresses; returns how
 * many. A call accepts all of its addresses or none, and one call for each address would copy the
 * filter as often; so halves are tried separately, in a filter that is never used. */
static u32 keep_traceable(struct ftrace_ops *scratch, struct prt_point **points,
			  unsigned long *ips, u32 n)
{
	u32 half = n / 2, kept, more;

	if (!ftrace_set_filter_ips(scratch, ips, n, 0, 1))
		return n;
	if (n == 1)
		return 0;
	kept = keep_traceable(scratch, points, ips, half);
	more = keep_traceable(scratch, points + half, ips + half, n - half);
	memmove(points + kept, points + half, more * sizeof(*points));
	memmove(ips + kept, ips + half, more * sizeof(*ips));
	return kept + more;
}

/* Puts the addresses into the filter; points that ftrace refuses leave the group. */
static int set_filter(struct prt_ftrace_group *g)
{
	unsigned long *ips = prt_alloc(g->npoints, sizeof(*ips), NUMA_NO_NODE);
	struct ftrace_ops *scratch = prt_alloc(1, sizeof(*scratch), NUMA_NO_NODE);
	int err = ips && scratch ? 0 : -ENOMEM;
	u32 i;

	for (i = 0; !err && i < g->npoints; i++)
		ips[i] = g->points[i]->addr;
	if (!err) {
		g->npoints = keep_traceable(scratch, g->points, ips, g->npoints);
		ftrace_free_filter(scratch);
	}
	if (!err && g->npoints)
		err = prt_register(ftrace_set_filter_ips(&g->ops, ips, g->npoints, 0, 1));
	kvfree(scratch);
	kvfree(ips);
	return err;
}

/* Registers the ops of @g, whose points are gated. */
static void register_group(struct prt_ftrace_group *g)
{
	int err = prt_register(register_ftrace_function(&g->ops));
	u32 i;

	g->registered = !err;
	for (i = 0; i < g->npoints; i++) {
		if (!g->points[i]->gated)
			continue;
		g->points[i]->armed = !err;
		g->points[i]->error = err;
		g->points[i]->gated = false;
	}
}

static void put_slot(struct prt_ftrace_group *g, unsigned long ip, const struct prt_point *p)
{
	u32 at = first_slot(g, ip);

	while (g->slots[at].addr && g->slots[at].addr != p->addr)
		at = next_slot(g, at);
	g->slots[at] = (struct slot){ p->addr, p, own_hit(p) };
}

/* Two for a function at most, so that most slots stay free. */
static int make_slots(struct prt_ftrace_group *g)
{
	u32 i;

	g->bits = ilog2(g->npoints) + 3;
	g->slots = prt_alloc(1u << g->bits, sizeof(*g->slots), NUMA_NO_NODE);
	for (i = 0; g->slots && i < g->npoints; i++) {
		put_slot(g, g->points[i]->addr, g->points[i]);
		put_slot(g, g->points[i]->addr + PRT_ARCH_FENTRY_MAX, g->points[i]);
	}
	return g->slots ? 0 : -ENOMEM;
}

/* Whether a hit has to know its site. */
static bool needs_slots(const struct prt_ftrace_group *g)
{
	const struct prt_point *first = g->points[0], *last = g->points[g->npoints - 1];

	return first != last && (prt_point_flags(first) & PRT_NEED_SITE || !same_list(first, last));
}

static int arm_group(struct prt_set *set, struct prt_point **points, u32 n)
{
	struct prt_ftrace_group *g = prt_alloc(1, sizeof(*g), NUMA_NO_NODE);
	u32 i;
	int err;

	if (!g)
		return -ENOMEM;
	set->groups[set->ngroups++] = g;
	g->points = points;
	g->npoints = n;
	g->ops.flags = FTRACE_OPS_FL_PERMANENT;
	if (prt_point_flags(points[0]) & PRT_NEED_REGS)
		g->ops.flags |= FTRACE_OPS_FL_SAVE_REGS;
	err = set_filter(g);
	if (err || !g->npoints)
		return err;
	if (needs_slots(g))
		err = make_slots(g);
	if (err)
		return err;
	g->one = g->points[0]->pairs[0];
	g->ops.func = hit_of(g);
	g->nleft = g->npoints;
	for (i = 0; i < g->npoints; i++) {
		g->points[i]->mechanism = PRT_MECH_FTRACE;
		g->points[i]->gated = true;
	}
	if (!prt_gate_closed(points[0]))
		register_group(g);
	return 0;
}

/* Places get all registers, as a kprobe would pass them. */
static bool has_place(const struct prt_point *p)
{
	u32 i;

	for (i = 0; i < p->n; i++)
		if (prt_script.probes[p->pairs[i].probe].kind == PRT_PLACE)
			return true;
	return false;
}

static bool are_many(struct prt_point **order, u32 n)
{
	u32 lists = 0, i;

	for (i = 0; i < n; i++)
		lists += group_class(order[i]) && (!i || !same_list(order[i - 1], order[i]));
	return lists > PRT_FTRACE_ALONE;
}

int prt_ftrace_arm(struct prt_set *set)
{
	struct prt_point **order = set->order;
	u32 n = 0, first = 0, i;
	bool many;
	int err = 0;

	/* Points that override functions are left to kprobes: ftrace lets only one of its users do
	 * so. */
	for (i = 0; i < set->entries.n; i++)
		if (!has_place(&set->entries.p[i]) &&
		    !(prt_point_flags(&set->entries.p[i]) & PRT_OVERRIDES))
			order[n++] = &set->entries.p[i];
	if (!n)
		return 0;
	sort(order, n, sizeof(*order), by_list, NULL);
	many = are_many(order, n);
	for (i = 1; i <= n && !err && !READ_ONCE(prt_session.stop); i++) {
		if (i < n && (same_list(order[first], order[i]) ||
			      (many && group_class(order[i]) &&
			       group_class(order[first]) == group_class(order[i]))))
			continue;
		err = arm_group(set, order + first, i - first);
		first = i;
	}
	return err;
}

/* ---- conditions ---- */

static void unregister_group(struct prt_ftrace_group *g)
{
	u32 i;

	unregister_ftrace_function(&g->ops);
	g->registered = false;
	for (i = 0; i < g->npoints; i++)
		if (g->points[i]->armed)
			prt_point_gate(g->points[i]);
}

static bool any_gated(const struct prt_ftrace_group *g)
{
	u32 i;

	for (i = 0; i < g->npoints; i++)
		if (g->points[i]->gated)
			return true;
	return false;
}

void prt_ftrace_follow(struct prt_set *set)
{
	u32 i;

	for (i = 0; i < set->ngroups && !READ_ONCE(prt_session.stop); i++) {
		struct prt_ftrace_group *g = set->groups[i];
		bool closed = !g->npoints || prt_gate_closed(g->points[0]);

		if (g->registered && closed)
			unregister_group(g);
		else if (!closed && any_gated(g))
			register_group(g);
	}
}

/* ---- points that leave ---- */

static bool leaves(const struct prt_point *p, unsigned long start, unsigned long end)
{
	return (p->armed || p->gated) && p->addr >= start && p->addr < end;
}

/* Never takes the last one out of the filter, which would open it for everything. */
static void leave_group(struct prt_ftrace_group *g, unsigned long start, unsigned long end)
{
	u32 i, gone = 0;

	for (i = 0; i < g->npoints; i++)
		gone += leaves(g->points[i], start, end);
	if (!gone)
		return;
	g->nleft -= gone;
	if (!g->nleft) {
		if (g->registered)
			unregister_ftrace_function(&g->ops);
		g->registered = false;
		return;
	}
	for (i = 0; i < g->npoints; i++)
		if (leaves(g->points[i], start, end))
			ftrace_set_filter_ip(&g->ops, g->points[i]->addr, 1, 0);
}

void prt_ftrace_leave(struct prt_set *set, unsigned long start, unsigned long end)
{
	u32 i;

	for (i = 0; i < set->ngroups; i++)
		leave_group(set->groups[i], start, end);
}

static void notrace guard_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			      struct ftrace_regs *fregs)
{
}

static struct ftrace_ops guard = { .func = guard_hit, .flags = FTRACE_OPS_FL_PERMANENT };
static bool guarding;

void prt_ftrace_guard(const struct prt_set *set)
{
	u32 i;

	/* An ops that comes and goes with modules or conditions can't serve as the guard. */
	for (i = 0; i < set->ngroups && !prt_script.nmodules && !prt_gate_any(); i++)
		if (set->groups[i]->registered)
			return;
	/* Without the guard, the session is no worse off than other users of kprobes. */
	if (!guarding && !prt_register(ftrace_set_filter_ip(&guard, (unsigned long)panic, 0, 1)))
		guarding = !prt_register(register_ftrace_function(&guard));
}

void prt_ftrace_unguard(void)
{
	if (guarding)
		unregister_ftrace_function(&guard);
	guarding = false;
	ftrace_free_filter(&guard);
}

void prt_ftrace_disarm(struct prt_set *set)
{
	u32 i;

	for (i = 0; i < set->ngroups; i++) {
		struct prt_ftrace_group *g = set->groups[i];

		if (g->registered)
			unregister_ftrace_function(&g->ops);
		ftrace_free_filter(&g->ops);
		kvfree(g->slots);
		kvfree(g);
	}
	set->ngroups = 0;
}
