/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's stack at the hit, chains of calls in it, registers. Any context.
 *
 * The unwinder of the kernel (by ORC, or what it was built with) starts at the registers of the
 * hit, so that nothing of ours is in the list: a probe whose handler asks for it gets all
 * registers. In a return probe they are those of the caller, right after the return. The unwinder
 * asks RCU whether it watches; where it does not, there is no stack.
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
#include <asm/unwind.h>

#include "arch/x86.h"
#include "arch/x86_simd.h"
#include "attach/attach.h"
#include "context.h"
#include "stacks.h"

enum {
	FRAME_STEPS = 2,         /* steps that one frame costs */
};

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
	return ((const struct pt_regs *)c->regs)->ip;
}

/* Returns the registers to unwind from. false: there are none. */
static __always_inline bool unwind_from(struct prt_ctx *c, struct pt_regs *ret)
{
	if (!can_unwind(c))
		return false;
	*ret = *(const struct pt_regs *)c->regs;
	ret->ip = ip_of(c);
	if (c->probe->kind == PRT_PERF)
		prt_arch_of_perf(ret);
	return true;
}

/* Whether the frame is the one in user space from which the kernel was entered. */
static bool at_user_space(struct unwind_state *state)
{
	const struct pt_regs *regs = unwind_get_entry_regs(state, NULL);

	return regs && user_mode((struct pt_regs *)regs);
}
NOKPROBE_SYMBOL(at_user_space);

/* Writes at most @most (1 or more) frames, innermost first, to @to; @flags: enum prt_stack_flags,
 * also if only @most were requested. Returns their number; 0 if there are no registers. */
static __always_inline u32 unwind(struct prt_ctx *c, u64 *to, u32 most, u32 *flags)
{
	struct unwind_state state PRT_UNCLEARED;
	struct pt_regs regs PRT_UNCLEARED;
	unsigned long addr;
	u32 n = 1;

	*flags = 0;
	if (!unwind_from(c, &regs))
		return 0;
	/* If it is given registers, the unwinder begins after their frame. */
	to[0] = regs.ip;
	for (unwind_start(&state, current, &regs, NULL); !unwind_done(&state);
	     unwind_next_frame(&state)) {
		addr = unwind_get_return_address(&state);
		if (!addr) {
			*flags = at_user_space(&state) ? 0 : PRT_STACK_BROKEN;
			return n;
		}
		if (n == most) {
			*flags = PRT_STACK_DEEPER;
			return n;
		}
		to[n++] = addr;
	}
	if (unwind_error(&state))
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
	struct unwind_state state;
	struct pt_regs regs;
	s64 i;

	if (n < 0 || n >= PRT_STACK_FRAMES || !unwind_from(c, &regs))
		return 0;
	if (!n)
		return regs.ip;
	unwind_start(&state, current, &regs, NULL);
	for (i = 1; !unwind_done(&state); i++) {
		unsigned long addr = unwind_get_return_address(&state);

		PRT_STEPS(c, FRAME_STEPS, srcloc, out);
		if (!addr || i == n)
			return addr;
		unwind_next_frame(&state);
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
	struct unwind_state state;
	struct pt_regs regs;

	if (!call->callers)
		return true;
	if (!unwind_from(c, &regs))
		return false;
	for (unwind_start(&state, current, &regs, NULL); !unwind_done(&state);
	     unwind_next_frame(&state)) {
		call = find_call(chains, call->callers, unwind_get_return_address(&state) - moved);
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

#define REGISTER(name) { { #name }, offsetof(struct pt_regs, name) }
static const struct register_name {
	union {
		char text[8];
		u64 word;        /* the same */
	} name;
	u32 offset;
} registers[] = {
	REGISTER(di), REGISTER(si), REGISTER(dx), REGISTER(cx), REGISTER(ax), REGISTER(bx),
	REGISTER(bp), REGISTER(sp), REGISTER(ip), REGISTER(flags), REGISTER(r8), REGISTER(r9),
	REGISTER(r10), REGISTER(r11), REGISTER(r12), REGISTER(r13), REGISTER(r14), REGISTER(r15),
	REGISTER(cs), REGISTER(ss), REGISTER(orig_ax),
};
#undef REGISTER

static const struct register_name *find_register(struct prt_str name)
{
	u64 word = 0;
	u32 i;

	if (name.len > sizeof(word))
		return NULL;
	for (i = 0; i < name.len; i++)
		word |= (u64)(u8)name.s[i] << 8 * i;
	for (i = 0; i < ARRAY_SIZE(registers); i++)
		if (registers[i].name.word == word)
			return &registers[i];
	return NULL;
}

/* Whether a register of that name also has names with the prefixes r and e. */
static bool has_prefix(struct prt_str name)
{
	return name.len > 2 && (name.s[0] == 'r' || name.s[0] == 'e') && name.s[1] >= 'a';
}

/* At a tracepoint and a hook there are only those with which the stack begins. */
static bool has_registers(const struct prt_ctx *c)
{
	return c->regs && c->probe->kind != PRT_TRACE && c->probe->kind != PRT_NETFILTER;
}

s64 prt_named_register(struct prt_ctx *c, struct prt_str name, bool is_signed, u32 srcloc)
{
	bool prefix = has_prefix(name);
	u32 size = prefix && name.s[0] == 'e' ? 4 : 8;
	const struct register_name *r;

	if (prefix)
		r = find_register((struct prt_str){ name.s + 1, name.len - 1 });
	else if (prt_str_eq(name, PRT_LIT("orig_rax")))
		r = find_register(PRT_LIT("orig_ax"));
	else
		r = find_register(name);
	if (r && has_registers(c)) {
		u64 value = *(const u64 *)((const char *)c->regs + r->offset);

		if (r->offset == offsetof(struct pt_regs, ip))
			value = ip_of(c);
		return prt_cut(value, size, is_signed);
	}
	prt_error(c, PRT_E_BAD_VALUE, srcloc, r ? PRT_LIT("this probe has no registers") :
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
