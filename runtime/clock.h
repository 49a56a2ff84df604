/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The session clock, which is the same on all CPUs: the raw TSC if it is reliable, otherwise the
 * kernel's fast monotonic clock. The loader converts its ticks (clock_khz and epoch in struct
 * prt_status).
 */
#ifndef PRT_CLOCK_H
#define PRT_CLOCK_H

#include <linux/timekeeping.h>

#include "arch/arch.h"

struct prt_clock {
	bool ticks;    /* prt_arch_ticks(), else nanoseconds */
	u64 khz;
	u64 ns_per_tick; /* times 2^32 */
	u64 epoch_ns;  /* CLOCK_REALTIME at clock value `epoch` */
	u64 epoch;
	const u64 *costs; /* ns by probe, which elapsed times are without; NULL: nothing */
};
extern struct prt_clock prt_clock;

/* prt_clock_now() as a function, for scripts. Any context. */
u64 prt_clock_read(void);
/* Chooses the clock. Called by module init; may sleep. */
void prt_clock_init(void);

/* The time in ticks, never 0 or 1. Any context, including NMIs. */
static __always_inline u64 prt_clock_now(void)
{
	if (likely(prt_clock.ticks))
		return prt_arch_ticks();
	return ktime_get_mono_fast_ns();
}

#endif
