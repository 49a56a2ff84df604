/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entry probes by ftrace: 2.5 times cheaper than kprobes, and any number of functions is armed in
 * one pass.
 *
 * One ftrace_ops a group, a group being the points at which the same probes run. An ops whose
 * filter is empty would trace every function of the kernel, so one is registered only after at
 * least one address was accepted; and one whose filter was freed is never used again. The kernel
 * waits, when an ops in module memory is unregistered, until no task is in its trampoline or
 * handler any more.
 *
 * When a module goes, its functions leave the filters: another module may be loaded at the same
 * address. It may go at any moment, so that is watched from before the first function is armed.
 *
 * Kprobes where a function begins are ftrace's as well, but the kernel lets kernel.ftrace_enabled be
 * set to 0 under them: they fall silent, and when one is removed then, ftrace loses count and warns.
 * So while there are kprobes and no ops of ours, a guard stands at a function that nobody calls.
 */
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/panic.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "attach.h"
#include "compat/ftrace.h"
#include "context.h"

struct group {
	struct ftrace_ops ops;
	struct prt_pair one;        /* of the only probe */
	struct prt_point **points;  /* ascending by address */
	u32 npoints;
	u32 nleft;                  /* points in the filter; those of modules leave with them */
	u32 nprobes;                /* length of each point's list */
	bool lookup;                /* a probe wants its site, and there are several */
	bool registered;
};

static DEFINE_MUTEX(groups_lock);   /* groups[0 .. ngroups): this thread and who removes a module */
static struct group **groups;
static struct prt_point **order;    /* points by their lists; the groups' points[] lie in it */
static u32 ngroups;
static bool watching;                /* the notifier is registered */

/* The point of a hit: the last one whose address is not above @ip. The call to ftrace stands a
 * few bytes behind the function's address where that begins with endbr64. */
static __always_inline const struct prt_point *find_point(const struct group *g, unsigned long ip)
{
	u32 low = 0, high = g->npoints;

	while (high - low > 1) {
		u32 mid = (low + high) / 2;

		if (g->points[mid]->addr <= ip)
			low = mid;
		else
			high = mid;
	}
	return g->points[low];
}

static void notrace ftrace_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			       struct ftrace_regs *fregs)
{
	const struct group *g = container_of(ops, struct group, ops);
	const struct prt_point *p = g->lookup ? find_point(g, ip) : g->points[0];
	const struct pt_regs *regs = prt_compat_ftrace_regs(fregs);
	u32 i;

	for (i = 0; i < g->nprobes; i++)
		prt_context_hit(p->pairs[i].probe, p->pairs[i].site, regs, NULL, 0);
}
NOKPROBE_SYMBOL(ftrace_hit);

/* The usual case of it: one probe, which does not ask where it was hit, or can only be hit at one
 * place. */
static void notrace ftrace_hit_one(unsigned long ip, unsigned long parent_ip,
				   struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	const struct group *g = container_of(ops, struct group, ops);

	prt_context_hit(g->one.probe, g->one.site, prt_compat_ftrace_regs(fregs), NULL, 0);
}
NOKPROBE_SYMBOL(ftrace_hit_one);

static int by_list(const void *x, const void *y)
{
	const struct prt_point *a = *(struct prt_point * const *)x;
	const struct prt_point *b = *(struct prt_point * const *)y;
	u32 i;

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

/* Puts the addresses into the filter; what ftrace refuses leaves the group. */
static void set_filter(struct group *g)
{
	unsigned long *ips = kvmalloc_array(g->npoints, sizeof(*ips), GFP_KERNEL);
	u32 i, n = 0;

	if (ips) {
		for (i = 0; i < g->npoints; i++)
			ips[i] = g->points[i]->addr;
		i = ftrace_set_filter_ips(&g->ops, ips, g->npoints, 0, 1);
		kvfree(ips);
		if (!i)
			return;
	}
	for (i = 0; i < g->npoints; i++)
		if (!ftrace_set_filter_ip(&g->ops, g->points[i]->addr, 0, n == 0))
			g->points[n++] = g->points[i];
	g->npoints = n;
}

static int arm_group(struct prt_point **points, u32 n)
{
	struct group *g = kzalloc(sizeof(*g), GFP_KERNEL);
	unsigned long flags = FTRACE_OPS_FL_PERMANENT;
	u32 i, wanted = 0;
	int err;

	if (!g)
		return -ENOMEM;
	groups[ngroups++] = g;
	g->points = points;
	g->npoints = n;
	g->nprobes = points[0]->n;
	for (i = 0; i < g->nprobes; i++) {
		wanted |= prt_script.probes[points[0]->pairs[i].probe].flags;
		if (wanted & PRT_NEED_REGS)
			flags |= FTRACE_OPS_FL_SAVE_REGS;
	}
	g->ops.flags = flags;
	set_filter(g);
	if (!g->npoints)
		return 0;
	g->lookup = (wanted & PRT_NEED_SITE) && g->npoints > 1;
	g->one = g->points[0]->pairs[0];
	g->ops.func = g->lookup || g->nprobes > 1 ? ftrace_hit : ftrace_hit_one;
	err = register_ftrace_function(&g->ops);
	g->registered = !err;
	g->nleft = g->npoints;
	for (i = 0; i < g->npoints; i++) {
		g->points[i]->mechanism = PRT_MECH_FTRACE;
		g->points[i]->armed = g->registered;
		g->points[i]->error = err;
	}
	return 0;
}

static bool goes_with(const struct prt_point *p, const struct module *mod)
{
	return p->armed && within_module(p->addr, mod);
}

/* Takes the points of @mod out of @g; never the last one, which would open the filter for
 * everything. */
static void leave_module(struct group *g, const struct module *mod)
{
	u32 i, gone = 0;

	for (i = 0; i < g->npoints; i++)
		gone += goes_with(g->points[i], mod);
	if (!gone || !g->registered)
		return;
	g->nleft -= gone;
	if (!g->nleft) {
		g->registered = false;
		unregister_ftrace_function(&g->ops);
	}
	for (i = 0; i < g->npoints; i++) {
		if (!goes_with(g->points[i], mod))
			continue;
		g->points[i]->armed = false;
		if (g->registered)
			ftrace_set_filter_ip(&g->ops, g->points[i]->addr, 1, 0);
	}
}

static int on_module(struct notifier_block *nb, unsigned long what, void *mod)
{
	u32 i;

	if (what != MODULE_STATE_GOING)
		return NOTIFY_DONE;
	mutex_lock(&groups_lock);
	for (i = 0; i < ngroups; i++)
		leave_module(groups[i], mod);
	mutex_unlock(&groups_lock);
	return NOTIFY_DONE;
}

static struct notifier_block module_watch = { .notifier_call = on_module };

int prt_ftrace_arm(struct prt_point *points, u32 n)
{
	u32 i, first = 0;
	int err;

	if (!n)
		return 0;
	order = kvcalloc(n, sizeof(*order), GFP_KERNEL);
	groups = kvcalloc(n, sizeof(*groups), GFP_KERNEL);
	if (!order || !groups)
		return -ENOMEM;
	for (i = 0; i < n; i++)
		order[i] = &points[i];
	sort(order, n, sizeof(*order), by_list, NULL);
	err = register_module_notifier(&module_watch);
	watching = !err;
	for (i = 1; i <= n && !err && !READ_ONCE(prt_session.stop); i++) {
		if (i < n && same_list(order[first], order[i]))
			continue;
		mutex_lock(&groups_lock);
		err = arm_group(order + first, i - first);
		mutex_unlock(&groups_lock);
		first = i;
	}
	return err;
}

static void notrace guard_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			      struct ftrace_regs *fregs)
{
}

static struct ftrace_ops guard = { .func = guard_hit, .flags = FTRACE_OPS_FL_PERMANENT };
static bool guarding;

void prt_ftrace_guard(void)
{
	u32 i;

	for (i = 0; i < ngroups; i++)
		if (groups[i]->registered)
			return;
	/* Without it the session is as good as any other user of kprobes. */
	if (!ftrace_set_filter_ip(&guard, (unsigned long)panic, 0, 1))
		guarding = !register_ftrace_function(&guard);
}

void prt_ftrace_disarm(void)
{
	u32 i;

	if (guarding)
		unregister_ftrace_function(&guard);
	guarding = false;
	ftrace_free_filter(&guard);

	if (watching)
		unregister_module_notifier(&module_watch);
	watching = false;
	for (i = 0; i < ngroups; i++) {
		if (groups[i]->registered)
			unregister_ftrace_function(&groups[i]->ops);
		ftrace_free_filter(&groups[i]->ops);
		kfree(groups[i]);
	}
	ngroups = 0;
	kvfree(groups);
	kvfree(order);
	groups = NULL;
	order = NULL;
}
