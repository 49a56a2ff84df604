/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The share that processes have of a counter that counts on each processor. Whenever a processor
 * switches tasks, the count since the last switch is added to the share of the task that ran. So a
 * thread's share is exact on whichever processors it ran, and processes that start later need
 * nothing.
 */
#ifndef PRT_SHARE_H
#define PRT_SHARE_H

#include <linux/types.h>

struct prt_events;
struct prt_shares;

/* Starts to count the share of @e of the processes that probe @nr is for. -errno: it can't be
 * counted. May sleep. */
int prt_share_new(u32 nr, const struct prt_events *e, struct prt_shares **ret);
/* Stops, and returns the whole share. After that, nothing reads the events of @shares. NULL: 0. May
 * sleep. */
u64 prt_share_drop(struct prt_shares *shares);
/* The share so far: up to the last task switch on other processors, up to now on this one.
 * Interrupts off; NMI. */
u64 prt_share_read(const struct prt_shares *shares);
/* The same without the time since the last task switch on this CPU, where the session thread
 * runs. */
u64 prt_share_total(const struct prt_shares *shares);

#endif
