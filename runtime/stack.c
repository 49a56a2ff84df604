/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's stack at the hit, chains of calls in it, registers. Any context.
 *
 * A walk (arch/stack.h) starts at the registers of the hit, so that nothing of ours is in the list:
 * a probe whose handler asks for it gets all registers. In a return probe they are those of the
 * caller, right after the return. The kernel's unwinder asks RCU whether it watches; where it does
 * not, there is no stack.
 *
 * Registers of a place point after what was put there, a kprobe's a byte (also where it is a jump,
 * or ftrace's), ftrace's own a call. Behind a push of one byte that is the next instruction, before
 * which the stack is another; so they are made to point at the place.
 */
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>

#include "arch/arch.h"
#include "arch/registers.h"
#include "arch/stack.h"
#include "attach/attach.h"
#include "context.h"
#include "stacks.h"

enum {
	FRAME_STEPS = 2,         /* steps that one frame costs */
};

void prt_stack_setup(void)
{
	prt_arch_walk_setup(prt_form_address);
}

static bool can_unwind(struct prt_ctx *c)
{
	bool full = c->probe->kind == PRT_RETURN || (c->probe->flags & PRT_NEED_REGS);

	return c->regs && full && !user_mode((struct pt_regs *)c->regs) && rcu_is_watching();
}

/* The address at which the processor continues; for a place, the address of the place. */
static u64 ip_of(const struct prt_ctx *c)
{
	u16 kind = c->probe->kind;
	bool is_place = kind == PRT_ENTRY || kind == PRT_PLACE || c->level == PRT_LEVEL_CALL;

	if (is_place)
		return READ_ONCE(prt_site_infos[c->site - prt_script.sites].addr);
	return prt_arch_ip(c->regs);
}

/* Returns the registers to unwind from. false: there are none. */
static __always_inline bool unwind_from(struct prt_ctx *c, struct pt_regs *ret)
{
	if (!can_unwind(c))
		return false;
	*ret = *(const struct pt_regs *)c->regs;
	prt_arch_set_ip(ret, ip_of(c));
	if (c->probe->kind == PRT_PERF)
		prt_arch_of_perf(ret);
	return true;
}

static __always_inline void begin_walk_at(struct prt_ctx *c, struct prt_arch_walk *w,
					  struct pt_regs *regs)
{
	prt_arch_walk_begin(w, regs, c->probe->kind == PRT_ENTRY || c->level == PRT_LEVEL_CALL);
}

/* Writes at most @most (1 or more) frames, innermost first, to @to; @flags: enum prt_stack_flags,
 * also if only @most were requested. Returns their number; 0 if there are no registers. */
static __always_inline u32 unwind(struct prt_ctx *c, u64 *to, u32 most, u32 *flags)
{
	struct prt_arch_walk walk PRT_UNCLEARED;
	struct pt_regs regs PRT_UNCLEARED;
	unsigned long addr;
	u32 n = 1;

	*flags = 0;
	if (!unwind_from(c, &regs))
		return 0;
	to[0] = prt_arch_ip(&regs);
	for (begin_walk_at(c, &walk, &regs); !prt_arch_walk_done(&walk);
	     prt_arch_walk_next(&walk)) {
		addr = prt_arch_walk_address(&walk);
		if (!addr) {
			*flags = prt_arch_walk_at_user(&walk) ? 0 : PRT_STACK_BROKEN;
			return n;
		}
		if (n == most) {
			*flags = PRT_STACK_DEEPER;
			return n;
		}
		to[n++] = addr;
	}
	if (prt_arch_walk_failed(&walk))
		*flags = PRT_STACK_BROKEN;
	return n;
}

/* The address of the function that returns. */
static u64 returning_function(const struct prt_ctx *c)
{
	return READ_ONCE(prt_site_infos[c->site - prt_script.sites].addr);
}
NOKPROBE_SYMBOL(returning_function);

bool prt_stack_add_kernel(struct prt_ctx *c, u32 most, u32 srcloc)
{
	struct prt_stack_room *room = prt_cpu_of(c)->stack;
	struct prt_stack_part part = { .kind = PRT_STACK_KERNEL };
	u64 *words = room->words + room->n;
	u32 flags;

	part.n = unwind(c, words + PRT_PART_WORDS, min_t(u32, most, PRT_STACK_FRAMES), &flags);
	if (!part.n)
		return true;
	PRT_STEPS(c, FRAME_STEPS * part.n, srcloc, none);
	if (part.n == most)
		flags = 0;
	part.flags = flags;
	if (flags)
		prt_stacks_incomplete(PRT_STACK_KERNEL, flags);
	*(struct prt_stack_part *)words = part;
	room->n += PRT_PART_WORDS + part.n;
	return true;
none:
	return false;
}
NOKPROBE_SYMBOL(prt_stack_add_kernel);

/* In a return probe. */
static void add_returning(struct prt_ctx *c, struct prt_stack_room *room)
{
	prt_stacks_set_one(room, PRT_STACK_RETURNING, returning_function(c));
}
NOKPROBE_SYMBOL(add_returning);

s64 prt_stack_take(struct prt_ctx *c, s64 most, bool returning, u32 srcloc)
{
	struct prt_stack_room *room = prt_cpu_of(c)->stack;
	u32 before;

	if (!most)
		return 0;
	room->n = 0;
	if (returning && c->probe->kind == PRT_RETURN)
		add_returning(c, room);
	before = room->n;
	if (!prt_stack_add_kernel(c, most < 0 ? U32_MAX : min_t(s64, most, U32_MAX), srcloc) ||
	    room->n == before)
		return 0;
	return prt_stacks_enter(c);
}
NOKPROBE_SYMBOL(prt_stack_take);

s64 prt_user_stack_joined(struct prt_ctx *c, bool returning, u32 srcloc)
{
	struct prt_stack_room *room = prt_cpu_of(c)->stack;

	room->n = 0;
	if (returning && c->probe->kind == PRT_RETURN)
		add_returning(c, room);
	if (!prt_stack_add_kernel(c, U32_MAX, srcloc) || !prt_stack_add_user(c, U32_MAX, srcloc) ||
	    !room->n)
		return 0;
	return prt_stacks_enter(c);
}
NOKPROBE_SYMBOL(prt_user_stack_joined);

s64 prt_stack_at(struct prt_ctx *c, s64 n, u32 srcloc)
{
	struct prt_arch_walk walk;
	struct pt_regs regs;
	s64 i;

	if (n < 0 || n >= PRT_STACK_FRAMES || !unwind_from(c, &regs))
		return 0;
	if (!n)
		return prt_arch_ip(&regs);
	begin_walk_at(c, &walk, &regs);
	for (i = 1; !prt_arch_walk_done(&walk); i++) {
		unsigned long addr = prt_arch_walk_address(&walk);

		PRT_STEPS(c, FRAME_STEPS, srcloc, out);
		if (!addr || i == n)
			return addr;
		prt_arch_walk_next(&walk);
	}
out:
	return 0;
}
NOKPROBE_SYMBOL(prt_stack_at);

/* ---- chains of calls ---- */

static const struct prt_call *find_call(const struct prt_chains *chains, u32 list, u64 at)
{
	const struct prt_callers *callers = &chains->callers[list];
	const struct prt_call *calls = chains->calls + callers->first;
	u32 low = 0, high = callers->n;

	while (low < high) {
		u32 mid = (low + high) / 2;

		if (calls[mid].at == at)
			return &calls[mid];
		if (calls[mid].at < at)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

bool prt_called(struct prt_ctx *c, const struct prt_chains *chains)
{
	u32 nr = c->site - prt_script.sites;
	const struct prt_call *call = &chains->places[nr - chains->site];
	u64 moved = ip_of(c) - call->at;
	u32 calls = call->calls;
	struct prt_arch_walk walk;
	struct pt_regs regs;

	if (!call->callers)
		return true;
	if (!unwind_from(c, &regs))
		return false;
	for (begin_walk_at(c, &walk, &regs); !prt_arch_walk_done(&walk);
	     prt_arch_walk_next(&walk)) {
		call = find_call(chains, call->callers, prt_arch_walk_address(&walk) - moved);
		if (!call)
			return false;
		calls += call->calls;
		if (calls > chains->most)
			return false;
		if (!call->callers)
			return true;
	}
	return false;
}
NOKPROBE_SYMBOL(prt_called);

/* ---- registers ---- */

/* At a tracepoint and a hook there are only those with which the stack begins. */
static bool has_registers(const struct prt_ctx *c)
{
	return c->regs && c->probe->kind != PRT_TRACE && c->probe->kind != PRT_NETFILTER;
}

s64 prt_named_register(struct prt_ctx *c, struct prt_str name, bool is_signed, u32 srcloc)
{
	u32 size;
	s32 offset = prt_arch_named(name, &size);

	if (offset >= 0 && has_registers(c)) {
		u64 value = *(const u64 *)((const char *)c->regs + offset);

		if (offset == PRT_ARCH_IP_OFFSET)
			value = ip_of(c);
		return prt_cut(value, size, is_signed);
	}
	prt_error(c, PRT_E_BAD_VALUE, srcloc, offset >= 0 ? PRT_LIT("this probe has no registers") :
						 PRT_LIT("there is no register of that name"));
	return 0;
}
NOKPROBE_SYMBOL(prt_named_register);

s64 prt_user_register(struct prt_ctx *c, s64 n)
{
	struct pt_regs *regs = task_pt_regs(current);

	return current->flags & PF_KTHREAD ? 0 : prt_arch_register_value(regs, n);
}
NOKPROBE_SYMBOL(prt_user_register);

u64 prt_user_simd(u32 n)
{
	return prt_arch_simd(n);
}
NOKPROBE_SYMBOL(prt_user_simd);

s64 prt_task_stack_size(void)
{
	return THREAD_SIZE;
}
NOKPROBE_SYMBOL(prt_task_stack_size);

s64 prt_stack_used(struct prt_ctx *c, u32 srcloc)
{
	const struct pt_regs *regs = c->regs;
	u64 end = (u64)task_stack_page(current) + THREAD_SIZE;
	u64 sp = can_unwind(c) ? prt_arch_sp(regs) : (u64)__builtin_frame_address(0);

	if (end - sp <= THREAD_SIZE)
		return end - sp;
	prt_error(c, PRT_E_BAD_VALUE, srcloc, PRT_LIT("not on the stack of a task"));
	return 0;
}
NOKPROBE_SYMBOL(prt_stack_used);
