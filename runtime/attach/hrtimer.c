/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Clocks: timers that interrupt. A probe whose period is too short for the session's thread has one
 * timer; a probe that samples what each processor does has one on each of them. The latter follow
 * CPU hotplug: the kernel's callback starts and stops them. It holds the kernel's hotplug lock, so
 * nothing there takes our locks.
 */
#include <linux/cpuhotplug.h>
#include <linux/kprobes.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <asm/irq_regs.h>

#include "attach.h"
#include "compat/hrtimer.h"
#include "context.h"
#include "memory.h"

struct tick {
	struct hrtimer timer;
	struct clock *clock;
	u64 random;               /* state of a generator; never 0 */
	u64 behind;               /* ns that no period was counted for yet */
};

/* A point's `probe`. */
struct clock {
	const struct prt_point *point;
	struct hlist_node node;   /* in the list of the hotplug callback */
	s64 period, spread;       /* ns */
	u32 nr;                   /* the probe */
	bool each;
	u32 n;                    /* ticks[], by processor where each has one */
	struct tick ticks[];
};

/* These random numbers are not fit for secrets. The kernel's own functions can't be called from
 * everywhere. */
static __always_inline u64 next_random(struct tick *t)
{
	t->random ^= t->random << 13;
	t->random ^= t->random >> 7;
	t->random ^= t->random << 17;
	return t->random;
}

static __always_inline s64 next_period(struct tick *t)
{
	const struct clock *c = t->clock;

	if (!c->spread)
		return c->period;
	return max_t(s64, c->period - c->spread + (s64)(next_random(t) % (2 * (u64)c->spread + 1)),
		     PRT_CLOCK_SHORTEST);
}

/* Moves the timer to the end of a period that has not ended, and returns how many have ended. Where
 * the kernel's timers have no high resolution, it moves a timer by whole ticks, which may be
 * several periods. */
static __always_inline u64 next_time(struct tick *t)
{
	u64 period = next_period(t);
	ktime_t before = hrtimer_get_expires(&t->timer);

	hrtimer_forward_now(&t->timer, ns_to_ktime(period));
	t->behind += ktime_to_ns(ktime_sub(hrtimer_get_expires(&t->timer), before));
	return div64_u64_rem(t->behind, period, &t->behind);
}

static enum hrtimer_restart clock_hit(struct hrtimer *timer)
{
	struct tick *t = container_of(timer, struct tick, timer);
	const struct clock *c = t->clock;
	const struct prt_point *p = c->point;
	u64 passed;
	u32 i;

	for (i = 0; i < p->n; i++)
		prt_context_hit(p->pairs[i].probe, p->pairs[i].site, get_irq_regs(), NULL, 0);
	passed = next_time(t);
	if (passed > 1 && READ_ONCE(prt_session.running))
		this_cpu_read(prt_contexts)->tally[c->nr].counts.overruns += passed - 1;
	return HRTIMER_RESTART;
}
NOKPROBE_SYMBOL(clock_hit);

/* ---- on each processor ---- */

static enum cpuhp_state clock_hotplug;   /* 0: none */
static u32 clocks_each;                  /* that it calls */

/* Runs on a processor that has just come online, or is about to go offline. */
static int on_online(unsigned int cpu, struct hlist_node *node)
{
	struct tick *t = &hlist_entry(node, struct clock, node)->ticks[cpu];

	hrtimer_start(&t->timer, ns_to_ktime(next_period(t)), HRTIMER_MODE_REL_PINNED_HARD);
	return 0;
}

static int on_offline(unsigned int cpu, struct hlist_node *node)
{
	hrtimer_cancel(&hlist_entry(node, struct clock, node)->ticks[cpu].timer);
	return 0;
}

static int arm_each(struct clock *c)
{
	int state;

	if (!clock_hotplug) {
		state = prt_fails() ? -ENOMEM :
			cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, "probec:online", on_online,
						on_offline);
		if (state < 0)
			return state;
		clock_hotplug = state;
	}
	state = prt_register(cpuhp_state_add_instance(clock_hotplug, &c->node));
	clocks_each += !state;
	return state;
}

static void disarm_each(struct clock *c)
{
	cpuhp_state_remove_instance(clock_hotplug, &c->node);
	clocks_each--;
}

/* ---- arming ---- */

/* Returns the clock that the point had before its gate closed, or a new one. */
static struct clock *clock_of(struct prt_point *p)
{
	const struct prt_probe *probe = &prt_script.probes[p->pairs[0].probe];
	bool each = probe->flags & PRT_EACH_CPU;
	u32 n = each ? nr_cpu_ids : 1, i;
	struct clock *c = p->probe;

	if (c)
		return c;
	c = prt_alloc(1, struct_size(c, ticks, n), NUMA_NO_NODE);
	if (!c)
		return NULL;
	c->point = p;
	c->nr = p->pairs[0].probe;
	c->period = prt_timer_ns(probe, probe->period_ns);
	c->spread = prt_timer_ns(probe, probe->randomize_ns);
	c->each = each;
	c->n = n;
	for (i = 0; i < n; i++) {
		c->ticks[i].clock = c;
		c->ticks[i].random = get_random_u64() | 1;
		prt_compat_hrtimer(&c->ticks[i].timer, clock_hit, each ?
				   HRTIMER_MODE_REL_PINNED_HARD : HRTIMER_MODE_REL_HARD);
	}
	return c;
}

static void clock_arm(struct prt_point *p)
{
	struct clock *c = clock_of(p);

	p->mechanism = PRT_MECH_HRTIMER;
	p->probe = c;
	if (!c)
		p->error = -ENOMEM;
	else if (c->each)
		p->error = arm_each(c);
	else if (prt_fails())
		p->error = -ENOMEM;
	else
		hrtimer_start(&c->ticks[0].timer, ns_to_ktime(next_period(&c->ticks[0])),
			      HRTIMER_MODE_REL_HARD);
	prt_point_set_armed(p, !p->error);
}

static void clock_disarm(struct prt_point *points, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++) {
		struct clock *c = points[i].probe;

		if (!points[i].armed)
			continue;
		if (c->each)
			disarm_each(c);
		else
			hrtimer_cancel(&c->ticks[0].timer);
	}
	if (clock_hotplug && !clocks_each) {
		cpuhp_remove_multi_state(clock_hotplug);
		clock_hotplug = 0;
	}
}

const struct prt_family prt_clock_family = {
	.kind = PRT_CLOCK, .arm = clock_arm, .disarm = clock_disarm,
};
