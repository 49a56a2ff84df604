/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Watchpoints: the processor's own, on every processor. The hit comes after the instruction that
 * wrote or read; accesses by the handler itself do not count. There are few watchpoints: probes
 * that watch one address in the same way share one.
 */
#include <linux/hw_breakpoint.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/perf_event.h>

#include "attach.h"
#include "context.h"
#include "events.h"
#include "memory.h"
#include "returns.h"
#include "watch.h"

/* A point's `probe`: one for each of its pairs. */
struct watch {
	/* NULL: none, or an earlier watchpoint also serves this pair */
	struct prt_events *events;
	const struct prt_point *point;
	u32 nr;                              /* of its pair */
};

static bool same_watch(const struct prt_pair *a, const struct prt_pair *b)
{
	const struct prt_event *x = &prt_script.probes[a->probe].event;
	const struct prt_event *y = &prt_script.probes[b->probe].event;

	return x->length == y->length && x->is_access == y->is_access;
}

bool prt_watch_is_first(const struct prt_point *p, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++)
		if (same_watch(&p->pairs[i], &p->pairs[nr]))
			return false;
	return true;
}

void prt_watch_attr(const struct prt_point *p, u32 nr, unsigned long addr,
		    struct perf_event_attr *ret)
{
	const struct prt_event *wanted = &prt_script.probes[p->pairs[nr].probe].event;

	hw_breakpoint_init(ret);
	ret->bp_addr = addr;
	ret->bp_len = wanted->length;
	ret->bp_type = wanted->is_access ? HW_BREAKPOINT_RW : HW_BREAKPOINT_W;
}

void prt_watch_hit(const struct prt_point *p, u32 nr, struct pt_regs *regs)
{
	const struct prt_pair *pairs = p->pairs;
	u32 i;

	for (i = nr; i < p->n; i++)
		if (same_watch(&pairs[i], &pairs[nr]))
			prt_context_hit(pairs[i].probe, pairs[i].site, regs, NULL, 0);
}
NOKPROBE_SYMBOL(prt_watch_hit);

void prt_watch_missed(const struct prt_point *p, u32 nr)
{
	unsigned long flags;
	u32 i;

	raw_local_irq_save(flags);
	for (i = nr; i < p->n; i++)
		if (same_watch(&p->pairs[i], &p->pairs[nr]))
			prt_returns_count_missed(p, i);
	raw_local_irq_restore(flags);
}

static void watch_hit(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	const struct watch *w = event->overflow_handler_context;

	prt_watch_hit(w->point, w->nr, regs);
}
NOKPROBE_SYMBOL(watch_hit);

static int arm_pair(struct watch *w)
{
	struct perf_event_attr attr;

	if (!prt_watch_is_first(w->point, w->nr))
		return 0;
	prt_watch_attr(w->point, w->nr, w->point->addr, &attr);
	w->events = prt_events_new(&attr, watch_hit, w);
	return w->events ? prt_events_make(w->events) : -ENOMEM;
}

static void drop_pairs(struct watch *w, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++) {
		prt_events_drop(w[i].events);
		kvfree(w[i].events);
		w[i].events = NULL;
	}
}

static void watch_arm(struct prt_point *p)
{
	struct watch *w = prt_alloc(p->n, sizeof(*w), NUMA_NO_NODE);
	u32 i;

	p->mechanism = PRT_MECH_WATCHPOINT;
	p->probe = w;
	p->error = w ? 0 : -ENOMEM;
	for (i = 0; i < p->n && !p->error; i++) {
		w[i].point = p;
		w[i].nr = i;
		p->error = arm_pair(&w[i]);
	}
	prt_point_set_armed(p, !p->error);
	if (p->error && w)
		drop_pairs(w, p->n);
}

static void watch_turn(struct prt_point *p, bool on)
{
	struct watch *w = p->probe;
	u32 i;

	for (i = 0; i < p->n; i++)
		if (w[i].events)
			prt_events_turn(w[i].events, on);
}

static void watch_disarm(struct prt_point *points, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		if (points[i].probe)
			drop_pairs(points[i].probe, points[i].n);
}

const struct prt_family prt_watch_family = {
	.kind = PRT_WATCH, .arm = watch_arm, .disarm = watch_disarm, .turn = watch_turn,
};
