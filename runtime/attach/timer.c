/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Timers of the session thread. Each has an absolute time of its next run; a run that is late by a
 * period or more counts the missed periods and continues from the present, so that they do not pile
 * up.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "attach.h"
#include "context.h"
#include "memory.h"
#include "session.h"

/* By probe: when the timer is due, in ns of the monotonic clock; 0: its gate was closed. */
static u64 *next_run;

s64 prt_timer_ns(const struct prt_probe *p, s64 n)
{
	return p->flags & PRT_IN_JIFFIES ? n * (NSEC_PER_SEC / HZ) : n;
}

static s64 period_of(const struct prt_probe *p)
{
	s64 period = prt_timer_ns(p, p->period_ns), spread = prt_timer_ns(p, p->randomize_ns);

	if (spread > 0)
		period += (s64)(get_random_u64() % (2 * (u64)spread + 1)) - spread;
	return max_t(s64, period, 1);
}

int prt_timer_setup(void)
{
	u32 i;

	for (i = 0; i < prt_script.nprobes; i++)
		if (prt_script.probes[i].kind == PRT_TIMER &&
		    prt_timer_ns(&prt_script.probes[i], prt_script.probes[i].period_ns) <
			    NSEC_PER_MSEC)
			return -EINVAL;
	next_run = prt_alloc(prt_script.nprobes + 1, sizeof(*next_run), NUMA_NO_NODE);
	return next_run ? 0 : -ENOMEM;
}

void prt_timer_free(void)
{
	kvfree(next_run);
	next_run = NULL;
}

static void start_timer(u32 nr, u64 now)
{
	next_run[nr] = now + period_of(&prt_script.probes[nr]);
}

void prt_timer_start(void)
{
	u64 now = ktime_get_ns();
	u32 i;

	for (i = 0; i < prt_script.nprobes; i++)
		if (prt_script.probes[i].kind == PRT_TIMER)
			start_timer(i, now);
}

static void run(u32 nr, u64 now)
{
	u64 period = prt_timer_ns(&prt_script.probes[nr], prt_script.probes[nr].period_ns);
	u64 missed = (now - next_run[nr]) / period;

	prt_thread_cpu.ctx.tally[nr].counts.overruns += missed;
	next_run[nr] += missed * period + period_of(&prt_script.probes[nr]);
	prt_session_run(nr);
}

s64 prt_timer_run(void)
{
	u64 first = U64_MAX, now;
	u32 i;

	for (i = 0; i < prt_script.nprobes; i++) {
		if (prt_script.probes[i].kind != PRT_TIMER || READ_ONCE(prt_session.stop))
			continue;
		if (prt_gate_closed_probe(i)) {
			next_run[i] = 0;
			continue;
		}
		now = ktime_get_ns();
		if (!next_run[i])
			start_timer(i, now);
		if (now >= next_run[i])
			run(i, now);
		first = min(first, next_run[i]);
	}
	now = ktime_get_ns();
	return first == U64_MAX ? -1 : first > now ? (s64)(first - now) : 0;
}
