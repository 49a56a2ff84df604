/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers of processes: pids.h. */
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>

#include "pids.h"

s64 prt_pids_machine(s64 nr)
{
	struct pid *pid;
	s64 ret;

	if (nr <= 0 || nr > INT_MAX || task_active_pid_ns(current) == &init_pid_ns)
		return nr;
	rcu_read_lock();
	pid = find_vpid(nr);
	ret = pid ? pid_nr(pid) : -1;
	rcu_read_unlock();
	return ret;
}

u32 prt_pids_loader(u32 nr)
{
	struct pid *pid;
	u32 ret;

	rcu_read_lock();
	pid = find_pid_ns(nr, &init_pid_ns);
	ret = pid ? pid_nr_ns(pid, task_active_pid_ns(current)) : 0;
	rcu_read_unlock();
	return ret;
}

struct mm_struct *prt_pids_space(u32 nr)
{
	struct task_struct *task;
	struct mm_struct *mm;

	rcu_read_lock();
	task = pid_task(find_pid_ns(nr, &init_pid_ns), PIDTYPE_PID);
	if (task)
		get_task_struct(task);
	rcu_read_unlock();
	if (!task)
		return NULL;
	mm = get_task_mm(task);
	put_task_struct(task);
	return mm;
}
