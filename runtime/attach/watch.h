/* SPDX-License-Identifier: GPL-2.0 */
/* Watchpoints: the parts of those in the kernel (watch.c) and in programs (user_watch.c) that are
 * the same. */
#ifndef PRT_WATCH_H
#define PRT_WATCH_H

#include <linux/perf_event.h>
#include <linux/types.h>

#include "attach.h"

/* Whether pair @nr of @p needs a watchpoint of its own: none of the pairs before it watches in the
 * same way. */
bool prt_watch_is_first(const struct prt_point *p, u32 nr);
/* Sets the attributes of that watchpoint at @addr. */
void prt_watch_attr(const struct prt_point *p, u32 nr, unsigned long addr,
		    struct perf_event_attr *ret);
/* Runs the probes of all pairs that this watchpoint serves. Interrupts off; NMI. */
void prt_watch_hit(const struct prt_point *p, u32 nr, struct pt_regs *regs);
/* Counts a thread for which this watchpoint could not be set, for each of these probes. */
void prt_watch_missed(const struct prt_point *p, u32 nr);

#endif
