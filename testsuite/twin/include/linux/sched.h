/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_SCHED_H
#define TWIN_LINUX_SCHED_H

#include <linux/atomic.h>
#include <linux/minmax.h>

struct mm_struct;

struct task_struct {
	struct mm_struct *mm;
};

struct task_struct *twin_current(void);

#define current        twin_current()
#define cond_resched() do { } while (0)

/* From asm/thread_info.h, which the kernel's header includes. */
#define in_ia32_syscall() 0

#define MIN_NICE (-20)
#define set_user_nice(task, nice) do { } while (0)

#endif
