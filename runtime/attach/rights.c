/* SPDX-License-Identifier: GPL-2.0 */
/* A process without capabilities gets other rights only by executing a program, and what it forks
 * has its own: rights.h. */
#include <linux/cred.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>

#include "callback.h"
#include "compat/task.h"
#include "process.h"
#include "rights.h"
#include "session.h"

static struct {
	const struct cred *cred;  /* of the target, at SETUP; NULL: nothing is watched */
	bool descendants;
} rights;

/* ---- what is watched ---- */

/* Preemption off or within rcu_read_lock(). */
static bool is_watched(const struct task_struct *task)
{
	s64 target = READ_ONCE(prt_session.setup.target);

	return rights.descendants ? prt_process_comes_from(task, target) : task->tgid == target;
}
NOKPROBE_SYMBOL(is_watched);

static bool has_ids(const struct cred *cred)
{
	const struct cred *own = rights.cred;

	return uid_eq(cred->uid, own->uid) && uid_eq(cred->euid, own->euid) &&
	       uid_eq(cred->suid, own->suid) && gid_eq(cred->gid, own->gid) &&
	       gid_eq(cred->egid, own->egid) && gid_eq(cred->sgid, own->sgid);
}
NOKPROBE_SYMBOL(has_ids);

/* The kernel marks programs that got rights by their file, by capabilities as well. */
static bool is_dumpable(const struct task_struct *task)
{
	return !task->mm || prt_compat_dumpable(task);
}
NOKPROBE_SYMBOL(is_dumpable);

static void lose_target(void)
{
	WRITE_ONCE(prt_session.setup.target, -1);
	prt_session_stop_by_error(PRT_E_OTHER_RIGHTS);
}
NOKPROBE_SYMBOL(lose_target);

static void notrace rights_on_exec(void *unused, struct task_struct *task, pid_t old_pid,
				   struct linux_binprm *binary)
{
	if (is_watched(task) && !(is_dumpable(task) && has_ids(current_cred())))
		lose_target();
}
NOKPROBE_SYMBOL(rights_on_exec);

static void notrace rights_on_fork(void *unused, struct task_struct *parent,
				   struct task_struct *child)
{
	if (child->pid == READ_ONCE(prt_session.setup.target))
		lose_target();
}
NOKPROBE_SYMBOL(rights_on_fork);

static struct prt_callback rights_callbacks[] = {
	{ "sched_process_exec", rights_on_exec },
	{ "sched_process_fork", rights_on_fork },
};

/* ---- SETUP ---- */

static bool sees_descendants(void)
{
	bool sees = prt_session.setup.flags & PRT_SETUP_DESCENDANTS;
	u32 i;

	for (i = 0; i < prt_script.nfiles; i++)
		sees |= prt_script.files[i].is_target;
	for (i = 0; i < prt_script.nprobes; i++)
		sees |= prt_script.probes[i].event.program && !*prt_script.probes[i].event.program;
	return sees;
}

static const struct cred *cred_of(s64 nr)
{
	const struct cred *cred = NULL;
	struct task_struct *task;

	rcu_read_lock();
	task = nr > 0 && nr <= INT_MAX ? pid_task(find_pid_ns(nr, &init_pid_ns), PIDTYPE_TGID) :
					 NULL;
	if (task)
		cred = get_task_cred(task);
	rcu_read_unlock();
	return cred;
}

static bool has_rights(struct task_struct *task)
{
	bool dumpable;

	task_lock(task);
	dumpable = is_dumpable(task);
	task_unlock(task);
	return dumpable && has_ids(__task_cred(task));
}

static bool all_have_rights(void)
{
	struct task_struct *task;
	bool ret = true;

	rcu_read_lock();
	for_each_process(task)
		ret &= !is_watched(task) || has_rights(task);
	rcu_read_unlock();
	return ret;
}

int prt_rights_setup(void)
{
	int err;

	if (!(prt_session.setup.flags & PRT_SETUP_USERS_TARGET))
		return 0;
	rights.descendants = sees_descendants();
	rights.cred = cred_of(prt_session.setup.target);
	if (!rights.cred)
		return -ESRCH;
	/* This compiles only if the functions have the types of this kernel's tracepoints. */
	check_trace_callback_type_sched_process_exec(rights_on_exec);
	check_trace_callback_type_sched_process_fork(rights_on_fork);
	err = prt_callbacks_take(rights_callbacks, ARRAY_SIZE(rights_callbacks));
	return err ? err : all_have_rights() ? 0 : -EPERM;
}

void prt_rights_free(void)
{
	if (!rights.cred)
		return;
	prt_callbacks_drop(rights_callbacks, ARRAY_SIZE(rights_callbacks));
	put_cred(rights.cred);
	memset(&rights, 0, sizeof(rights));
}
