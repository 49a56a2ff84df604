/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_KTHREAD_H
#define TWIN_LINUX_KTHREAD_H

#include <linux/sched.h>

struct task_struct *kthread_create(int (*f)(void *), void *arg, const char *fmt, ...);
int wake_up_process(struct task_struct *task);
int kthread_stop(struct task_struct *task);
bool kthread_should_stop(void);

#endif
