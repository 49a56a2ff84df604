/* SPDX-License-Identifier: GPL-2.0 */
/*
 * struct task_struct: the state has had the name __state since "sched: Change task_struct::state"
 * (2f064a59a11f), and was a long before. The processor stands in its struct thread_info since
 * "sched: move CPU field back into thread_info if THREAD_INFO_IN_TASK=y" (bcf9033e5449). Kbuild
 * looks for both.
 */
#ifndef PRT_COMPAT_TASK_H
#define PRT_COMPAT_TASK_H

#include <linux/sched.h>
#include <linux/sched/coredump.h>

#ifdef PRT_HAVE_TASK_STATE
#define PRT_COMPAT_STATE __state
#else
#define PRT_COMPAT_STATE state
#endif

#ifdef PRT_HAVE_TASK_CPU
#define PRT_COMPAT_CPU cpu
#else
#define PRT_COMPAT_CPU thread_info.cpu
#endif

/* Whether the task is on a processor, and from when on its count of switches can be read: "off" is
 * stored by a release after it. */
static __always_inline bool prt_compat_on_cpu(const struct task_struct *task)
{
#ifdef CONFIG_SMP
	return smp_load_acquire(&task->on_cpu);
#else
	return task == current;
#endif
}

/* The last parameter of the tracepoint sched_switch, since "sched/tracing: Append prev_state to tp
 * args instead" (9c2136be0878). */
#ifdef PRT_HAVE_SWITCH_STATE
#define PRT_COMPAT_SWITCH_STATE , unsigned int prev_state
#else
#define PRT_COMPAT_SWITCH_STATE
#endif

/*
 * Whether a process may be traced by others with the same ids: kept with its memory, or in its
 * struct task_exec_state since "exec: introduce struct task_exec_state" (b092062cb6d7). Kbuild
 * looks for the structure.
 */
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
