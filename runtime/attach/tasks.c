/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events of perf on threads: tasks.h. A thread has one when it is in the kernel's list of that
 * thread's events, whoever put it there; so a look at all threads, again until it finds none
 * without, misses none and makes none twice.
 */
#include <linux/binfmts.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/namei.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/tracepoint.h>

#include "attach.h"
#include "compat/perf.h"
#include "memory.h"
#include "session.h"
#include "tasks.h"

/* An event that was made here; those of threads and children of its thread hang on it. */
struct followed {
	struct hlist_node node;
	struct perf_event *event;
};

static HLIST_HEAD(all_tasks);
static struct tracepoint *exec_point;
static bool exec_seen;                /* on_exec() is attached */

/* ---- exec ---- */

/* The thread that is in it, with preemption off. */
static void notrace on_exec(void *unused, struct task_struct *p, pid_t old_pid,
			    struct linux_binprm *bprm)
{
	const struct prt_tasks *t;

	hlist_for_each_entry_rcu(t, &all_tasks, all)
		if (t->program.dentry && file_inode(bprm->file) == d_inode(t->program.dentry))
			prt_session_look();
}

static void find_exec(struct tracepoint *tp, void *data)
{
	if (!strcmp(tp->name, "sched_process_exec"))
		exec_point = tp;
}

static int see_exec(void)
{
	int err;

	if (exec_seen)
		return 0;
	for_each_kernel_tracepoint(find_exec, NULL);
	if (!exec_point)
		return -EOPNOTSUPP;
	err = prt_register(tracepoint_probe_register(exec_point, on_exec, NULL));
	exec_seen = !err;
	return err;
}

static void ignore_exec(void)
{
	if (!exec_seen || !hlist_empty(&all_tasks))
		return;
	tracepoint_probe_unregister(exec_point, on_exec, NULL);
	tracepoint_synchronize_unregister();
	exec_seen = false;
}

/* ---- threads ---- */

static bool runs(const struct prt_tasks *t, struct task_struct *task)
{
	bool ret = false;
	struct file *exe;

	if (!t->program.dentry)
		return task->tgid == prt_session.setup.target;
	if (task->flags & PF_KTHREAD)
		return false;
	task_lock(task);
	if (task->mm) {
		exe = rcu_dereference(task->mm->exe_file);
		ret = exe && file_inode(exe) == d_inode(t->program.dentry);
	}
	task_unlock(task);
	return ret;
}

enum { AT_ONCE = 32 };

/* Threads that run it and have no event, with a reference each; how many. */
static u32 find_some(const struct prt_tasks *t, struct task_struct **found)
{
	struct task_struct *group, *task;
	u32 n = 0;

	rcu_read_lock();
	for_each_process_thread(group, task) {
		if (n == AT_ONCE)
			goto out;
		if ((task->flags & PF_EXITING) || !runs(t, task) ||
		    prt_compat_perf_of(task, t->context))
			continue;
		get_task_struct(task);
		found[n++] = task;
	}
out:
	rcu_read_unlock();
	return n;
}

/* One that ends in the meantime needs none. */
static int follow_task(struct prt_tasks *t, struct task_struct *task)
{
	struct followed *f = prt_alloc(1, sizeof(*f), NUMA_NO_NODE);
	int err = 0;

	if (!f)
		return -ENOMEM;
	f->event = prt_fails() ? ERR_PTR(-ENOMEM) :
		perf_event_create_kernel_counter(&t->attr, -1, task, t->hit, t->context);
	if (IS_ERR(f->event)) {
		err = PTR_ERR(f->event);
		kvfree(f);
		return err == -ESRCH ? 0 : err;
	}
	hlist_add_head(&f->node, &t->followed);
	return 0;
}

static int follow_all(struct prt_tasks *t)
{
	struct task_struct *found[AT_ONCE];
	int err = 0;
	u32 n, i;

	do {
		n = find_some(t, found);
		for (i = 0; i < n; i++) {
			if (!err)
				err = follow_task(t, found[i]);
			put_task_struct(found[i]);
		}
	} while (n && !err && !READ_ONCE(prt_session.stop));
	return err;
}

static u64 total_followed(struct followed *f)
{
	u64 enabled, running;

	return perf_event_read_value(f->event, &enabled, &running);
}

static void leave_task(struct prt_tasks *t, struct followed *f)
{
	t->gone += total_followed(f);
	hlist_del(&f->node);
	perf_event_release_kernel(f->event);
	kvfree(f);
}

/* Its thread ended or went to another program, and none that it started has one. */
static bool over(struct followed *f)
{
	bool none;

	if (READ_ONCE(f->event->state) > PERF_EVENT_STATE_EXIT)
		return false;
	mutex_lock(&f->event->child_mutex);
	none = list_empty(&f->event->child_list);
	mutex_unlock(&f->event->child_mutex);
	return none;
}

static void leave_all(struct prt_tasks *t, bool only_over)
{
	struct hlist_node *next;
	struct followed *f;

	hlist_for_each_entry_safe(f, next, &t->followed, node)
		if (!only_over || over(f))
			leave_task(t, f);
}

/* ---- the door ---- */

struct prt_tasks *prt_tasks_new(const struct perf_event_attr *attr, perf_overflow_handler_t hit,
				void *context)
{
	struct prt_tasks *t = prt_alloc(1, sizeof(*t), NUMA_NO_NODE);

	if (!t)
		return NULL;
	t->attr = *attr;
	t->attr.inherit = 1;
	t->attr.inherit_stat = 1;
	t->hit = hit;
	t->context = context;
	return t;
}

/* Whether the kernel has such an event at all: on a thread that may have one for a moment. */
static int try_event(struct prt_tasks *t)
{
	struct perf_event_attr attr = t->attr;
	struct perf_event *event;

	attr.disabled = 1;
	event = prt_fails() ? ERR_PTR(-ENOMEM) :
		perf_event_create_kernel_counter(&attr, -1, current, t->hit, t->context);
	if (IS_ERR(event))
		return PTR_ERR(event);
	perf_event_release_kernel(event);
	return 0;
}

int prt_tasks_make(struct prt_tasks *t, const char *program)
{
	int err = 0;

	if (*program)
		err = kern_path(program, LOOKUP_FOLLOW, &t->program);
	else if (!prt_session.setup.target)
		err = -ESRCH;
	if (err)
		return err;
	t->attr.remove_on_exec = *program != 0;
	t->made = true;
	hlist_add_head_rcu(&t->all, &all_tasks);
	err = try_event(t);
	if (!err && *program)
		err = see_exec();
	if (err)
		prt_tasks_drop(t);
	return err;
}

void prt_tasks_turn(struct prt_tasks *t, bool on)
{
	t->on = on;
	if (!on)
		leave_all(t, false);
	else if (follow_all(t))
		prt_session_look(); /* which says so, if it still can't */
}

void prt_tasks_drop(struct prt_tasks *t)
{
	if (!t || !t->made)
		return;
	t->made = t->on = false;
	hlist_del_rcu(&t->all);
	ignore_exec();
	leave_all(t, false);
	synchronize_rcu();
	if (t->program.dentry)
		path_put(&t->program);
}

u64 prt_tasks_total(struct prt_tasks *t)
{
	u64 sum = t->gone;
	struct followed *f;

	hlist_for_each_entry(f, &t->followed, node)
		sum += total_followed(f);
	return sum;
}

struct perf_event *prt_tasks_current(const struct prt_tasks *t)
{
	return prt_compat_perf_of(current, t->context);
}
NOKPROBE_SYMBOL(prt_tasks_current);

int prt_tasks_look(void)
{
	struct prt_tasks *t;
	int err = 0, failed;

	hlist_for_each_entry(t, &all_tasks, all) {
		if (!t->on)
			continue;
		leave_all(t, true);
		failed = follow_all(t);
		err = err ? err : failed;
	}
	return err;
}
