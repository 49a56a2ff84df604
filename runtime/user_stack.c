/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The stack of the current process at the hit, by unwind tables. Any context.
 *
 * A walk begins with the registers of the hit if that was in the program, and with those that the
 * program had when it entered the kernel otherwise. Each frame is one step of unwind_step.h by the
 * rule of its instruction. The words of the stack are read as all memory of a process is, without
 * waiting for pages. Nothing is guessed: where no rule is known, the walk ends and says so.
 */
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>

#include "arch/x86_user.h"
#include "context.h"
#include "spaces.h"
#include "stacks.h"
#include "unwind_step.h"
#include "user_read.h"

enum { USER_FRAME_STEPS = 2 /* a frame takes as long as so many steps */ };

/* A walk in progress. */
struct user_walk {
	const struct prt_space *space;
	const struct prt_code *code; /* of the last frame */
	u64 at;                      /* file address of its instruction */
	struct prt_unwind_frame frame;
};

/* Whether the hit may have been in the program, and c->regs are all registers then. */
static bool may_be_of_program(const struct prt_ctx *c)
{
	switch (c->probe->kind) {
	case PRT_USER:
	case PRT_USER_RETURN:
	case PRT_CLOCK:
	case PRT_PERF:
		return c->regs;
	}
	return false;
}
NOKPROBE_SYMBOL(may_be_of_program);

/* The registers of the program; NULL: there is no program. */
static const struct pt_regs *program_regs(const struct prt_ctx *c)
{
	struct pt_regs *regs = (struct pt_regs *)c->regs;

	if (!current->mm || current->flags & (PF_KTHREAD | PF_IO_WORKER))
		return NULL;
	if (!may_be_of_program(c) || !user_mode(regs))
		regs = task_pt_regs(current);
	return user_mode(regs) && user_64bit_mode(regs) ? regs : NULL;
}
NOKPROBE_SYMBOL(program_regs);

/* Page faults are disabled, and the process's memory is mapped. */
static __always_inline bool read_stack_word(void *arg, prt_u64 address, prt_u64 *ret)
{
	const u64 __user *from = (const u64 __user *)address;
	u64 word;

	if (prt_user_room(address) < sizeof(word) || !user_read_access_begin(from, sizeof(word)))
		return false;
	unsafe_get_user(word, from, fault);
	user_read_access_end();
	*ret = word;
	return true;
fault:
	user_read_access_end();
	return false;
}

/* false: there is no program. */
static bool begin_walk(const struct prt_ctx *c, struct user_walk *w)
{
	const struct pt_regs *regs = program_regs(c);

	if (!regs || !prt_arch_user_mapped())
		return false;
	prt_arch_registers(w->frame.r, regs);
	w->frame.ip = regs->ip;
	w->frame.known = PRT_UNWIND_ALL;
	w->frame.is_call = false;
	w->frame.is_inner = true;
	w->space = prt_spaces_find();
	w->frame.wanted = w->space ? w->space->wanted : 0;
	return true;
}
NOKPROBE_SYMBOL(begin_walk);

/* Finds the code of the frame, and returns the frame as stacks have it. */
static u64 look_at_frame(struct user_walk *w)
{
	const struct prt_unwind_frame *f = &w->frame;
	u64 address = prt_unwind_address(f), word = f->is_call ? PRT_FRAME_CALL : 0, ip = f->ip;
	const struct prt_code *code = w->code;

	if (!w->space)
		return word | (ip & PRT_FRAME_ADDRESS);
	if (!code || address < code->start || address >= code->end)
		w->code = code = prt_spaces_code(w->space, address);
	if (!code)
		return word | (ip & PRT_FRAME_ADDRESS);
	w->at = address - code->bias;
	return word | code->file | ((ip - (code->file ? code->bias : 0)) & PRT_FRAME_ADDRESS);
}
NOKPROBE_SYMBOL(look_at_frame);

/* To the caller. */
static enum prt_unwind_result step_walk(struct user_walk *w)
{
	const struct prt_unwind_rule *rule = NULL;
	enum prt_unwind_result result;

	if (w->code && w->code->table)
		rule = prt_unwind_find(w->code->table, w->at);
	pagefault_disable();
	result = prt_unwind_step(&w->frame, rule, read_stack_word, NULL);
	pagefault_enable();
	return result;
}
NOKPROBE_SYMBOL(step_walk);

/* The flags of a walk's part of the stack, by how it ended. */
static u32 flags_of_end(const struct user_walk *w, enum prt_unwind_result end)
{
	if (!w->space)
		return PRT_STACK_BROKEN | PRT_STACK_EARLY;
	if (end == PRT_UNWIND_LAST)
		return 0;
	if (end == PRT_UNWIND_NO_WORD)
		return PRT_STACK_BROKEN | PRT_STACK_ABSENT;
	if (!w->code)
		prt_spaces_strange();
	return PRT_STACK_BROKEN;
}
NOKPROBE_SYMBOL(flags_of_end);

/* Writes at most @most frames to @to. Returns their number; 0: there is no program. */
static u32 walk_user(struct prt_ctx *c, u64 *to, u32 most, u32 *flags)
{
	struct user_walk w PRT_UNCLEARED;
	enum prt_unwind_result result = PRT_UNWIND_NO_RULE;
	u32 n = 0;

	*flags = 0;
	if (!begin_walk(c, &w))
		return 0;
	w.code = NULL;
	for (;;) {
		to[n++] = look_at_frame(&w);
		if (n == most && most < PRT_STACK_FRAMES)
			return n;
		result = w.space ? step_walk(&w) : PRT_UNWIND_NO_RULE;
		if (result != PRT_UNWIND_CALLER) {
			*flags = flags_of_end(&w, result);
			return n;
		}
		/* A return address of 0 is how libraries without rules mark the first frame. */
		if (!w.frame.ip)
			return n;
		if (n == most) {
			*flags = PRT_STACK_DEEPER;
			return n;
		}
	}
}
NOKPROBE_SYMBOL(walk_user);

bool prt_stack_add_user(struct prt_ctx *c, u32 most, u32 srcloc)
{
	struct prt_stack_room *room = prt_cpu_of(c)->stack;
	struct prt_stack_part part = { .kind = PRT_STACK_USER };
	u64 *words = room->words + room->n;
	u32 flags;

	part.n = walk_user(c, words + PRT_PART_WORDS, min_t(u32, most, PRT_STACK_FRAMES), &flags);
	if (!part.n)
		return true;
	PRT_STEPS(c, USER_FRAME_STEPS * part.n, srcloc, none);
	if (part.n == most)
		flags = 0;
	part.flags = flags;
	if (flags)
		prt_stacks_incomplete(PRT_STACK_USER, flags);
	memcpy(words, &part, sizeof(part));
	room->n += PRT_PART_WORDS + part.n;
	return true;
none:
	return false;
}
NOKPROBE_SYMBOL(prt_stack_add_user);

s64 prt_user_stack_take(struct prt_ctx *c, s64 most, u32 srcloc)
{
	struct prt_stack_room *room = prt_cpu_of(c)->stack;

	if (!most)
		return 0;
	room->n = 0;
	if (!prt_stack_add_user(c, most < 0 ? U32_MAX : min_t(s64, most, U32_MAX), srcloc) ||
	    !room->n)
		return 0;
	return prt_stacks_enter(c);
}
NOKPROBE_SYMBOL(prt_user_stack_take);

s64 prt_user_stack_at(struct prt_ctx *c, s64 n, u32 srcloc)
{
	struct user_walk w PRT_UNCLEARED;
	s64 i;

	if (n < 0 || n >= PRT_STACK_FRAMES || !begin_walk(c, &w))
		return 0;
	w.code = NULL;
	for (i = 0; i < n; i++) {
		PRT_STEPS(c, USER_FRAME_STEPS, srcloc, out);
		if (!w.space)
			return 0;
		look_at_frame(&w);
		if (step_walk(&w) != PRT_UNWIND_CALLER)
			return 0;
	}
	return w.frame.ip;
out:
	return 0;
}
NOKPROBE_SYMBOL(prt_user_stack_at);
