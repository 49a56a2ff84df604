/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hits that take the fast path of breakpoints in programs, which user_fast.c explains: in the
 * exception itself, with interrupts off, in the context of the process. Each way runs the handler
 * and carries out the instruction that the breakpoint replaced, or leaves everything as it was for
 * the kernel.
 */
#include <linux/kprobes.h>
#include <linux/notifier.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include "arch/user.h"
#include "attach.h"
#include "context.h"
#include "spaces.h"
#include "user.h"
#include "user_calls.h"
#include "user_known.h"
#include "user_load.h"

/* Whether the kernel is to handle the hit of @task, the current one. */
static __always_inline bool is_doubtful(const struct prt_user_place *place,
					const struct pt_regs *regs,
					const struct task_struct *task)
{
	return unlikely(task->ptrace || !prt_arch_runs_plainly(regs, task) ||
			!prt_compat_uprobe_is_alone(&place->uprobe));
}

/* Says why the kernel handles a hit. */
static noinline int leave_hit(struct prt_user_place *place, const struct pt_regs *regs)
{
	if (!prt_user_is_ready(place))
		return NOTIFY_DONE;
	WRITE_ONCE(place->slow_why, !is_doubtful(place, regs, current) ? PRT_SLOW_MEMORY :
		   prt_compat_uprobe_is_alone(&place->uprobe) ? PRT_SLOW_TRACED : PRT_SLOW_OTHERS);
	return NOTIFY_DONE;
}
NOKPROBE_SYMBOL(leave_hit);

static __always_inline u64 *count_of(const struct prt_user_place *place)
{
	return &prt_cpu_of(this_cpu_read(prt_contexts))->user_counts[place->nr];
}

/* Counts the hit; the process continues after it. */
static __always_inline int end_hit(const struct prt_user_place *place, const struct pt_regs *regs)
{
	++*count_of(place);
	/* A sample's interrupt, which the exception has held back, comes here. */
	prt_user_load_at(prt_arch_ip(regs));
	return NOTIFY_STOP;
}

static __always_inline bool take_push(struct prt_user_place *place, struct pt_regs *regs,
				      unsigned long at, struct task_struct *task)
{
	if (unlikely(!prt_arch_reach_push(&place->insn, regs, at, task)))
		return false;
	prt_arch_set_ip(regs, at);
	place->sure_hit(regs);
	prt_arch_emulate_push(&place->insn, regs);
	return true;
}

static __always_inline bool take_computing(struct prt_user_place *place, struct pt_regs *regs,
					   unsigned long at, struct task_struct *task)
{
	if (unlikely(!prt_arch_reach_place(at, task)))
		return false;
	prt_arch_set_ip(regs, at);
	place->sure_hit(regs);
	prt_arch_emulate_computing(&place->insn, regs);
	return true;
}

static noinline void emulate(const struct prt_user_place *place, struct pt_regs *regs)
{
	prt_arch_emulate_computing(&place->insn, regs);
}
NOKPROBE_SYMBOL(emulate);

/* The instruction at the place, which is no `ret`. */
static __always_inline void carry_out(const struct prt_user_place *place, struct pt_regs *regs)
{
	if (likely(place->insn.op == PRT_ARCH_PUSH))
		prt_arch_emulate_push(&place->insn, regs);
	else
		emulate(place, regs);
}

/* @done: by the handler; otherwise by the kernel. */
static __always_inline int end_any(struct prt_user_place *place, struct pt_regs *regs,
				   unsigned long at, bool done)
{
	if (unlikely(!done)) {
		prt_arch_set_ip(regs, at + PRT_ARCH_TRAP_SIZE);
		return leave_hit(place, regs);
	}
	carry_out(place, regs);
	return end_hit(place, regs);
}

static noinline int take_attempt(struct prt_user_place *place, struct pt_regs *regs,
				 unsigned long at, struct task_struct *task)
{
	if (unlikely(!prt_arch_reach_memory(&place->insn, regs, at, task)))
		return leave_hit(place, regs);
	prt_arch_set_ip(regs, at);
	return end_any(place, regs, at, place->attempt(regs));
}
NOKPROBE_SYMBOL(take_attempt);

static noinline int take_any(struct prt_user_place *place, struct pt_regs *regs,
			     unsigned long at, struct task_struct *task)
{
	if (unlikely(!prt_arch_reach_memory(&place->insn, regs, at, task)))
		return leave_hit(place, regs);
	prt_arch_set_ip(regs, at);
	return end_any(place, regs, at, !place->hit(place, regs));
}
NOKPROBE_SYMBOL(take_any);

static noinline int take_return(struct prt_user_place *place, struct pt_regs *regs,
				unsigned long at, struct task_struct *task)
{
	unsigned long back;

	if (unlikely(!prt_arch_reach_return(regs, at, &back, task)))
		return leave_hit(place, regs);
	prt_arch_set_ip(regs, at);
	place->hit_return(place, regs, back);
	return end_hit(place, regs);
}
NOKPROBE_SYMBOL(take_return);

static noinline int take_described(struct prt_user_place *place, struct pt_regs *regs,
				   unsigned long at, struct task_struct *task)
{
	if (!prt_spaces_ready() || !prt_arch_reach_memory(&place->insn, regs, at, task))
		return leave_hit(place, regs);
	prt_arch_set_ip(regs, at);
	place->sure_hit(regs);
	return end_any(place, regs, at, true);
}
NOKPROBE_SYMBOL(take_described);

/* The entry of a function: what place->hit does if only the time is kept, in a row that is the
 * first choice of the call. */
static noinline int take_time(struct prt_user_place *place, struct pt_regs *regs,
			      unsigned long at, struct task_struct *task)
{
	struct prt_user_frame frame = prt_user_frame_at(task, prt_arch_sp(regs));
	struct prt_user_call *call;
	u64 *count;

	if (unlikely(!prt_arch_reach_memory(&place->insn, regs, at, task)))
		return leave_hit(place, regs);
	prt_arch_set_ip(regs, at);
	call = prt_user_first_choice(&place->calls, &frame);
	if (unlikely(!data_race(prt_session.running) || !prt_user_take_choice(call, &frame)))
		return end_any(place, regs, at, !place->hit(place, regs));
	call->data[0] = prt_arch_ticks();
	prt_user_keep_call(call, frame.process);
	carry_out(place, regs);
	count = count_of(place);
	if (unlikely(!((*count)++ % PRT_ALONE_AT_ONCE)))
		prt_user_load_alone_now(place->point, PRT_ALONE_AT_ONCE);
	prt_user_load_at(prt_arch_ip(regs));
	return NOTIFY_STOP;
}
NOKPROBE_SYMBOL(take_time);

/* Its return: what place->hit_return does if the call is in that row, or nothing is kept. */
static noinline int take_leave(struct prt_user_place *place, struct pt_regs *regs,
			       unsigned long at, struct task_struct *task)
{
	struct prt_user_frame frame = prt_user_frame_at(task, prt_arch_sp(regs));
	bool kept = place->calls.rows;
	struct prt_user_call *call;
	unsigned long back;

	if (unlikely(!prt_arch_reach_return(regs, at, &back, task)))
		return leave_hit(place, regs);
	prt_arch_set_ip(regs, at);
	if (kept) {
		call = prt_user_first_choice(&place->calls, &frame);
		if (unlikely(!prt_user_find_choice(call, &frame))) {
			place->hit_return(place, regs, back);
			return end_hit(place, regs);
		}
	}
	prt_arch_emulate_return(regs, back);
	place->leave(NULL, regs, kept ? call->data : NULL, prt_arch_retval(regs));
	if (kept)
		prt_user_give_choice(call);
	return end_hit(place, regs);
}
NOKPROBE_SYMBOL(take_leave);

/* They are called at the end, so that prt_user_see_breakpoint() saves no registers for them. */
static __always_inline int take_other(struct prt_user_place *place, struct pt_regs *regs,
				      unsigned long at, struct task_struct *task, u8 way)
{
	switch (way) {
	case PRT_USER_ATTEMPTS:
		return take_attempt(place, regs, at, task);
	case PRT_USER_KEEPS_TIME:
		return take_time(place, regs, at, task);
	case PRT_USER_LEAVES:
		return take_leave(place, regs, at, task);
	case PRT_USER_RETURNS:
		return take_return(place, regs, at, task);
	case PRT_USER_ANY:
		return take_any(place, regs, at, task);
	case PRT_USER_DESCRIBED:
		return take_described(place, regs, at, task);
	default:
		return leave_hit(place, regs);
	}
}

/* Most handlers need only registers (PRT_HIT_USER), and are called here. */
int prt_user_see_breakpoint(struct pt_regs *regs)
{
	unsigned long at = prt_arch_ip(regs) - PRT_ARCH_TRAP_SIZE;
	struct task_struct *task = current;
	struct prt_user_place *place;
	bool taken;
	u8 way;

	if (unlikely(!prt_arch_is_64bit(regs)) ||
	    !prt_user_find_place(prt_arch_space_id(task->mm), at, &place))
		return NOTIFY_DONE;
	if (is_doubtful(place, regs, task))
		return leave_hit(place, regs);
	way = data_race(place->way);
	if (likely(way == PRT_USER_PUSHES))
		taken = take_push(place, regs, at, task);
	else if (likely(way == PRT_USER_COMPUTES))
		taken = take_computing(place, regs, at, task);
	else
		return take_other(place, regs, at, task, way);
	return likely(taken) ? end_hit(place, regs) : leave_hit(place, regs);
}
NOKPROBE_SYMBOL(prt_user_see_breakpoint);
