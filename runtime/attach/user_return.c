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
 * address space and by the stack pointer at the entry, which is the one at an instruction that
 * returns, and the one behind it less the return address. So it does not matter whether a coroutine
 * goes on in another thread. Of processes that share an address space, as behind vfork(), each has
 * its own calls. A program in Go moves its stacks, so a call there is found by the goroutine and by
 * the distance from the end of its stack.
 *
 * A call that never returns (longjmp, an exception, exec, a thread that ends) leaves its row
 * behind. The next call at the same stack pointer uses it again. Where no row is free, those of
 * address spaces that have ended are taken over, then those of the thread's own calls that lie
 * below the stack pointer and so should have been left, then those of threads of the process that
 * have ended. Calls of coroutines may be among the last two: if such a call returns, it is counted
 * as missed. So is a call for which there is no row.
 *
 * A forked process may return from calls that its parent entered. It has no rows for them, and the
 * parent's may be of later calls already. If the process began after the point was armed, each of
 * its calls has a row, was refused, or is one of these, which are counted as inherited. That can't
 * be told for a probe that wants only some calls, and in Go.
 */
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include "arch/arch.h"
#include "arch/user.h"
#include "attach.h"
#include "context.h"
#include "global.h"
#include "memory.h"
#include "rehearse.h"
#include "returns.h"
#include "spaces.h"
#include "user.h"
#include "user_calls.h"
#include "user_known.h"
#include "user_load.h"

/* A point's `probe`. */
struct user_probe {
	struct prt_user_place entry;
	struct prt_user_place *exits; /* NULL: `entry` is a uretprobe */
	u32 nexits;
	/* One of them is the entry, which handles both: the kernel calls the consumers of one place
	 * in no order that we choose. */
	bool ends_at_entry;
	/* One probe without a condition, which keeps something, for all processes, not in Go. */
	bool simple;
	bool keeps_time;
	bool counts_inherited;       /* one of its probes wants each call, not in Go */
	bool (*keep)(struct prt_ctx *c); /* its entry function, or NULL */
	const struct prt_probe *probe;
	struct prt_user_calls calls;
	u64 since;                   /* ktime_get_ns() when all of it was armed */
};

/* ---- calls ---- */

static struct prt_user_frame user_frame_of(const struct user_probe *u, const struct pt_regs *regs,
				       u64 sp)
{
	struct prt_user_frame frame = prt_user_frame_at(current, sp & ~PRT_USER_GOROUTINE);
	u64 goroutine, end;

	if (u->calls.is_go && prt_arch_go_stack(regs, sp, &goroutine, &end)) {
		frame.owner = goroutine;
		frame.sp = (end - sp) | PRT_USER_GOROUTINE;
	}
	return frame;
}

static u64 nothing_kept;

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
static bool user_keep(const struct prt_point *p, struct pt_regs *regs, struct prt_user_call *call)
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

/* Whether a call without a row is one that the current process did not enter, or was refused. */
static bool user_saw_entries(const struct user_probe *u)
{
	u64 start = READ_ONCE(current->group_leader->start_time); /* of ktime_get_ns() */

	return u->counts_inherited && start > READ_ONCE(u->since) &&
	       start > READ_ONCE(prt_session.since) && prt_user_wanted_here(u->entry.point);
}

static void user_refuse_call(const struct user_probe *u, const struct prt_user_frame *frame)
{
	if (user_saw_entries(u))
		prt_user_refuse_call(&u->calls, frame);
}

static noinline void user_begin_call(const struct user_probe *u, struct pt_regs *regs)
{
	const struct prt_point *p = u->entry.point;
	struct prt_user_frame frame;
	struct prt_user_call *call;

	if (u->calls.rows)
		frame = user_frame_of(u, regs, prt_arch_sp(regs));
	if (!user_entry_wanted(p, regs)) {
		call = u->calls.rows ? prt_user_find_call(&u->calls, &frame) : NULL;
		if (call)
			prt_user_give_call(&u->calls, call);
		return;
	}
	if (user_too_deep(u)) {
		prt_returns_missed(p, regs);
		return;
	}
	if (!u->calls.rows)
		return;
	call = prt_user_take_call(&u->calls, &frame);
	if (call && user_keep(p, regs, call)) {
		prt_user_keep_call(call, frame.process);
		return;
	}
	user_refuse_call(u, &frame);
	if (call)
		prt_user_give_call(&u->calls, call);
	else
		prt_returns_missed(p, regs);
}
NOKPROBE_SYMBOL(user_begin_call);

/* ---- returns ---- */

/* At a return without a row. */
static void user_count_unseen(const struct user_probe *u, const struct prt_user_frame *frame)
{
	const struct prt_point *p = u->entry.point;

	if (prt_user_was_lost(&u->calls, frame))
		prt_returns_lost(p);
	else if (user_saw_entries(u) && !prt_user_was_refused(&u->calls, frame))
		prt_returns_inherited(p);
}

/* @regs are those behind the return; @sp is the stack pointer at the entry. false: no probe wanted
 * it. */
static bool user_leave(const struct user_probe *u, struct pt_regs *regs, u64 sp)
{
	const struct prt_point *p = u->entry.point;
	struct prt_user_call *call = NULL;
	struct prt_user_frame frame;
	u64 none = 0;
	void *data = &none;
	bool wanted = false;
	u32 i;

	if (u->calls.rows) {
		frame = user_frame_of(u, regs, sp);
		call = prt_user_find_call(&u->calls, &frame);
		if (!call) {
			user_count_unseen(u, &frame);
			return false;
		}
		data = call->data;
	} else if (!prt_user_wanted_here(p)) {
		return false;
	}
	for (i = 0; i < p->n; i++) {
		if (!prt_returns_wants(p, (struct prt_span){ 0, p->n }, i, data))
			continue;
		prt_user_run(&p->pairs[i], regs, data + p->pairs[i].data,
			     prt_arch_user_retval(regs));
		wanted = true;
	}
	if (call)
		prt_user_give_call(&u->calls, call);
	return wanted;
}

static int user_return(struct uprobe_consumer *self, unsigned long func,
		       struct pt_regs *regs PRT_COMPAT_UPROBE_DATA)
{
	const struct user_probe *u = container_of(prt_user_place_of(self), struct user_probe,
						  entry);

	prt_user_load_return(prt_arch_ip(regs));
	if (!user_leave(u, regs, prt_arch_entry_sp(regs)))
		prt_user_load_alone(u->entry.point);
	return 0;
}

/* At an instruction that returns to @back. Handlers see the registers that the caller will see, as
 * with a uretprobe; what they write to others than these two stays. */
static noinline void user_end_call(const struct prt_user_place *place, struct pt_regs *regs,
				   unsigned long back)
{
	unsigned long ip = prt_arch_ip(regs), sp = prt_arch_sp(regs);

	prt_user_load_at(ip);
	prt_arch_user_return(regs, back);
	if (!user_leave(READ_ONCE(place->point->probe), regs, sp))
		prt_user_load_alone(place->point);
	prt_arch_undo_return(regs, ip, sp);
}
NOKPROBE_SYMBOL(user_end_call);

static int user_exit(struct uprobe_consumer *self, struct pt_regs *regs PRT_COMPAT_UPROBE_DATA)
{
	struct prt_user_place *place = prt_user_place_of(self);
	unsigned long back;

	if (prt_arch_get_return(regs, &back))
		return 0;
	user_end_call(place, regs, back);
	prt_user_fast_learn(place, regs);
	return 0;
}

static noinline void user_exit_any(struct prt_user_place *place, struct pt_regs *regs,
				   unsigned long back)
{
	user_end_call(place, regs, back);
	prt_arch_emulate_return(regs, back);
}
NOKPROBE_SYMBOL(user_exit_any);

static void user_exit_fast(struct prt_user_place *place, struct pt_regs *regs, unsigned long back)
{
	const struct user_probe *u = READ_ONCE(place->point->probe);
	const struct prt_pair *pair = &place->point->pairs[0];
	struct prt_user_frame frame = prt_user_frame_at(current, prt_arch_sp(regs));
	struct prt_user_call *call;

	if (unlikely(!u->simple))
		return user_exit_any(place, regs, back);
	call = prt_user_first_choice(&u->calls, &frame);
	if (unlikely(!prt_user_find_choice(call, &frame)))
		return user_exit_any(place, regs, back);
	prt_arch_emulate_return(regs, back);
	prt_context_hit_now(u->probe, pair->probe, pair->site, regs,
			    call->data + u->keeps_time, prt_arch_retval(regs));
	prt_user_give_choice(call);
}
NOKPROBE_SYMBOL(user_exit_fast);

/* The same if nothing is kept. */
static void user_exit_bare(struct prt_user_place *place, struct pt_regs *regs, unsigned long back)
{
	const struct user_probe *u = READ_ONCE(place->point->probe);
	const struct prt_pair *pair = &place->point->pairs[0];

	prt_arch_emulate_return(regs, back);
	prt_context_hit_now(u->probe, pair->probe, pair->site, regs, &nothing_kept,
			    prt_arch_retval(regs));
}
NOKPROBE_SYMBOL(user_exit_bare);

static int user_enter(struct uprobe_consumer *self, struct pt_regs *regs PRT_COMPAT_UPROBE_DATA)
{
	struct prt_user_place *place = prt_user_place_of(self);
	const struct user_probe *u = container_of(place, struct user_probe, entry);
	unsigned long back;

	/* It may keep a stack for the return. */
	if (prt_point_flags(place->point) & PRT_NEED_SPACE)
		prt_spaces_wait();
	prt_user_load_at(prt_arch_ip(regs));
	prt_user_load_alone(place->point);
	user_begin_call(u, regs);
	if (u->ends_at_entry && !prt_arch_get_return(regs, &back))
		user_end_call(place, regs, back);
	prt_user_fast_learn(place, regs);
	return 0;
}

/* The row is the first choice of the call. */
static noinline int user_keep_fast(const struct user_probe *u, struct pt_regs *regs,
				   struct prt_user_call *call)
{
	const struct prt_pair *pair = &u->entry.point->pairs[0];
	struct prt_user_frame frame;

	if (prt_returns_enter_one(pair, regs, call->data)) {
		prt_user_keep_call(call, current->tgid);
		return 0;
	}
	frame = prt_user_frame_at(current, prt_arch_sp(regs));
	user_refuse_call(u, &frame);
	prt_user_give_choice(call);
	return 0;
}
NOKPROBE_SYMBOL(user_keep_fast);

static noinline int user_keep_time(struct prt_user_call *call)
{
	call->data[0] = prt_clock_now();
	prt_user_keep_call(call, current->tgid);
	return 0;
}
NOKPROBE_SYMBOL(user_keep_time);

static noinline int user_begin_any(const struct user_probe *u, struct pt_regs *regs)
{
	user_begin_call(u, regs);
	return 0;
}
NOKPROBE_SYMBOL(user_begin_any);

/* Rare and costly parts are called at the end, so that other calls save no registers for them. */
static __always_inline int user_enter_now(const struct user_probe *u, struct pt_regs *regs)
{
	struct prt_user_frame frame = prt_user_frame_at(current, prt_arch_sp(regs));
	struct prt_user_call *call;

	if (unlikely(!u->simple || !READ_ONCE(prt_session.running)))
		return user_begin_any(u, regs);
	call = prt_user_first_choice(&u->calls, &frame);
	if (unlikely(!prt_user_take_choice(call, &frame)))
		return user_begin_any(u, regs);
	if (u->keep)
		return user_keep_fast(u, regs, call);
	if (u->keeps_time && unlikely(!prt_clock.ticks))
		return user_keep_time(call);
	if (u->keeps_time)
		call->data[0] = prt_arch_ticks();
	prt_user_keep_call(call, frame.process);
	return 0;
}

/* The breakpoints at entries are charged several at one time. */
static noinline int user_enter_charged(const struct user_probe *u, struct pt_regs *regs)
{
	prt_user_load_alone_now(u->entry.point, PRT_ALONE_AT_ONCE);
	return user_enter_now(u, regs);
}
NOKPROBE_SYMBOL(user_enter_charged);

static int user_enter_fast(struct prt_user_place *place, struct pt_regs *regs)
{
	const struct user_probe *u = container_of(place, struct user_probe, entry);

	if (unlikely(!(prt_user_fast_count(place) % PRT_ALONE_AT_ONCE)))
		return user_enter_charged(u, regs);
	return user_enter_now(u, regs);
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
	int err;

	if (!user_keeps(p, bytes))
		return 0;
	if (u->calls.rows) {
		prt_user_calls_clear(&u->calls);
		return 0;
	}
	u->calls.is_go = prt_user_file_of(p)->is_go;
	err = prt_user_calls_make(&u->calls, user_rows_wanted(p), bytes, prt_returns_share(1));
	if (!err && prt_returns_limited())
		prt_returns_take(prt_user_calls_size(&u->calls) - prt_user_calls_least(bytes));
	return err;
}

static int user_make_exits(struct user_probe *u, const struct prt_site *site)
{
	u32 i;

	if (!site->exits || u->exits)
		return 0;
	u->exits = prt_alloc(site->nexits, sizeof(*u->exits), NUMA_NO_NODE);
	if (!u->exits)
		return -ENOMEM;
	/* The status may be reading, if the point was gated until now: the places come first. */
	smp_store_release(&u->nexits, site->nexits);
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

/* Chooses the work of the fast path at each place, and clears `simple` if nothing is kept. */
static void user_choose_fast(struct user_probe *u, const struct prt_point *p)
{
	const struct prt_probe *own = u->simple ? prt_point_own(p) : NULL;
	u32 i;

	for (i = 0; i < u->nexits; i++) {
		struct prt_user_place *exit = &u->exits[i];

		exit->hit_return = u->calls.rows || !u->simple ? user_exit_fast : user_exit_bare;
		exit->leave = own ? own->leave : NULL;
		exit->calls = u->calls;
	}
	u->simple &= u->calls.rows != NULL;
	u->entry.hit = user_enter_fast;
	u->entry.calls = u->calls;
	u->entry.keeps_time = u->simple && u->keeps_time && !u->keep && prt_clock.ticks;
}

/* Whether one of the probes wants each call. */
static bool user_wants_each_call(const struct prt_point *p)
{
	u32 i;

	for (i = 0; i < p->n; i++) {
		const struct prt_probe *probe = &prt_script.probes[p->pairs[i].probe];

		if (!probe->cond && !probe->entry_tests)
			return true;
	}
	return false;
}

/* The entry first: a return whose entry was not seen is of no use. */
static int user_register(struct user_probe *u, struct prt_point *p)
{
	const struct prt_site *site = p->pairs[0].site;
	int err = 0;
	u32 i;

	for (i = 0; u->calls.rows && i < u->nexits; i++)
		u->ends_at_entry |= site->exits[i] == site->offset;
	u->counts_inherited = !prt_user_file_of(p)->is_go && user_wants_each_call(p);
	WRITE_ONCE(u->since, U64_MAX);
	u->probe = &prt_script.probes[p->pairs[0].probe];
	u->keep = u->probe->entry;
	u->keeps_time = u->probe->flags & PRT_ENTRY_TIME;
	u->simple = p->n == 1 && !u->probe->cond && prt_user_wanted_everywhere(p) &&
		    !prt_user_file_of(p)->is_go;
	if (user_return_may_be_fast(u, p))
		user_choose_fast(u, p);
	u->entry.uprobe.consumer = (struct uprobe_consumer){
		.handler = user_enter, .ret_handler = u->exits ? NULL : user_return,
	};
	if (u->calls.rows || !u->exits)
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
	smp_store_release(&p->probe, u);
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
	WRITE_ONCE(u->since, ktime_get_ns());
	prt_point_set_armed(p, !p->error);
}

void prt_user_return_status(const struct prt_point *p, struct prt_site_status *ret)
{
	const struct user_probe *u = READ_ONCE(p->probe);
	u32 n = smp_load_acquire(&u->nexits), i;

	if (u->calls.rows || !u->exits)
		prt_user_place_status(&u->entry, ret);
	for (i = 0; i < n; i++)
		prt_user_place_status(&u->exits[i], ret);
}

static void user_return_free(struct prt_point *p)
{
	struct user_probe *u = p->probe;

	if (!u)
		return;
	kvfree(u->calls.rows);
	kvfree(u->exits);
}

const struct prt_family prt_user_return_family = {
	.kind = PRT_USER_RETURN, .arm = user_return_arm, .disarm = user_return_disarm,
	.settle = prt_user_settle, .free = user_return_free,
};
