/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Address spaces in which a place in programs needs a breakpoint: by the processes that its files
 * are for, and by the conditions with which the handlers of all of its probes begin (struct
 * prt_probe). The handlers test their conditions all the same.
 *
 * The kernel asks once for each address space and place: when the place is armed, and when a
 * process maps the file later. It does not ask again when a process forks, and what runs in the
 * child has the breakpoints of the parent, or none. An address space is therefore left out only if
 * no process that has it now, and none that such a process can fork, will ever meet the condition:
 *
 *   pid() == target()       The target exists before anything is armed, and its number is not
 *                           given to another process in the meantime. Only its own address space
 *                           matters.
 *   pid_namespace() == N    A process never leaves its pid namespace, and its children are created
 *                           there or in one below it (setns() and clone() allow nothing else). So
 *                           processes are left out whose namespace is neither N nor above it.
 *
 * Control groups are no such condition: a process can be moved at any time, and the kernel does not
 * ask again then.
 */
#include <linux/mm.h>
#include <linux/ns_common.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "attach.h"
#include "memory.h"
#include "process.h"
#include "session.h"
#include "user.h"

/* By probe: a process id of that namespace, which keeps the namespace and so its number from being
 * freed. NULL: there is no condition, or no such namespace; it may be created at any time. */
static struct pid **namespaces;

static struct pid *find_namespace(s64 number)
{
	const struct task_struct *task;
	struct pid *pid = NULL;

	rcu_read_lock();
	for_each_process(task) {
		pid = READ_ONCE(task->thread_pid);
		if (pid && ns_of_pid(pid)->ns.inum == number)
			break;
		pid = NULL;
	}
	get_pid(pid);
	rcu_read_unlock();
	return pid;
}

int prt_user_owner_setup(void)
{
	bool any = false;
	u32 i;

	for (i = 0; i < prt_script.nprobes; i++)
		any |= prt_script.probes[i].pid_namespace != NULL;
	if (!any)
		return 0;
	namespaces = prt_alloc(prt_script.nprobes, sizeof(*namespaces), NUMA_NO_NODE);
	return namespaces ? 0 : -ENOMEM;
}

void prt_user_owner_start(void)
{
	u32 i;

	for (i = 0; namespaces && i < prt_script.nprobes; i++)
		if (prt_script.probes[i].pid_namespace)
			namespaces[i] = find_namespace(*prt_script.probes[i].pid_namespace);
}

void prt_user_owner_free(void)
{
	u32 i;

	for (i = 0; namespaces && i < prt_script.nprobes; i++)
		put_pid(namespaces[i]);
	kvfree(namespaces);
	namespaces = NULL;
}

/* ---- conditions; under rcu_read_lock() ---- */

/* Whether processes can be left out by the condition of probe @nr. */
static bool owner_is_limited(u32 nr)
{
	return prt_script.probes[nr].flags & PRT_ONLY_TARGET || (namespaces && namespaces[nr]);
}

/* Whether @task, or what it forks, may meet the condition of probe @nr. */
static bool owner_may_meet(u32 nr, const struct task_struct *task)
{
	const struct pid_namespace *own, *ns;
	struct pid *pid;

	if (prt_script.probes[nr].flags & PRT_ONLY_TARGET &&
	    task->tgid != prt_session.setup.target)
		return false;
	if (!namespaces || !namespaces[nr])
		return true;
	/* NULL: the task is gone, but not yet from the list. */
	pid = READ_ONCE(task->thread_pid);
	own = pid ? ns_of_pid(pid) : NULL;
	for (ns = ns_of_pid(namespaces[nr]); ns && own; ns = ns->parent)
		if (ns == own)
			return true;
	return false;
}

static bool owner_any(const struct prt_point *p, const struct task_struct *task)
{
	u32 i;

	for (i = 0; i < p->n; i++)
		if (owner_may_meet(p->pairs[i].probe, task))
			return true;
	return false;
}

static bool owner_is_for_all(const struct prt_point *p)
{
	const struct prt_file *scope = prt_user_file_of(p);
	u32 i;

	if (scope->pid || scope->is_target)
		return false;
	for (i = 0; i < p->n; i++)
		if (!owner_is_limited(p->pairs[i].probe))
			return true;
	return false;
}

/* The only process that matters; 0: there may be others. */
static s64 owner_process(const struct prt_point *p)
{
	u32 i;

	if (prt_user_file_of(p)->pid)
		return prt_user_process_of(prt_user_file_of(p));
	for (i = 0; i < p->n; i++)
		if (!(prt_script.probes[p->pairs[i].probe].flags & PRT_ONLY_TARGET))
			return 0;
	return prt_session.setup.target;
}

/* ---- address spaces; under rcu_read_lock() ---- */

/* The first thread may have ended before the others. */
static u32 count_threads(const struct task_struct *process, const struct mm_struct *mm, u32 most)
{
	const struct task_struct *thread;
	u32 n = 0;

	for_each_thread(process, thread)
		if (READ_ONCE(thread->mm) == mm && ++n == most)
			break;
	return n;
}

static bool process_has(s64 nr, const struct mm_struct *mm)
{
	const struct task_struct *process;

	if (current->mm == mm && current->tgid == nr)
		return true;
	process = nr > 0 && nr <= INT_MAX ? pid_task(find_pid_ns(nr, &init_pid_ns), PIDTYPE_TGID) :
					    NULL;
	return process && count_threads(process, mm, 1);
}

static bool owner_wants(const struct prt_point *p, const struct task_struct *task)
{
	return prt_user_wants_task(prt_user_file_of(p), task) && owner_any(p, task);
}

/* Where the kernel's answer may be late (a process that is being forked is not in the list yet, and
 * others may be about to leave the address space), a breakpoint is written. */
bool prt_user_owner_wanted(const struct prt_point *p, const struct mm_struct *mm)
{
	const struct task_struct *process;
	bool found = false;

	if (owner_is_for_all(p))
		return true;
	if (owner_process(p))
		return process_has(owner_process(p), mm);
	if (current->mm == mm) {
		if (owner_wants(p, current))
			return true;
		return atomic_read(&mm->mm_users) > count_threads(current, mm, UINT_MAX);
	}
	for_each_process(process) {
		if (!count_threads(process, mm, 1))
			continue;
		if (owner_wants(p, process))
			return true;
		found = true;
	}
	return !found;
}
