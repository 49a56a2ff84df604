/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_TIMEKEEPING_H
#define TWIN_LINUX_TIMEKEEPING_H

#include <asm/tsc.h>

#define ktime_get_mono_fast_ns() rdtsc_ordered()
#define ktime_get_real_fast_ns() (1700000000000000000ull + rdtsc_ordered())

struct system_time_snapshot {
	u64 cycles;
};
#define ktime_get_snapshot(now) ((now)->cycles = rdtsc_ordered())

#endif
