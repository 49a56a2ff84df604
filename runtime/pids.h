/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers of processes. The kernel half, and what scripts see, have those of the first pid
 * namespace, which has all processes. The loader has those of its own namespace, in which its user
 * named processes and which its /proc shows. They are converted here, in calls of the loader.
 */
#ifndef PRT_PIDS_H
#define PRT_PIDS_H

#include <linux/types.h>

struct mm_struct;

/* The number of the process that is @nr to the loader. If there is none: -1, or @nr where the
 * loader is in the first namespace, which may have it later. Process context, in a call of the
 * loader. */
s64 prt_pids_machine(s64 nr);
/* The number that process or thread @nr has to the loader; 0: it has none there, or has ended. The
 * same. */
u32 prt_pids_loader(u32 nr);
/* The address space of process or thread @nr, to be mmput(); NULL: it has none. Process context. */
struct mm_struct *prt_pids_space(u32 nr);

#endif
