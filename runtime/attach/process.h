/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The processes whose hits a perf counter counts: all, those of one program, or target() and its
 * descendants (struct prt_event.program). Other mechanisms ask here which processes belong to
 * target().
 */
#ifndef PRT_PROCESS_H
#define PRT_PROCESS_H

#include <linux/types.h>

struct task_struct;

/* SETUP, in the loader's own context: programs are looked up in its view of the file system.
 * -ENOMEM. */
int prt_process_setup(void);
void prt_process_free(void);
/* Returns why probe @nr can have no hits: -ESRCH if there is no such program, or the kernel's error
 * for its file. 0: there is no reason. */
int prt_process_error(u32 nr);
/* Whether @task is one that probe @nr is for: the current one, or the one that the scheduler
 * changes to. Preemption off; NMI. */
bool prt_process_has(u32 nr, const struct task_struct *task);
/* Whether @task belongs to process @pid or to a descendant of it, PRT_PROCESS_ANCESTORS parents
 * up at most; never if @pid is 0. Preemption off or within rcu_read_lock(); NMI. */
bool prt_process_comes_from(const struct task_struct *task, s64 pid);

#endif
