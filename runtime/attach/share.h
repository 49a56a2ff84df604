/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The share that certain processes have of a counter that counts on each processor. Whenever a
 * processor switches tasks, the count since the last switch is added to the share if the task that
 * ran belongs to these processes. So the share is exact, whichever processors a thread ran on, and
 * nothing has to be done for processes that start later.
 */
#ifndef PRT_SHARE_H
#define PRT_SHARE_H

#include <linux/types.h>

struct prt_events;
struct prt_shares;

/* Starts to count the share that the processes of probe @nr have of @e, and sets *@ret, which
 * prt_share_drop() frees. Returns 0, or -errno if it can't be counted. May sleep. */
int prt_share_new(u32 nr, const struct prt_events *e, struct prt_shares **ret);
/* Stops counting, frees @shares, and returns the whole share; 0 if @shares is NULL. Nothing reads
 * the events afterwards. May sleep. */
u64 prt_share_drop(struct prt_shares *shares);
/* Returns the share up to now on this processor, and up to the last task switch on the others.
 * Interrupts off; also in an NMI. */
u64 prt_share_read(const struct prt_shares *shares);
/* The same without the time since the last task switch on this CPU, where the session thread
 * runs. */
u64 prt_share_total(const struct prt_shares *shares);

#endif
