/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The processes in which a perf counter has hits: all, those of one program, or target() and its
 * descendants (struct prt_event.program). Other mechanisms use this to find out which processes
 * belong to target().
 */
#ifndef PRT_PROCESS_H
#define PRT_PROCESS_H

#include <linux/types.h>

struct task_struct;

/* Looks up the programs of all probes, at SETUP. Called by the loader, in whose root directory the
 * paths are looked up. Returns 0 or -ENOMEM. */
int prt_process_setup(void);
void prt_process_free(void);
/* Returns why probe @nr can have no hits: -ESRCH if there is no such program, or the kernel's error
 * for its file. 0: there is no reason. */
int prt_process_error(u32 nr);
/* Whether @task, the current one or the one that the scheduler switches to, belongs to the
 * processes of probe @nr. Preemption off; also in an NMI. */
bool prt_process_has(u32 nr, const struct task_struct *task);
/* Whether @task belongs to process @pid or to a descendant of it; only PRT_PROCESS_ANCESTORS
 * processes are looked at. False if @pid is 0. Preemption off or within rcu_read_lock(); also in an
 * NMI. */
bool prt_process_comes_from(const struct task_struct *task, s64 pid);

#endif
