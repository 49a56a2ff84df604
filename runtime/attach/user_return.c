/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Returns of functions in programs.
 *
 * Where the compiler knows that each call of a function ends at one of its instructions that
 * return (struct prt_site.exits), these have a breakpoint each. The program's stack is left alone,
 * so that it may be moved or exchanged, and no call is too deep. Elsewhere a uretprobe is used: the
 * kernel replaces the return address on the stack, for MAX_URETPROBE_DEPTH nested calls of a thread
 * at most; deeper ones are counted as missed.
 *
 * Neither has room for what a probe keeps from the entry. Where something must be kept, the entry
 * has a breakpoint as well, and a table of the point has a row for each call: it is found by the
 * task and by the stack pointer at the entry, which is the one at an instruction that returns, and
 * the one behind it less the return address. Only the task itself looks for its own calls. A
 * program in Go moves its stacks, and a goroutine goes on in any thread, so a call there is found
 * by the goroutine and by the distance from the end of its stack.
 *
 * A call that never returns (longjmp, an exception, exec, a thread that ends) leaves its row
 * behind. The next call at the same stack pointer uses it again. Where no row is free, those of
 * tasks that are gone are taken over, and then those of the task's own calls that lie below the
 * stack pointer and so have been left. A call for which there is no row is counted as missed.
 *
 * A row is written by its owner alone: `task` is set first, with a `sp` that is none, and `sp`
 * last.
 */
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include "arch/x86.h"
#include "arch/x86_go.h"
#include "attach.h"
#include "context.h"
#include "global.h"
#include "memory.h"
#include "rehearse.h"
#include "returns.h"
#include "spaces.h"
#include "user.h"
#include "user_load.h"

/* The owner of a call, and its place on the stack. */
struct user_frame {
	u32 task;                    /* pid in the initial namespace; Go: of the process */
	u64 owner;                   /* Go: the goroutine's descriptor; else 0 */
	u64 sp;                      /* at the entry; Go: the distance from the end of the stack */
};

/* The values that are saved for a call until it returns. */
struct user_call {
	u32 task;                    /* 0: the row is free */
	u32 pad;
	u64 sp;                      /* USER_NO_SP: not written yet */
	u64 owner;
	u64 data[];
};

/* A point's `probe`. */
struct user_probe {
	struct prt_user_place entry;
	struct prt_user_place *exits; /* NULL: `entry` is a uretprobe */
	u32 nexits;
	/* One of them is the entry, which handles both: the kernel calls the consumers of one place
	 * in no order that we choose. */
	bool ends_at_entry;
	char *calls;                 /* rows of `row` bytes; NULL: nothing is stored */
	u32 row, order;              /* 1 << order rows */
};

enum {
	USER_WINDOW = 16,            /* rows that one call may have */
	USER_TAKEN = U32_MAX,        /* `task` of a row that is being taken over */
};

#define USER_NO_SP U64_MAX
#define USER_STACK (8ull << 20)      /* bytes that a stack has at most, as is assumed */

/* ---- rows ---- */

static struct user_frame user_frame_of(const struct user_probe *u, const struct pt_regs *regs,
				       u64 sp)
{
	struct user_frame frame = { .task = current->pid, .sp = sp };
	u64 end;

	if (prt_user_file_of(u->entry.point)->is_go &&
	    prt_arch_go_stack(regs, sp, &frame.owner, &end)) {
		frame.task = current->tgid;
		frame.sp = end - sp;
	}
	return frame;
}

static struct user_call *user_row_of(const struct user_probe *u, u32 nr)
{
	return (struct user_call *)(u->calls + (u64)(nr & ((1u << u->order) - 1)) * u->row);
}

static u32 user_first_row(const struct user_probe *u, const struct user_frame *frame)
{
	return hash_64(frame->sp ^ frame->owner << 20 ^ (u64)frame->task << 44, u->order);
}

static struct user_call *user_find_call(const struct user_probe *u, const struct user_frame *frame)
{
	const char *at = (const char *)user_row_of(u, user_first_row(u, frame));
	const char *end = u->calls + ((u64)u->row << u->order);
	u32 i, row = u->row, task = frame->task;

	for (i = 0; i < USER_WINDOW; i++) {
		struct user_call *call = (struct user_call *)at;

		if (unlikely(data_race(call->task) == task) &&
		    smp_load_acquire(&call->sp) == frame->sp && call->owner == frame->owner)
			return call;
		at += row;
		if (unlikely(at == end))
			at = u->calls;
	}
	return NULL;
}

static void user_give_call(struct user_call *call)
{
	WRITE_ONCE(call->sp, USER_NO_SP);
	smp_store_release(&call->task, 0);
}

static bool user_is_gone(u32 pid)
{
	bool gone;

	rcu_read_lock();
	gone = !pid_task(find_pid_ns(pid, &init_pid_ns), PIDTYPE_PID);
	rcu_read_unlock();
	return gone;
}

static bool user_take_gone(struct user_call *call, const struct user_frame *frame)
{
	u32 owner = READ_ONCE(call->task);

	if (!owner || owner == frame->task || owner == USER_TAKEN || !user_is_gone(owner) ||
	    cmpxchg(&call->task, owner, USER_TAKEN) != owner)
		return false;
	WRITE_ONCE(call->sp, USER_NO_SP);
	smp_store_release(&call->task, frame->task);
	return true;
}

/* A call of the same thread or goroutine that began with a longer stack than there is now. */
static bool user_was_left(const struct user_call *call, const struct user_frame *frame)
{
	u64 sp = READ_ONCE(call->sp);

	if (READ_ONCE(call->task) != frame->task || sp == USER_NO_SP ||
	    call->owner != frame->owner)
		return false;
	return frame->owner ? sp > frame->sp : sp < frame->sp && frame->sp - sp < USER_STACK;
}

/* A row for a call of this task; NULL: all that it may have are in use. */
static struct user_call *user_take_call(const struct user_probe *u, const struct user_frame *frame)
{
	struct user_call *call = user_find_call(u, frame);
	u32 first = user_first_row(u, frame), i;

	for (i = 0; !call && i < USER_WINDOW; i++)
		if (!cmpxchg(&user_row_of(u, first + i)->task, 0, frame->task))
			call = user_row_of(u, first + i);
	for (i = 0; !call && i < USER_WINDOW; i++)
		if (user_take_gone(user_row_of(u, first + i), frame))
			call = user_row_of(u, first + i);
	for (i = 0; !call && i < USER_WINDOW; i++)
		if (user_was_left(user_row_of(u, first + i), frame))
			call = user_row_of(u, first + i);
	if (!call)
		return NULL;
	WRITE_ONCE(call->sp, USER_NO_SP);
	call->owner = frame->owner;
	smp_store_release(&call->sp, frame->sp);
	return call;
}

/* ---- entries ---- */

/* The kernel follows no more returns of this task than that. */
static bool user_too_deep(const struct user_probe *u)
{
	const struct uprobe_task *task = current->utask;

	return !u->exits && task && task->depth >= MAX_URETPROBE_DEPTH;
}

static bool user_entry_wanted(const struct prt_point *p, const struct pt_regs *regs)
{
	return prt_user_wanted_here(p) && READ_ONCE(prt_session.running) &&
	       prt_returns_wanted(p, regs);
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

static void user_begin_call(const struct user_probe *u, struct pt_regs *regs)
{
	const struct prt_point *p = u->entry.point;
	struct user_frame frame;
	struct user_call *call;

	prt_user_load_at(regs->ip);
	prt_user_load_alone(p);
	if (u->calls)
		frame = user_frame_of(u, regs, regs->sp);
	if (!user_entry_wanted(p, regs)) {
		call = u->calls ? user_find_call(u, &frame) : NULL;
		if (call)
			user_give_call(call);
		return;
	}
	if (user_too_deep(u)) {
		prt_returns_missed(p, regs);
		return;
	}
	if (!u->calls)
		return;
	call = user_take_call(u, &frame);
	if (!call)
		prt_returns_missed(p, regs);
	else if (!user_keep(p, regs, call))
		user_give_call(call);
}
NOKPROBE_SYMBOL(user_begin_call);

/* ---- returns ---- */

/* @regs are those behind the return; @sp is the stack pointer at the entry. false: no probe wanted
 * it. */
static bool user_leave(const struct user_probe *u, struct pt_regs *regs, u64 sp)
{
	const struct prt_point *p = u->entry.point;
	struct user_call *call = NULL;
	struct user_frame frame;
	u64 none = 0;
	void *data = &none;
	bool wanted = false;
	u32 i;

	if (u->calls) {
		frame = user_frame_of(u, regs, sp);
		call = user_find_call(u, &frame);
		if (!call)
			return false;
		data = call->data;
	} else if (!prt_user_wanted_here(p)) {
		return false;
	}
	for (i = 0; i < p->n; i++) {
		if (!prt_returns_wants(p, i, data))
			continue;
		prt_user_run(&p->pairs[i], regs, data + p->pairs[i].data, prt_arch_retval(regs));
		wanted = true;
	}
	if (call)
		user_give_call(call);
	return wanted;
}

static int user_return(struct uprobe_consumer *self, unsigned long func,
		       struct pt_regs *regs PRT_COMPAT_UPROBE_DATA)
{
	const struct user_probe *u = container_of(prt_user_place_of(self), struct user_probe,
						  entry);

	prt_user_load_return(regs->ip);
	if (!user_leave(u, regs, regs->sp - sizeof(u64)))
		prt_user_load_alone(u->entry.point);
	return 0;
}

/* At an instruction that returns to @back. Handlers see the registers that the caller will see, as
 * with a uretprobe; what they write to others than these two stays. */
static void user_end_call(const struct prt_user_place *place, struct pt_regs *regs,
			  unsigned long back)
{
	unsigned long ip = regs->ip, sp = regs->sp;

	prt_user_load_at(ip);
	regs->ip = back;
	regs->sp = sp + sizeof(back);
	if (!user_leave(READ_ONCE(place->point->probe), regs, sp))
		prt_user_load_alone(place->point);
	regs->ip = ip;
	regs->sp = sp;
}
NOKPROBE_SYMBOL(user_end_call);

static int user_exit(struct uprobe_consumer *self, struct pt_regs *regs PRT_COMPAT_UPROBE_DATA)
{
	struct prt_user_place *place = prt_user_place_of(self);
	unsigned long back;

	if (get_user(back, (const unsigned long __user *)regs->sp))
		return 0;
	user_end_call(place, regs, back);
	prt_user_fast_learn(place, regs);
	return 0;
}

static void user_exit_fast(struct prt_user_place *place, struct pt_regs *regs, unsigned long back)
{
	user_end_call(place, regs, back);
}
NOKPROBE_SYMBOL(user_exit_fast);

static int user_enter(struct uprobe_consumer *self, struct pt_regs *regs PRT_COMPAT_UPROBE_DATA)
{
	struct prt_user_place *place = prt_user_place_of(self);
	const struct user_probe *u = container_of(place, struct user_probe, entry);
	unsigned long back;

	/* It may keep a stack for the return. */
	if (prt_point_flags(place->point) & PRT_NEED_SPACE)
		prt_spaces_wait();
	user_begin_call(u, regs);
	if (u->ends_at_entry && !get_user(back, (const unsigned long __user *)regs->sp))
		user_end_call(place, regs, back);
	prt_user_fast_learn(place, regs);
	return 0;
}

static int user_enter_fast(struct prt_user_place *place, struct pt_regs *regs)
{
	user_begin_call(container_of(place, struct user_probe, entry), regs);
	return 0;
}
NOKPROBE_SYMBOL(user_enter_fast);

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
	if (asked)
		return asked;
	/* Nobody knows the number of goroutines. */
	return (u64)prt_session.setup.threads * 4 +
	       (prt_user_file_of(p)->is_go ? PRT_USER_CALLS_GO : PRT_USER_CALLS);
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

static int user_make_exits(struct user_probe *u, const struct prt_site *site)
{
	u32 i;

	if (!site->exits || u->exits)
		return 0;
	u->exits = prt_alloc(site->nexits, sizeof(*u->exits), NUMA_NO_NODE);
	if (!u->exits)
		return -ENOMEM;
	u->nexits = site->nexits;
	for (i = 0; i < u->nexits; i++)
		u->exits[i].uprobe.consumer = (struct uprobe_consumer){ .handler = user_exit };
	return 0;
}

/* Whether entry and return can be handled without waiting, for memory or for the description of the
 * process. The stacks of Go are found in the program's memory. Where the kernel replaces the return
 * address, it must see the entry. */
static bool user_return_may_be_fast(const struct user_probe *u, const struct prt_point *p)
{
	u32 i;

	for (i = 0; i < p->n; i++)
		if (prt_script.probes[p->pairs[i].probe].rehearse)
			return false;
	if (prt_point_flags(p) & PRT_NEED_SPACE)
		return false;
	return u->exits && !u->ends_at_entry && !prt_user_file_of(p)->is_go;
}

static void user_return_each_place(void *probe, void (*f)(struct prt_user_place *place))
{
	struct user_probe *u = probe;
	u32 i;

	f(&u->entry);
	for (i = 0; i < u->nexits; i++)
		f(&u->exits[i]);
}

static void user_return_disarm(struct prt_point *points, u32 n)
{
	prt_user_disarm(points, n, user_return_each_place);
}

/* The entry first: a return whose entry was not seen is of no use. */
static int user_register(struct user_probe *u, struct prt_point *p)
{
	const struct prt_site *site = p->pairs[0].site;
	bool fast;
	int err = 0;
	u32 i;

	for (i = 0; u->calls && i < u->nexits; i++)
		u->ends_at_entry |= site->exits[i] == site->offset;
	fast = user_return_may_be_fast(u, p);
	u->entry.hit = fast ? user_enter_fast : NULL;
	for (i = 0; i < u->nexits; i++)
		u->exits[i].hit_return = fast ? user_exit_fast : NULL;
	u->entry.uprobe.consumer = (struct uprobe_consumer){
		.handler = user_enter, .ret_handler = u->exits ? NULL : user_return,
	};
	if (u->calls || !u->exits)
		err = prt_user_place_arm(&u->entry, p, site->offset);
	for (i = 0; i < u->nexits && !err; i++)
		if (!u->ends_at_entry || site->exits[i] != site->offset)
			err = prt_user_place_arm(&u->exits[i], p, site->exits[i]);
	if (err)
		prt_user_disarm(p, 1, user_return_each_place);
	return err;
}

static void user_return_arm(struct prt_point *p)
{
	struct user_probe *u = p->probe;

	if (!u)
		u = prt_alloc(1, sizeof(*u), NUMA_NO_NODE);
	WRITE_ONCE(p->probe, u);
	p->mechanism = p->pairs[0].site->exits ? PRT_MECH_UPROBE : PRT_MECH_URETPROBE;
	p->error = -ENOMEM;
	if (!u)
		return;
	u->entry.point = p;
	p->error = user_make_calls(u, p);
	if (!p->error)
		p->error = user_make_exits(u, p->pairs[0].site);
	if (!p->error)
		p->error = user_register(u, p);
	p->armed = !p->error;
}

void prt_user_return_status(const struct prt_point *p, struct prt_site_status *ret)
{
	const struct user_probe *u = p->probe;
	u32 i;

	if (u->calls || !u->exits)
		prt_user_fast_status(&u->entry, ret);
	for (i = 0; i < u->nexits; i++)
		prt_user_fast_status(&u->exits[i], ret);
}

static void user_return_free(struct prt_point *p)
{
	struct user_probe *u = p->probe;

	if (!u)
		return;
	kvfree(u->calls);
	kvfree(u->exits);
}

const struct prt_family prt_user_return_family = {
	.kind = PRT_USER_RETURN, .arm = user_return_arm, .disarm = user_return_disarm,
	.settle = prt_user_settle, .free = user_return_free,
};
