/* SPDX-License-Identifier: GPL-2.0 */
/* The counts of fast hits in programs that each processor has (struct prt_cpu.user_counts), by the
 * number of their place. Process context. */
#ifndef PRT_USER_COUNTS_H
#define PRT_USER_COUNTS_H

#include "context.h"

/* The bytes that prt_user_fast_make() allocates. */
u64 prt_user_fast_cpu_memory(void);
/* Allocates them unless they exist. -ENOMEM. */
int prt_user_fast_make(struct prt_cpu *cpu, int node);
void prt_user_fast_unmake(struct prt_cpu *cpu);

#endif
