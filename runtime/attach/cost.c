/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of elapsed times that is the runtime's own.
 *
 * elapsed_ns() is the time from the last thing that a return probe does at the entry of a call to
 * the handler at its return. Between them are not only the function, but also the way from the
 * entry's code to the function, and from the function to the handler. So each mechanism is measured
 * before its first point is armed, if the session asks for it: what is the shortest time that a
 * call of a function of our own seems to take, which does nothing?
 *
 * It is a lower bound. The handler's own code before elapsed_ns(), other probes of the same
 * function, other users of ftrace and cold caches add to it. It is not measured for breakpoints,
 * since the kernel replaces some of them by jumps later, and those of programs need a process. Nor
 * is it known for times that the library takes by two probes.
 */
#include <linux/irqflags.h>
#include <linux/kprobes.h>

#include "attach.h"
#include "clock.h"
#include "memory.h"

enum { COST_RUNS = 64 };

static u64 *costs;           /* nanoseconds, by probe; 0: not measured. NULL: nobody asked */
static u64 shortest;         /* ticks: of the calls that are being measured */

u64 prt_cost_memory(void)
{
	return prt_script.nprobes * sizeof(*costs);
}

int prt_cost_setup(void)
{
	if (!(prt_session.setup.flags & (PRT_SETUP_COST | PRT_SETUP_SUBTRACT_COST)))
		return 0;
	costs = prt_alloc(prt_script.nprobes, sizeof(*costs), NUMA_NO_NODE);
	if (prt_session.setup.flags & PRT_SETUP_SUBTRACT_COST)
		prt_clock.costs = costs;
	return costs ? 0 : -ENOMEM;
}

void prt_cost_free(void)
{
	prt_clock.costs = NULL;
	kvfree(costs);
	costs = NULL;
}

static bool keeps_time(const struct prt_pair *pair)
{
	return prt_script.probes[pair->probe].flags & PRT_ENTRY_TIME;
}

/* Whether the session asks how much of the elapsed times at @p is the runtime's own. */
static bool cost_wanted(const struct prt_point *p)
{
	u32 i;

	for (i = 0; costs && i < p->n; i++)
		if (keeps_time(&p->pairs[i]))
			return true;
	return false;
}

u64 prt_cost_before(const struct prt_point *p, struct prt_cost *cost, u64 (*measure)(void))
{
	if (!cost_wanted(p))
		return 0;
	if (!cost->measured) {
		cost->measured = true;
		cost->ticks = measure();
	}
	return cost->ticks;
}

void prt_cost_set(const struct prt_point *p, u64 ticks)
{
	u64 ns = mul_u64_u64_shr(ticks, prt_clock.ns_per_tick, 32);
	u32 i;

	for (i = 0; ticks && i < p->n; i++) {
		u64 *cost = &costs[p->pairs[i].probe];

		if (keeps_time(&p->pairs[i]) && (!*cost || ns < *cost))
			WRITE_ONCE(*cost, ns);
	}
}

s64 prt_cost_of(u32 nr)
{
	if (!costs || !(prt_script.probes[nr].flags & PRT_ENTRY_TIME))
		return 0;
	return READ_ONCE(costs[nr]) ?: -1;
}

void prt_cost_returned(u64 entered)
{
	shortest = min(shortest, prt_clock_now() - entered);
}
NOKPROBE_SYMBOL(prt_cost_returned);

u64 prt_cost_run(void)
{
	unsigned long flags;
	int i;

	shortest = U64_MAX;
	for (i = 0; i < COST_RUNS; i++) {
		local_irq_save(flags);
		prt_traced();
		local_irq_restore(flags);
	}
	return shortest == U64_MAX ? 0 : shortest;
}
