/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_ASM_TSC_H
#define TWIN_ASM_TSC_H

#include <linux/types.h>

/* The clock counts how often it was read, so no two hits have the same time. */
u64 rdtsc_ordered(void);

extern unsigned int tsc_khz;

#define check_tsc_unstable() 0
#define get_cycles()         rdtsc_ordered()

#endif
