/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Watchpoints in programs: events of perf for threads, since the processor's watchpoints are
 * switched with them.
 *
 * An event is made for a process where its program begins, by a uprobe at the first instruction of
 * the program's file: in the process's own context, which may sleep, and where it is known at which
 * address the program is. The kernel itself copies the event to each thread and process that the
 * thread creates, before these run (attr.inherit), and takes the copies back with the event. So
 * nothing has to be done at the creation of a thread, and none is missed.
 *
 * The processes that are there already get their events when the session is armed: one for each
 * thread. While the session's thread walks over them, they create others, which have a copy if the
 * creating thread had its event in time; the walk is repeated until it finds none without.
 *
 * An event is for one execution of a program (self_exec_id, which a forked process shares with its
 * parent). The kernel removes it at the next one where it can. Otherwise it is taken away when that
 * begins, if it is of the same program; hits in other programs are ignored. It is released when no
 * thread has it or a copy any more: looked for when another is made, and at the end.
 *
 * A hit is in the exception of the processor, after the instruction, or in the kernel, where a
 * system call writes to the process's memory.
 */
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>

#include "arch/arch.h"
#include "attach.h"
#include "callback.h"
#include "compat/uprobes.h"
#include "compat/watch.h"
#include "context.h"
#include "global.h"
#include "memory.h"
#include "user.h"
#include "watch.h"

/* A point's `probe`. */
struct user_watch {
	struct prt_compat_uprobe uprobe;
	const struct prt_point *point;
	bool keeps;                  /* it is one of those that need watch_callbacks */
	bool registered;
	bool on;                     /* its probes are not switched off */
	struct list_head events;     /* under watch_lock */
};

/* An event. Its copies lead here, too. */
struct user_event {
	struct list_head node;
	const struct user_watch *watch;
	u32 nr;                      /* of the pair that it is for */
	struct task_struct *task;    /* that it was made for, held */
	u64 exec_id;                 /* of that thread then */
	struct perf_event *event;
};

/* Protects all lists. Uprobes are not registered or removed under it: their handlers take it. */
static DEFINE_MUTEX(watch_lock);

static u32 nkeepers;                 /* under prt_attach_lock */

static const struct prt_event *event_of(const struct prt_point *p)
{
	return &prt_script.probes[p->pairs[0].probe].event;
}

/* ---- hits ---- */

static void user_watch_hit(struct perf_event *event, struct perf_sample_data *data,
			   struct pt_regs *regs)
{
	const struct user_event *e = event->overflow_handler_context;
	const struct prt_point *p = e->watch->point;

	if (READ_ONCE(e->watch->on) && current->self_exec_id == e->exec_id &&
	    prt_user_wants_task(prt_user_file_of(p), current))
		prt_watch_hit(p, e->nr, regs);
}
NOKPROBE_SYMBOL(user_watch_hit);

/* ---- creation of threads ---- */

static void notrace watch_on_fork(void *unused, struct task_struct *parent,
				  struct task_struct *child)
{
	prt_compat_keep_events(child);
}
NOKPROBE_SYMBOL(watch_on_fork);

static struct prt_callback watch_callbacks[] = {
	{ "sched_process_fork", watch_on_fork },
};

/* Before the first event of @watch. */
static int keep_events(struct user_watch *watch)
{
	int err = 0;

	/* This compiles only if the function has the type of this kernel's tracepoint. */
	check_trace_callback_type_sched_process_fork(watch_on_fork);
	if (!nkeepers)
		err = prt_callbacks_take(watch_callbacks, ARRAY_SIZE(watch_callbacks));
	if (err) {
		prt_callbacks_drop(watch_callbacks, ARRAY_SIZE(watch_callbacks));
		return err;
	}
	nkeepers++;
	watch->keeps = true;
	return 0;
}

/* After the last one. */
static void keep_no_more(struct user_watch *watch)
{
	if (watch->keeps && !--nkeepers)
		prt_callbacks_drop(watch_callbacks, ARRAY_SIZE(watch_callbacks));
	watch->keeps = false;
}

/* ---- events; under watch_lock ---- */

static void release_event(struct user_event *e)
{
	list_del(&e->node);
	perf_event_release_kernel(e->event);
	put_task_struct(e->task);
	kfree(e);
}

/* Whether no thread has it or a copy. Only a thread that has one can have another one copied. */
static bool event_is_over(struct user_event *e)
{
	bool over;

	if (READ_ONCE(e->event->state) > PERF_EVENT_STATE_EXIT)
		return false;
	mutex_lock(&e->event->child_mutex);
	over = list_empty(&e->event->child_list);
	mutex_unlock(&e->event->child_mutex);
	return over;
}

static void release_those_over(struct user_watch *watch)
{
	struct user_event *e, *next;

	list_for_each_entry_safe(e, next, &watch->events, node)
		if (event_is_over(e))
			release_event(e);
}

/* Returns the copy that @task has, or NULL. It is there as long as the task is. */
static struct perf_event *copy_of(struct user_event *e, const struct task_struct *task)
{
	struct perf_event *copy, *found = NULL;

	mutex_lock(&e->event->child_mutex);
	list_for_each_entry(copy, &e->event->child_list, child_list)
		if (copy->hw.target == task)
			found = copy;
	mutex_unlock(&e->event->child_mutex);
	return found;
}

/* Takes the events of the current process's earlier programs away from it. Each is disabled, since
 * processes that it has created may have copies: two of one address would be on together, and an
 * emulated processor reports one of these alone. */
static void leave_earlier(struct user_watch *watch)
{
	struct user_event *e;

	list_for_each_entry(e, &watch->events, node) {
		struct perf_event *event = e->task == current ? e->event : copy_of(e, current);

		if (event && e->exec_id != current->self_exec_id)
			perf_event_disable(event);
	}
}

/* @copied: it may have a copy of another thread's event. */
static bool has_event(const struct user_watch *watch, u32 nr, const struct task_struct *task,
		       u64 exec_id, bool copied)
{
	struct user_event *e;

	list_for_each_entry(e, &watch->events, node)
		if (e->nr == nr && e->exec_id == exec_id &&
		    (e->task == task || (copied && copy_of(e, task))))
			return true;
	return false;
}

static int make_event(struct user_watch *watch, u32 nr, struct task_struct *task, u64 exec_id,
		      unsigned long address)
{
	struct user_event *e = prt_fails() ? NULL : kzalloc(sizeof(*e), PRT_GFP);
	struct perf_event_attr attr;

	if (!e)
		return -ENOMEM;
	e->watch = watch;
	e->nr = nr;
	e->exec_id = exec_id;
	prt_watch_attr(watch->point, nr, address, &attr);
	attr.inherit = 1;
	prt_compat_leave_at_exec(&attr);
	e->event = prt_fails() ? ERR_PTR(-ENOMEM) :
		   perf_event_create_kernel_counter(&attr, -1, task, user_watch_hit, e);
	if (IS_ERR(e->event)) {
		int err = PTR_ERR(e->event);

		kfree(e);
		return err;
	}
	get_task_struct(task);
	e->task = task;
	list_add_tail(&e->node, &watch->events);
	return 0;
}

/* ---- threads ---- */

/* The result for some threads. */
struct watch_result {
	u32 made;                    /* events */
	int err;                     /* of the last one that could not be made; 0: none */
};

/* The address of the variable in @mm; 0: not known yet. */
static unsigned long address_in(const struct prt_point *p, const struct mm_struct *mm)
{
	u64 offset = p->pairs[0].site->offset, first = event_of(p)->first_code;
	unsigned long start = READ_ONCE(mm->start_code);

	if (!first)
		return offset;
	return start ? start - first + offset : 0;
}

/* Sets all watchpoints of @watch for @task, which executes its program. */
static void watch_task(struct user_watch *watch, struct task_struct *task, u64 exec_id,
		       unsigned long address, bool copied, struct watch_result *ret)
{
	const struct prt_point *p = watch->point;
	u32 nr;
	int err;

	mutex_lock(&watch_lock);
	for (nr = 0; nr < p->n; nr++) {
		if (!prt_watch_is_first(p, nr) || has_event(watch, nr, task, exec_id, copied))
			continue;
		err = make_event(watch, nr, task, exec_id, address);
		ret->made += !err;
		/* A thread that ends has nothing to be watched any more. */
		if (!err || err == -ESRCH)
			continue;
		ret->err = err;
		prt_watch_missed(p, nr);
	}
	mutex_unlock(&watch_lock);
}

/* ---- processes that begin ---- */

static struct user_watch *watch_of(struct uprobe_consumer *self)
{
	return container_of(container_of(self, struct prt_compat_uprobe, consumer),
			    struct user_watch, uprobe);
}

static PRT_COMPAT_UPROBE_FILTER(watch_filter, mm)
{
	bool wanted;

	rcu_read_lock();
	wanted = prt_user_executes(prt_user_file_of(watch_of(self)->point), mm);
	rcu_read_unlock();
	return wanted;
}

static bool wants_current(const struct prt_point *p)
{
	const struct prt_file *scope = prt_user_file_of(p);
	bool wants;

	rcu_read_lock();
	wants = prt_user_executes(scope, current->mm) && prt_user_wants_task(scope, current);
	rcu_read_unlock();
	return wants;
}

/* At the first instruction of the program: the process has one thread. */
static int watch_begin(struct uprobe_consumer *self, struct pt_regs *regs PRT_COMPAT_UPROBE_DATA)
{
	struct user_watch *watch = watch_of(self);
	struct watch_result result = { 0 };
	unsigned long address;

	if (!wants_current(watch->point))
		return 0;
	address = address_in(watch->point, current->mm);
	mutex_lock(&watch_lock);
	release_those_over(watch);
	if (PRT_COMPAT_EVENTS_STAY)
		leave_earlier(watch);
	mutex_unlock(&watch_lock);
	if (address)
		watch_task(watch, current, current->self_exec_id, address, false, &result);
	return 0;
}

/* ---- processes that are there ---- */

/* Under rcu_read_lock(). */
static bool executes_it(const struct prt_file *scope, struct task_struct *task)
{
	bool meant;

	task_lock(task);
	meant = !(task->flags & PF_KTHREAD) && task->mm && prt_user_executes(scope, task->mm);
	task_unlock(task);
	return meant && prt_user_wants_task(scope, task);
}

/* Stores up to @most threads that are meant, held. Returns how many there are. */
static u32 find_threads(const struct prt_file *scope, struct task_struct **ret, u32 most)
{
	struct task_struct *process, *task;
	u32 n = 0;

	rcu_read_lock();
	for_each_process_thread(process, task) {
		if (!executes_it(scope, task))
			continue;
		if (n < most) {
			get_task_struct(task);
			ret[n] = task;
		}
		n++;
	}
	rcu_read_unlock();
	return n;
}

/* The thread may execute a program meanwhile: then its number of executions differs from
 * @exec_id, and the uprobe finds the new program's. */
static void watch_thread(struct user_watch *watch, struct task_struct *task,
			 struct watch_result *ret)
{
	const struct prt_file *scope = prt_user_file_of(watch->point);
	u64 exec_id = READ_ONCE(task->self_exec_id);
	struct mm_struct *mm;
	unsigned long address = 0;

	/* The kernel changes them in the opposite order. */
	smp_rmb();
	mm = get_task_mm(task);
	if (!mm)
		return;
	rcu_read_lock();
	if (prt_user_executes(scope, mm))
		address = address_in(watch->point, mm);
	rcu_read_unlock();
	mmput(mm);
	if (address)
		watch_task(watch, task, exec_id, address, true, ret);
}

/* Returns the number of events that were made, or -ENOMEM. */
static int watch_threads(struct user_watch *watch, struct watch_result *all)
{
	const struct prt_file *scope = prt_user_file_of(watch->point);
	u32 most = find_threads(scope, NULL, 0), n, i;
	struct watch_result result = { 0 };
	struct task_struct **threads;

	if (!most)
		return 0;
	most += PRT_WATCH_MARGIN;
	threads = prt_alloc(most, sizeof(*threads), NUMA_NO_NODE);
	if (!threads)
		return -ENOMEM;
	n = min(find_threads(scope, threads, most), most);
	for (i = 0; i < n; i++) {
		watch_thread(watch, threads[i], &result);
		put_task_struct(threads[i]);
		cond_resched();
	}
	kvfree(threads);
	all->made += result.made;
	all->err = result.err ? result.err : all->err;
	return result.made;
}

/* A thread that is being created while its creator gets its event is found by the walk after it;
 * the last walk comes when such a creation is over. Fails if no event at all could be made. */
static int watch_processes(struct user_watch *watch)
{
	struct watch_result all = { 0 };
	u32 walk;
	int made = 1;

	for (walk = 0; made > 0 && walk < PRT_WATCH_WALKS; walk++)
		made = watch_threads(watch, &all);
	if (made >= 0 && walk > 1) {
		msleep(PRT_WATCH_CREATION_MS);
		made = watch_threads(watch, &all);
	}
	if (made < 0)
		return made;
	return all.made ? 0 : all.err;
}

/* ---- arming ---- */

static int begin_watching(struct user_watch *watch)
{
	struct inode *inode = prt_user_inode_of(watch->point);
	int err = keep_events(watch);

	if (err)
		return err;
	watch->uprobe.consumer = (struct uprobe_consumer){
		.handler = watch_begin, .filter = watch_filter,
	};
	err = prt_register(prt_compat_uprobe_register(&watch->uprobe, inode,
						      event_of(watch->point)->entry, 0));
	watch->registered = !err;
	return err ? err : watch_processes(watch);
}

static void leave_beginnings(struct user_watch *watch)
{
	if (watch->registered)
		prt_compat_uprobe_unregister(&watch->uprobe, prt_user_inode_of(watch->point),
					     event_of(watch->point)->entry);
	watch->registered = false;
}

/* No process begins to be watched any more. The handler of an event does not run when that was
 * released, but one of a copy in a thread that ends may be about to return. */
static void end_watching(struct user_watch *watch)
{
	struct list_head gone = LIST_HEAD_INIT(gone);
	struct user_event *e, *next;

	mutex_lock(&watch_lock);
	list_splice_init(&watch->events, &gone);
	mutex_unlock(&watch_lock);
	list_for_each_entry(e, &gone, node)
		perf_event_release_kernel(e->event);
	if (!list_empty(&gone))
		prt_global_grace();
	list_for_each_entry_safe(e, next, &gone, node) {
		put_task_struct(e->task);
		kfree(e);
	}
}

static void user_watch_disarm(struct prt_point *points, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		if (points[i].probe)
			leave_beginnings(points[i].probe);
	prt_compat_uprobe_sync();
	for (i = 0; i < n; i++)
		if (points[i].probe) {
			end_watching(points[i].probe);
			keep_no_more(points[i].probe);
		}
}

static void user_watch_arm(struct prt_point *p)
{
	struct user_watch *watch = p->probe;

	p->mechanism = PRT_MECH_WATCHPOINT;
	if (!watch)
		watch = prt_alloc(1, sizeof(*watch), NUMA_NO_NODE);
	smp_store_release(&p->probe, watch);
	p->error = -ENOMEM;
	if (!watch)
		return;
	watch->point = p;
	INIT_LIST_HEAD(&watch->events);
	p->error = begin_watching(watch);
	if (p->error)
		user_watch_disarm(p, 1);
	prt_point_set_armed(p, !p->error);
}

static void user_watch_turn(struct prt_point *p, bool on)
{
	struct user_watch *watch = p->probe;

	WRITE_ONCE(watch->on, on);
}

const struct prt_family prt_user_watch_family = {
	.kind = PRT_USER_WATCH, .arm = user_watch_arm, .disarm = user_watch_disarm,
	.turn = user_watch_turn,
};
