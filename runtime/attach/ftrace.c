/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entry probes by ftrace: 2.5 times cheaper than kprobes, and any number of functions is armed in
 * one pass.
 *
 * Points with the same probes form a bundle, and each bundle has one ftrace_ops, so a hit knows
 * what to do. To register an ops, and even more so to remove it, costs the kernel the same for one
 * function as for a thousand. A set with many different lists of probes therefore has one bundle
 * for all of them, whose hits look the probes up by the address. Conditions arm and disarm whole
 * bundles, so points with conditions stay in bundles of their own. Points that only have switches
 * do not, because with --monitor these are all; so where one bundle has many lists, it stays
 * registered until all of its probes are switched off. Where the kernel copies a filter for each
 * address, bundles have a limited size (prt_compat_ftrace_most()).
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
#include <linux/slab.h>
#include <linux/sort.h>

#include "arch/arch.h"
#include "attach.h"
#include "compat/ftrace.h"
#include "compat/ftrace_filter.h"
#include "compat/kernel.h"
#include "context.h"
#include "memory.h"

struct ftrace_row {
	unsigned long addr;         /* 0: empty row */
	const struct prt_point *point;
	prt_ftrace_hit *hit;        /* the hit function of its only probe; NULL: use the list of
				     * probes */
	const struct prt_site *site; /* the first site of the point */
};

struct prt_ftrace_bundle {
	struct ftrace_ops ops;
	struct prt_pair one;        /* of the only probe */
	prt_ftrace_hit_at *hit_at;  /* the hit function of the only probe, which reads the site;
				     * NULL: there is none, or several probes */
	struct prt_point **points;
	u32 npoints;
	u32 nleft;                  /* points in the filter, without those of removed modules */
	struct ftrace_row *rows;    /* the points by the address of their calls to ftrace; NULL:
				     * all are alike */
	u32 bits;                   /* of a row's number */
	bool registered;
};

/* Nearly all functions begin at multiples of 16. */
static __always_inline u32 first_row(const struct prt_ftrace_bundle *b, unsigned long ip)
{
	return hash_64(ip >> 4, b->bits);
}

static __always_inline u32 next_row(const struct prt_ftrace_bundle *b, u32 at)
{
	return (at + 1) & ((1u << b->bits) - 1);
}

/* Fallback for a call to ftrace that is further from the beginning than expected. */
static noinline notrace const struct ftrace_row *nearest_row(const struct prt_ftrace_bundle *b,
							     unsigned long ip)
{
	const struct ftrace_row *s, *best = b->rows;

	for (s = b->rows; s < b->rows + (1u << b->bits); s++)
		if (s->addr <= ip && s->addr > best->addr)
			best = s;
	return best;
}
NOKPROBE_SYMBOL(nearest_row);

static __always_inline const struct ftrace_row *find_row(const struct prt_ftrace_bundle *b,
							 unsigned long ip)
{
	u32 at = first_row(b, ip);

	while (unlikely(ip - b->rows[at].addr > PRT_ARCH_FENTRY_MAX)) {
		if (!b->rows[at].addr)
			return nearest_row(b, ip);
		at = next_row(b, at);
	}
	return &b->rows[at];
}

static __always_inline void hit_list(const struct prt_point *p, prt_ftrace_regs *fregs)
{
	const struct pt_regs *regs = prt_compat_ftrace_regs(fregs);
	struct prt_span span = prt_point_span(p, regs);
	u32 i;

	for (i = span.from; i < span.to; i++)
		prt_context_hit(p->pairs[i].probe, p->pairs[i].site, regs, NULL, 0);
}

static noinline notrace void ftrace_hit_list(const struct prt_point *p, prt_ftrace_regs *fregs)
{
	hit_list(p, fregs);
}
NOKPROBE_SYMBOL(ftrace_hit_list);

static void notrace ftrace_hit_row(unsigned long ip, unsigned long parent_ip,
				   struct ftrace_ops *ops, prt_ftrace_regs *fregs)
{
	const struct prt_ftrace_bundle *b = container_of(ops, struct prt_ftrace_bundle, ops);
	const struct ftrace_row *row = find_row(b, ip);

	if (row->hit)
		row->hit(ip, parent_ip, ops, fregs);
	else
		ftrace_hit_list(row->point, fregs);
}
NOKPROBE_SYMBOL(ftrace_hit_row);

/* One probe that needs its site and has several. */
static void notrace ftrace_hit_at(unsigned long ip, unsigned long parent_ip,
				  struct ftrace_ops *ops, prt_ftrace_regs *fregs)
{
	const struct prt_ftrace_bundle *b = container_of(ops, struct prt_ftrace_bundle, ops);

	b->hit_at(find_row(b, ip)->site, fregs);
}
NOKPROBE_SYMBOL(ftrace_hit_at);

static void notrace ftrace_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			       prt_ftrace_regs *fregs)
{
	hit_list(container_of(ops, struct prt_ftrace_bundle, ops)->points[0], fregs);
}
NOKPROBE_SYMBOL(ftrace_hit);

/* The usual case: one probe that does not need its site, or has only one. */
static void notrace ftrace_hit_one(unsigned long ip, unsigned long parent_ip,
				   struct ftrace_ops *ops, prt_ftrace_regs *fregs)
{
	const struct prt_ftrace_bundle *b = container_of(ops, struct prt_ftrace_bundle, ops);

	prt_context_hit(b->one.probe, b->one.site, prt_compat_ftrace_regs(fregs), NULL, 0);
}
NOKPROBE_SYMBOL(ftrace_hit_one);

/* The hit function of the script, or NULL. */
static prt_ftrace_hit *own_hit(const struct prt_point *p)
{
	const struct prt_probe *own = prt_point_own(p);

	BUILD_BUG_ON(prt_compat_ftrace_regs((prt_ftrace_regs *)0) != (struct pt_regs *)0);
	return own ? own->hit : NULL;
}

static ftrace_func_t hit_of(const struct prt_ftrace_bundle *b)
{
	const struct prt_point *p = b->points[0];

	if (b->rows)
		return b->hit_at ? ftrace_hit_at : ftrace_hit_row;
	if (own_hit(p))
		return own_hit(p);
	return p->n > 1 || p->by_syscall ? ftrace_hit : ftrace_hit_one;
}

/* ---- bundles ---- */

/* A place gets all registers, as a kprobe would pass them. */
static bool has_place(const struct prt_point *p)
{
	u32 i;

	for (i = 0; i < p->n; i++)
		if (prt_script.probes[p->pairs[i].probe].kind == PRT_PLACE)
			return true;
	return false;
}

static bool needs_registers(const struct prt_point *p)
{
	return prt_point_flags(p) & PRT_NEED_REGS || has_place(p);
}

/* The class of a point: points of one class may share a bundle, as they need the same registers. 0:
 * conditions arm and disarm the point, so it shares a bundle only with points of the same list; or
 * its list is by system calls, and so is no other's. */
static u32 bundle_class(const struct prt_point *p)
{
	u32 i;

	if (p->by_syscall)
		return 0;
	for (i = 0; i < p->n && prt_script.probes[p->pairs[i].probe].gate; i++)
		;
	return i == p->n ? 0 : needs_registers(p) ? 2 : 1;
}

static int by_list(const void *x, const void *y)
{
	const struct prt_point *a = *(struct prt_point * const *)x;
	const struct prt_point *b = *(struct prt_point * const *)y;
	u32 i;

	if (bundle_class(a) != bundle_class(b))
		return bundle_class(a) < bundle_class(b) ? -1 : 1;
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

	if (a->by_syscall || b->by_syscall)
		return a == b;
	for (i = 0; i < a->n && i < b->n; i++)
		if (a->pairs[i].probe != b->pairs[i].probe)
			return false;
	return a->n == b->n;
}

/* Moves the points that ftrace accepts to the front of @points, with their addresses; returns how
 * many. ftrace takes all of a call's addresses or none, and one call for each address would copy
 * the filter as often; so the addresses are bisected, in a filter that is never used. */
static u32 keep_traceable(struct ftrace_ops *scratch, struct prt_point **points,
			  unsigned long *ips, u32 n)
{
	u32 half = n / 2, kept, more;

	if (prt_compat_ftrace_takes(scratch, ips, n))
		return n;
	if (n == 1)
		return 0;
	kept = keep_traceable(scratch, points, ips, half);
	more = keep_traceable(scratch, points + half, ips + half, n - half);
	memmove(points + kept, points + half, more * sizeof(*points));
	memmove(ips + kept, ips + half, more * sizeof(*ips));
	return kept + more;
}

/* Puts the addresses into the filter; points that ftrace refuses leave the bundle. */
static int set_filter(struct prt_ftrace_bundle *b)
{
	unsigned long *ips = prt_alloc(b->npoints, sizeof(*ips), NUMA_NO_NODE);
	struct ftrace_ops *scratch = prt_alloc(1, sizeof(*scratch), NUMA_NO_NODE);
	int err = ips && scratch ? 0 : -ENOMEM;
	u32 i;

	for (i = 0; !err && i < b->npoints; i++)
		ips[i] = b->points[i]->addr;
	if (!err) {
		b->npoints = keep_traceable(scratch, b->points, ips, b->npoints);
		prt_compat_ftrace_free(scratch);
	}
	if (!err && b->npoints)
		err = prt_register(prt_compat_ftrace_filter(&b->ops, ips, b->npoints));
	kvfree(scratch);
	kvfree(ips);
	return err;
}

/* Registers the ops of @b, whose points are gated. */
static void register_bundle(struct prt_ftrace_bundle *b)
{
	int err = prt_register(register_ftrace_function(&b->ops));
	u32 i;

	b->registered = !err;
	for (i = 0; i < b->npoints; i++) {
		if (!b->points[i]->gated)
			continue;
		b->points[i]->error = err;
		prt_point_set_armed(b->points[i], !err);
		b->points[i]->gated = false;
	}
}

static void put_row(struct prt_ftrace_bundle *b, unsigned long ip, const struct prt_point *p)
{
	u32 at = first_row(b, ip);

	while (b->rows[at].addr && b->rows[at].addr != p->addr)
		at = next_row(b, at);
	b->rows[at] = (struct ftrace_row){ p->addr, p, own_hit(p), p->pairs[0].site };
}

/* A function takes at most two rows, so most rows stay free. */
static int make_rows(struct prt_ftrace_bundle *b)
{
	u32 i;

	b->bits = ilog2(b->npoints) + 3;
	b->rows = prt_alloc(1u << b->bits, sizeof(*b->rows), NUMA_NO_NODE);
	for (i = 0; b->rows && i < b->npoints; i++) {
		put_row(b, b->points[i]->addr, b->points[i]);
		put_row(b, b->points[i]->addr + PRT_ARCH_FENTRY_MAX, b->points[i]);
	}
	return b->rows ? 0 : -ENOMEM;
}

/* Whether the points of @b, which are sorted, all have the same list of probes. */
static bool are_alike(const struct prt_ftrace_bundle *b)
{
	return same_list(b->points[0], b->points[b->npoints - 1]);
}

/* Whether a hit has to know its site. */
static bool needs_rows(const struct prt_ftrace_bundle *b)
{
	return b->npoints > 1 && (prt_point_flags(b->points[0]) & PRT_NEED_SITE || !are_alike(b));
}

static bool is_closed(const struct prt_ftrace_bundle *b)
{
	u32 i;

	for (i = 0; i < b->npoints; i++)
		if (!prt_gate_closed(b->points[i]))
			return false;
	return true;
}

static int arm_bundle(struct prt_set *set, struct prt_point **points, u32 n)
{
	struct prt_ftrace_bundle *b = prt_alloc(1, sizeof(*b), NUMA_NO_NODE);
	const struct prt_probe *own;
	u32 i;
	int err;

	if (!b)
		return -ENOMEM;
	set->bundles[set->nbundles++] = b;
	b->points = points;
	b->npoints = n;
	b->ops.flags = PRT_COMPAT_FTRACE_FLAGS;
	if (needs_registers(points[0]))
		b->ops.flags |= FTRACE_OPS_FL_SAVE_REGS;
	err = set_filter(b);
	if (err || !b->npoints)
		return err;
	if (needs_rows(b))
		err = make_rows(b);
	if (err)
		return err;
	b->one = b->points[0]->pairs[0];
	own = prt_point_own(b->points[0]);
	b->hit_at = own && are_alike(b) ? own->hit_at : NULL;
	b->ops.func = hit_of(b);
	b->nleft = b->npoints;
	for (i = 0; i < b->npoints; i++) {
		b->points[i]->mechanism = PRT_MECH_FTRACE;
		b->points[i]->gated = true;
	}
	if (!is_closed(b))
		register_bundle(b);
	return 0;
}

/* Points that override functions are left to kprobes, because ftrace lets only one of its users
 * change the ip. A place in the middle of a function has no call to ftrace. */
static bool may_trace(const struct prt_point *p)
{
	const struct prt_site *site = p->pairs[0].site;

	if (prt_point_flags(p) & PRT_OVERRIDES)
		return false;
#ifndef PRT_COMPAT_FTRACE_ALL_REGS
	if (needs_registers(p))
		return false;
#endif
	return !has_place(p) || (*site->symbol && !site->offset);
}

static bool are_many(struct prt_point **order, u32 n)
{
	u32 lists = 0, i;

	for (i = 0; i < n; i++)
		lists += bundle_class(order[i]) && (!i || !same_list(order[i - 1], order[i]));
	return lists > PRT_FTRACE_ALONE;
}

static bool may_share(const struct prt_point *a, const struct prt_point *b, bool many)
{
	return same_list(a, b) ||
	       (many && bundle_class(b) && bundle_class(a) == bundle_class(b));
}

int prt_ftrace_arm(struct prt_set *set)
{
	struct prt_point **order = set->order;
	u32 n = 0, first = 0, most, i;
	bool many;
	int err = 0;

	for (i = 0; i < set->entries.n; i++)
		if (may_trace(&set->entries.p[i]))
			order[n++] = &set->entries.p[i];
	if (!n)
		return 0;
	sort(order, n, sizeof(*order), by_list, NULL);
	many = are_many(order, n);
	most = prt_compat_ftrace_most();
	for (i = 1; i <= n && !err && !READ_ONCE(prt_session.stop); i++) {
		if (i < n && i - first < most &&
		    may_share(order[first], order[i], many))
			continue;
		err = arm_bundle(set, order + first, i - first);
		first = i;
	}
	return err;
}

/* ---- conditions ---- */

static void unregister_bundle(struct prt_ftrace_bundle *b)
{
	u32 i;

	unregister_ftrace_function(&b->ops);
	b->registered = false;
	for (i = 0; i < b->npoints; i++)
		if (b->points[i]->armed)
			prt_point_gate(b->points[i]);
}

static bool any_gated(const struct prt_ftrace_bundle *b)
{
	u32 i;

	for (i = 0; i < b->npoints; i++)
		if (b->points[i]->gated)
			return true;
	return false;
}

void prt_ftrace_follow(struct prt_set *set)
{
	u32 i;

	for (i = 0; i < set->nbundles && !READ_ONCE(prt_session.stop); i++) {
		struct prt_ftrace_bundle *b = set->bundles[i];
		bool closed = is_closed(b);

		if (b->registered && closed)
			unregister_bundle(b);
		else if (!closed && any_gated(b))
			register_bundle(b);
	}
}

/* ---- points that leave ---- */

static bool leaves(const struct prt_point *p, unsigned long start, unsigned long end)
{
	return (p->armed || p->gated) && p->addr >= start && p->addr < end;
}

/* Never removes the last address from the filter: an empty filter traces everything. */
static void leave_bundle(struct prt_ftrace_bundle *b, unsigned long start, unsigned long end)
{
	u32 i, gone = 0;

	for (i = 0; i < b->npoints; i++)
		gone += leaves(b->points[i], start, end);
	if (!gone)
		return;
	b->nleft -= gone;
	if (!b->nleft) {
		if (b->registered)
			unregister_ftrace_function(&b->ops);
		b->registered = false;
		return;
	}
	for (i = 0; i < b->npoints; i++)
		if (leaves(b->points[i], start, end))
			ftrace_set_filter_ip(&b->ops, b->points[i]->addr, 1, 0);
}

void prt_ftrace_leave(struct prt_set *set, unsigned long start, unsigned long end)
{
	u32 i;

	for (i = 0; i < set->nbundles; i++)
		leave_bundle(set->bundles[i], start, end);
}

static void notrace guard_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			      prt_ftrace_regs *fregs)
{
}

static struct ftrace_ops guard = { .func = guard_hit, .flags = PRT_COMPAT_FTRACE_FLAGS };
static bool guarding;

void prt_ftrace_guard(const struct prt_set *set)
{
	u32 i;

	/* An ops that comes and goes with modules or conditions can't serve as the guard. */
	for (i = 0; i < set->nbundles && !prt_script.nmodules && !prt_gate_any(); i++)
		if (set->bundles[i]->registered)
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
	prt_compat_ftrace_free(&guard);
}

void prt_ftrace_disarm(struct prt_set *set)
{
	u32 i;

	for (i = 0; i < set->nbundles; i++) {
		struct prt_ftrace_bundle *b = set->bundles[i];

		if (b->registered)
			unregister_ftrace_function(&b->ops);
		prt_compat_ftrace_free(&b->ops);
		kvfree(b->rows);
		kvfree(b);
	}
	set->nbundles = 0;
}
