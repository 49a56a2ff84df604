/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_SCHED_TASK_STACK_H
#define TWIN_LINUX_SCHED_TASK_STACK_H

#include <linux/sched.h>

#define THREAD_SIZE 16384ul

/* The test decides where the stack of a hit begins: ../../../machine.h. */
void *task_stack_page(const struct task_struct *task);

/* Not defined: no test has a process whose registers the kernel saved. */
struct pt_regs *task_pt_regs(const struct task_struct *task);

#endif
