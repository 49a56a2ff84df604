/* SPDX-License-Identifier: GPL-2.0 */
/* The choice of the session's clock, and its relation to the time of day. */
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/kprobes.h>

#include "clock.h"
#include "compat/timekeeping.h"
#include "context.h"

struct prt_clock prt_clock __read_mostly;

/* Whether the kernel's own clock is based on the TSC: its last reading is between two readings
 * here. */
static bool ticks_are_time(void)
{
	u64 before = prt_arch_ticks(), now;

	return prt_compat_clock_cycles(&now) && now >= before && now <= prt_arch_ticks();
}

/* On a single processor, the TSC is good enough if the kernel itself keeps time by it. */
static bool ticks_are_good(void)
{
	return prt_arch_ticks_stable() &&
	       (prt_arch_ticks_constant() || (num_possible_cpus() == 1 && ticks_are_time()));
}

void prt_clock_init(void)
{
	prt_clock.ticks = ticks_are_good();
	prt_clock.khz = prt_clock.ticks ? prt_arch_ticks_khz() : NSEC_PER_MSEC;
	prt_clock.ns_per_tick = ((u64)NSEC_PER_MSEC << 32) / prt_clock.khz;
	prt_clock.epoch = prt_clock_now();
	prt_clock.epoch_ns = ktime_get_real_fast_ns();
}

u64 prt_clock_read(void)
{
	return prt_clock_now();
}
NOKPROBE_SYMBOL(prt_clock_read);

static __always_inline s64 ns_since(u64 start)
{
	if (!prt_clock.ticks)
		return ktime_get_mono_fast_ns() - start;
	return (unsigned __int128)(prt_arch_ticks() - start) * prt_clock.ns_per_tick >> 32;
}

s64 prt_elapsed_ns(struct prt_ctx *c)
{
	s64 ns;

	if (!(c->probe->flags & PRT_ENTRY_TIME))
		return 0;
	ns = ns_since(c->saved[-1]);
	if (likely(!prt_clock.costs))
		return ns;
	return max_t(s64, ns - (s64)READ_ONCE(prt_clock.costs[prt_probe_nr(c)]), 0);
}
NOKPROBE_SYMBOL(prt_elapsed_ns);

s64 prt_time_ns(struct prt_ctx *c)
{
	return ktime_get_real_fast_ns();
}
NOKPROBE_SYMBOL(prt_time_ns);

s64 prt_cycles(struct prt_ctx *c)
{
	return get_cycles();
}
NOKPROBE_SYMBOL(prt_cycles);

s64 prt_jiffies(struct prt_ctx *c)
{
	return get_jiffies_64();
}
NOKPROBE_SYMBOL(prt_jiffies);
