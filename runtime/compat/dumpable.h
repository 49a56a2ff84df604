/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether a process may be traced by others with the same ids: kept with its memory, or in its
 * struct task_exec_state in the headers of Linux 7.2. Kbuild looks for the structure.
 */
#ifndef PRT_COMPAT_DUMPABLE_H
#define PRT_COMPAT_DUMPABLE_H

#include <linux/sched.h>
#include <linux/sched/coredump.h>

#ifdef PRT_HAVE_EXEC_STATE
#include <linux/rcupdate.h>
#include <linux/sched/exec_state.h>

/* The function of the kernel that returns it is not exported to modules. */
static __always_inline bool prt_compat_dumpable(const struct task_struct *task)
{
	bool ret;

	rcu_read_lock();
	ret = READ_ONCE(rcu_dereference(task->exec_state)->dumpable) == TASK_DUMPABLE_OWNER;
	rcu_read_unlock();
	return ret;
}
#else
/* @task has memory, which stays: it is the current one, or locked by task_lock(). */
static __always_inline bool prt_compat_dumpable(const struct task_struct *task)
{
	return get_dumpable(task->mm) == SUID_DUMP_USER;
}
#endif

#endif
