/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Places in programs and libraries: the kernel's uprobes, one consumer for each place.
 *
 * A uprobe belongs to a file (an inode) and an offset in it, whatever processes map it, so a site
 * has no address: points are told apart by the number of their file and the offset. The file is
 * looked up by its path in the loader's own context, and its path is held while the session lives,
 * as perf does: its file system cannot be unmounted in the meantime. Of a file on overlayfs the
 * inode below is the one that is mapped.
 *
 * The kernel calls a handler in the context of the process, where it might sleep. Ours runs as all
 * hot handlers do, with interrupts off, on this processor's context.
 *
 * Breakpoints are written only into processes that the probe wants: the kernel asks user_filter()
 * for each address space, when the probe is registered and when a process maps the file later. The
 * hit asks again, because a child inherits the breakpoints of its parent, and other users of the
 * same uprobe may want processes that we do not.
 *
 * Returns. A uretprobe has no room for what a probe keeps from the entry. Where something must be
 * kept, a table of the point has it, found by the task and the stack pointer at the entry, which
 * is the one at the return less the return address. Only the task itself looks for its own calls.
 * A call that never returns (longjmp, exec, a thread that ends) leaves its row behind: the next
 * call at the same stack pointer uses it again, and rows of tasks that are gone are taken over when
 * no other is free. A call for which there is no row, and one that is nested deeper than the kernel
 * follows (MAX_URETPROBE_DEPTH), is counted as missed.
 */
#include <linux/dcache.h>
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/namei.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "arch/x86.h"
#include "attach.h"
#include "compat/uprobes.h"
#include "context.h"
#include "memory.h"
#include "process.h"
#include "rehearse.h"
#include "returns.h"
#include "user.h"

/* A row of prt_script.files, opened. */
struct user_file {
	struct path path, program_path; /* held while the inode beside it is set */
	struct inode *inode;         /* the one that processes map; NULL: `error` says why not */
	struct inode *program;       /* that processes which are wanted were started from; NULL:
				      * any */
	int error;
};

/* The values that are saved for a call until it returns. */
struct user_call {
	u32 task;                    /* pid in the initial namespace; 0: the row is free */
	u32 pad;
	u64 sp;                      /* at the entry */
	u64 data[];
};

/* A point's `probe`. */
struct user_probe {
	struct prt_compat_uprobe uprobe;
	const struct prt_point *point;
	char *calls;                 /* rows of `row` bytes; NULL: nothing is stored */
	u32 row, order;              /* 1 << order rows */
};

enum { USER_WINDOW = 16 };           /* rows that one call may have */

static struct user_file *files;      /* one for each of prt_script.files */

/* ---- files ---- */

static int user_find(const char *name, struct path *path)
{
	int err = kern_path(name, LOOKUP_FOLLOW, path);

	if (err == -ENOENT || err == -ENOTDIR)
		return -ESRCH;
	if (err)
		return err;
	if (S_ISREG(d_backing_inode(path->dentry)->i_mode))
		return 0;
	path_put(path);
	return -EINVAL;
}

static int user_look_up(const struct prt_file *row, struct user_file *file)
{
	int err = user_find(row->path, &file->path);

	if (err)
		return err;
	file->inode = d_real_inode(file->path.dentry);
	if (!row->program)
		return 0;
	err = user_find(row->program, &file->program_path);
	if (!err)
		file->program = d_backing_inode(file->program_path.dentry);
	return err;
}

/* The number of the row and the offset, which no site at another place has. */
static u64 user_key_of(const struct prt_site *site)
{
	return (u64)site->file << 48 | (site->offset & (BIT_ULL(48) - 1));
}

int prt_user_setup(void)
{
	u32 i;

	if (!prt_script.nfiles)
		return 0;
	files = prt_alloc(prt_script.nfiles, sizeof(*files), NUMA_NO_NODE);
	if (!files)
		return -ENOMEM;
	for (i = 0; i < prt_script.nfiles; i++)
		files[i].error = user_look_up(&prt_script.files[i], &files[i]);
	for (i = 0; i < prt_script.nsites; i++) {
		const struct prt_site *site = &prt_script.sites[i];

		if (!site->file)
			continue;
		prt_site_infos[i].error = files[site->file - 1].error;
		if (!prt_site_infos[i].error)
			prt_site_infos[i].addr = user_key_of(site);
	}
	return 0;
}

void prt_user_free(void)
{
	u32 i;

	for (i = 0; files && i < prt_script.nfiles; i++) {
		if (files[i].inode)
			path_put(&files[i].path);
		if (files[i].program)
			path_put(&files[i].program_path);
	}
	kvfree(files);
	files = NULL;
}

/* ---- processes: preemption is off, or rcu_read_lock() in force ---- */

/* The row of prt_script.files that the sites of a point share. */
static __always_inline const struct prt_file *user_scope_of(const struct prt_point *p)
{
	return &prt_script.files[p->pairs[0].site->file - 1];
}

/* The file may be given back and become another one meanwhile, so that of its fields only the inode
 * is read, and compared with one that is held. rcu_dereference_raw(): process.c says why. */
static __always_inline bool user_runs_program(const struct prt_file *scope,
					      const struct mm_struct *mm)
{
	const struct inode *program = files[scope - prt_script.files].program;
	const struct file *exe;

	if (!scope->program)
		return true;
	exe = mm ? rcu_dereference_raw(mm->exe_file) : NULL;
	return exe && program && READ_ONCE(exe->f_inode) == program;
}

static __always_inline bool user_wants_task(const struct prt_file *scope,
					    const struct task_struct *task)
{
	if (scope->pid && task->tgid != scope->pid)
		return false;
	return !scope->is_target || prt_process_comes_from(task, prt_session.setup.target);
}

bool prt_process_owner(u32 nr)
{
	const struct prt_file *scope = &prt_script.files[nr];

	return user_runs_program(scope, current->mm) && user_wants_task(scope, current);
}
NOKPROBE_SYMBOL(prt_process_owner);

/* The kernel does not say whose an address space is: any process that has it will do. */
static bool user_wants_owner(const struct prt_file *scope, const struct mm_struct *mm)
{
	const struct task_struct *task;

	if (!scope->pid && !scope->is_target)
		return true;
	if (current->mm == mm)
		return user_wants_task(scope, current);
	for_each_process(task)
		if (READ_ONCE(task->mm) == mm && user_wants_task(scope, task))
			return true;
	return false;
}

static PRT_COMPAT_UPROBE_FILTER(user_filter, mm)
{
	const struct user_probe *u = container_of(self, struct user_probe, uprobe.consumer);
	const struct prt_file *scope = user_scope_of(u->point);
	bool wanted;

	rcu_read_lock();
	wanted = user_runs_program(scope, mm) && user_wants_owner(scope, mm);
	rcu_read_unlock();
	return wanted;
}

/* At a hit. */
static __always_inline bool user_wanted_here(const struct prt_point *p)
{
	const struct prt_file *scope = user_scope_of(p);
	bool wanted;

	if (likely(!scope->pid && !scope->is_target && !scope->program))
		return true;
	rcu_read_lock();
	wanted = prt_process_owner(scope - prt_script.files);
	rcu_read_unlock();
	return wanted;
}

/* ---- events of processes ---- */

bool prt_process_event(enum prt_process_event event)
{
	bool first = current->pid == current->tgid;

	if (!current->mm || current->flags & (PF_KTHREAD | PF_IO_WORKER))
		return false;
	switch (event) {
	case PRT_PROCESS_BEGIN:
		return first;
	case PRT_PROCESS_END:
		return current->flags & PF_EXITING;
	case PRT_PROCESS_THREAD_BEGIN:
	case PRT_PROCESS_THREAD_END:
		return !first;
	default:
		return true;
	}
}
NOKPROBE_SYMBOL(prt_process_event);

/* ---- hits ---- */

static void user_run(const struct prt_pair *pair, struct pt_regs *regs, u64 *saved, s64 retval)
{
	unsigned long flags;

	if (!prt_script.probes[pair->probe].rehearse) {
		prt_context_hit(pair->probe, pair->site, regs, saved, retval);
		return;
	}
	flags = prt_rehearse(pair, regs, saved, retval, false);
	prt_context_hit(pair->probe, pair->site, regs, saved, retval);
	raw_local_irq_restore(flags);
}

static int user_hit(struct uprobe_consumer *self, struct pt_regs *regs PRT_COMPAT_UPROBE_DATA)
{
	const struct prt_point *p = container_of(self, struct user_probe, uprobe.consumer)->point;
	u32 i;

	if (!user_wanted_here(p))
		return 0;
	for (i = 0; i < p->n; i++)
		user_run(&p->pairs[i], regs, NULL, 0);
	return 0;
}

/* ---- calls that return ---- */

static struct user_call *user_row_of(const struct user_probe *u, u32 nr)
{
	return (struct user_call *)(u->calls + (u64)(nr & ((1u << u->order) - 1)) * u->row);
}

static u32 user_first_row(const struct user_probe *u, u64 sp)
{
	return hash_64(sp ^ (u64)current->pid << 44, u->order);
}

static struct user_call *user_find_call(const struct user_probe *u, u64 sp)
{
	u32 first = user_first_row(u, sp), i;

	for (i = 0; i < USER_WINDOW; i++) {
		struct user_call *call = user_row_of(u, first + i);

		if (READ_ONCE(call->task) == current->pid && call->sp == sp)
			return call;
	}
	return NULL;
}

static bool user_is_gone(u32 pid)
{
	bool gone;

	rcu_read_lock();
	gone = !pid_task(find_pid_ns(pid, &init_pid_ns), PIDTYPE_PID);
	rcu_read_unlock();
	return gone;
}

/* A row for a call of this task; NULL: all that it may have are in use. */
static struct user_call *user_take_call(const struct user_probe *u, u64 sp)
{
	struct user_call *call = user_find_call(u, sp);
	u32 first = user_first_row(u, sp), i;

	for (i = 0; !call && i < USER_WINDOW; i++)
		if (!cmpxchg(&user_row_of(u, first + i)->task, 0, current->pid))
			call = user_row_of(u, first + i);
	for (i = 0; !call && i < USER_WINDOW; i++) {
		u32 owner = READ_ONCE(user_row_of(u, first + i)->task);

		if (owner != current->pid && user_is_gone(owner) &&
		    cmpxchg(&user_row_of(u, first + i)->task, owner, current->pid) == owner)
			call = user_row_of(u, first + i);
	}
	if (call)
		call->sp = sp;
	return call;
}

static void user_give_call(struct user_call *call)
{
	smp_store_release(&call->task, 0);
}

/* The kernel follows no more returns of this task than that. */
static bool user_too_deep(void)
{
	const struct uprobe_task *task = current->utask;

	return task && task->depth >= MAX_URETPROBE_DEPTH;
}

static bool user_entry_wanted(const struct prt_point *p, const struct pt_regs *regs)
{
	return user_wanted_here(p) && READ_ONCE(prt_session.running) && prt_returns_wanted(p, regs);
}

/* Fills in the row; false: no probe wants the call. If several probes read memory of the process at
 * the entry, the pages brought in for one may be gone again when another has waited for its own. */
static bool user_keep(const struct prt_point *p, struct pt_regs *regs, struct user_call *call)
{
	bool reads = false, wants;
	unsigned long flags = 0;
	u32 i;

	for (i = 0; i < p->n; i++) {
		const struct prt_pair *pair = &p->pairs[i];
		const struct prt_probe *probe = &prt_script.probes[pair->probe];

		if (!probe->rehearse || !(probe->flags & PRT_ENTRY_FULL) ||
		    !prt_returns_cond(pair, regs))
			continue;
		if (reads)
			raw_local_irq_restore(flags);
		flags = prt_rehearse(pair, regs, (void *)call->data + pair->data, 0,
				     true);
		reads = true;
	}
	wants = prt_returns_enter(p, regs, call->data);
	if (reads)
		raw_local_irq_restore(flags);
	return wants;
}

static int user_enter(struct uprobe_consumer *self, struct pt_regs *regs PRT_COMPAT_UPROBE_DATA)
{
	const struct user_probe *u = container_of(self, struct user_probe, uprobe.consumer);
	struct user_call *call;

	if (!user_entry_wanted(u->point, regs)) {
		call = u->calls ? user_find_call(u, regs->sp) : NULL;
		if (call)
			user_give_call(call);
		return 0;
	}
	if (user_too_deep()) {
		prt_returns_missed(u->point, regs);
		return 0;
	}
	if (!u->calls)
		return 0;
	call = user_take_call(u, regs->sp);
	if (!call)
		prt_returns_missed(u->point, regs);
	else if (!user_keep(u->point, regs, call))
		user_give_call(call);
	return 0;
}

static int user_return(struct uprobe_consumer *self, unsigned long func,
		       struct pt_regs *regs PRT_COMPAT_UPROBE_DATA)
{
	const struct user_probe *u = container_of(self, struct user_probe, uprobe.consumer);
	const struct prt_point *p = u->point;
	struct user_call *call = NULL;
	u64 none = 0;
	void *data = &none;

	u32 i;

	if (u->calls) {
		call = user_find_call(u, regs->sp - sizeof(u64));
		if (!call)
			return 0;
		data = call->data;
	} else if (!user_wanted_here(p)) {
		return 0;
	}
	for (i = 0; i < p->n; i++)
		if (prt_returns_wants(p, i, data))
			user_run(&p->pairs[i], regs, data + p->pairs[i].data,
				 prt_arch_retval(regs));
	if (call)
		user_give_call(call);
	return 0;
}

/* ---- arming ---- */

/* Whether the return needs to know anything of the entry. */
static bool user_keeps(const struct prt_point *p, u32 bytes)
{
	const struct prt_probe *first = &prt_script.probes[p->pairs[0].probe];

	return bytes || p->n > 1 || first->cond || first->entry;
}

static u64 user_rows_wanted(const struct prt_point *p)
{
	s64 asked = 0;
	u32 i;

	for (i = 0; i < p->n; i++)
		asked = max(asked, prt_script.probes[p->pairs[i].probe].maxactive);
	return asked ? asked : (u64)prt_session.setup.threads * 4 + PRT_USER_CALLS;
}

static int user_make_calls(struct user_probe *u, struct prt_point *p)
{
	u32 bytes = prt_returns_layout(p);
	u64 rows = user_rows_wanted(p);

	if (!user_keeps(p, bytes) || u->calls)
		return 0;
	u->row = sizeof(struct user_call) + bytes;
	u->order = max_t(u32, ilog2(rows - 1) + 1, ilog2(USER_WINDOW));
	while (u->order > ilog2(USER_WINDOW) && ((u64)u->row << u->order) > PRT_POOL_BUDGET)
		u->order--;
	u->calls = prt_alloc(1ul << u->order, u->row, NUMA_NO_NODE);
	return u->calls ? 0 : -ENOMEM;
}

static struct user_probe *user_probe_of(struct prt_point *p, u8 mechanism)
{
	struct user_probe *u = p->probe;

	p->mechanism = mechanism;
	if (!u)
		u = prt_alloc(1, sizeof(*u), NUMA_NO_NODE);
	WRITE_ONCE(p->probe, u);
	if (!u)
		p->error = -ENOMEM;
	else
		u->point = p;
	return u;
}

static void user_register(struct user_probe *u, struct prt_point *p)
{
	const struct prt_site *site = p->pairs[0].site;

	p->error = prt_register(prt_compat_uprobe_register(&u->uprobe,
							   files[site->file - 1].inode,
							   site->offset, site->counter));
	p->armed = !p->error;
}

static void user_arm(struct prt_point *p)
{
	struct user_probe *u = user_probe_of(p, PRT_MECH_UPROBE);

	if (!u)
		return;
	u->uprobe.consumer = (struct uprobe_consumer){
		.handler = user_hit, .filter = user_filter,
	};
	user_register(u, p);
}

static void user_return_arm(struct prt_point *p)
{
	struct user_probe *u = user_probe_of(p, PRT_MECH_URETPROBE);

	if (!u)
		return;
	p->error = user_make_calls(u, p);
	if (p->error)
		return;
	u->uprobe.consumer = (struct uprobe_consumer){
		.handler = user_enter, .ret_handler = user_return, .filter = user_filter,
	};
	user_register(u, p);
}

static void user_disarm(struct prt_point *points, u32 n)
{
	bool any = false;
	u32 i;

	for (i = 0; i < n; i++) {
		const struct prt_site *site = points[i].pairs[0].site;
		struct user_probe *u = points[i].probe;

		if (!points[i].armed)
			continue;
		prt_compat_uprobe_unregister(&u->uprobe, files[site->file - 1].inode,
					     site->offset);
		any = true;
	}
	if (any)
		prt_compat_uprobe_sync();
}

static void user_free_calls(struct prt_point *p)
{
	struct user_probe *u = p->probe;

	if (u)
		kvfree(u->calls);
}

const struct prt_family prt_user_family = {
	.kind = PRT_USER, .arm = user_arm, .disarm = user_disarm,
};

const struct prt_family prt_user_return_family = {
	.kind = PRT_USER_RETURN, .arm = user_return_arm, .disarm = user_disarm,
	.free = user_free_calls,
};
