/* SPDX-License-Identifier: GPL-2.0 */
/* Which clock the session uses, and its relation to the time of day. */
#include <linux/jiffies.h>
#include <linux/kprobes.h>

#include "clock.h"
#include "context.h"

struct prt_clock prt_clock __read_mostly;

void prt_clock_init(void)
{
	prt_clock.ticks = prt_arch_ticks_good();
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

s64 prt_elapsed_ns(struct prt_ctx *c)
{
	if (!(c->probe->flags & PRT_ENTRY_TIME))
		return 0;
	return (unsigned __int128)(prt_clock_now() - c->saved[-1]) * prt_clock.ns_per_tick >> 32;
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
