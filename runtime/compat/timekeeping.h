/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A reading of the kernel's clock with the counter that it was made from: since "timekeeping:
 * Provide ktime_get_snapshot_id()" (eba302268a01), the kernel asks which clock. Kbuild looks for
 * that function. The counter has the same name in both.
 */
#ifndef PRT_COMPAT_TIMEKEEPING_H
#define PRT_COMPAT_TIMEKEEPING_H

#include <linux/timekeeping.h>

/* The clocksource's counter. false: the kernel cannot tell it. Process context. */
static inline bool prt_compat_clock_cycles(u64 *cycles)
{
	struct system_time_snapshot now;

#ifdef PRT_HAVE_SNAPSHOT_ID
	ktime_get_snapshot_id(CLOCK_MONOTONIC, &now);
	if (!now.valid)
		return false;
#else
	ktime_get_snapshot(&now);
#endif
	*cycles = now.cycles;
	return true;
}

#endif
