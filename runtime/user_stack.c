/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The stack of the current process at the hit, by unwind tables. Any context.
 *
 * A walk begins with the registers of the hit if that was in the program, and with those that the
 * program had when it entered the kernel otherwise. Each frame is one step of unwind_step.h by the
 * rule of its instruction. The words of the stack are read as all memory of a process is, without
 * waiting for pages. Where no rule is known, the walk ends and says so. Only in files that the
 * loader has not read yet does it follow frame pointers, and says that, too.
 */
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>

#include "arch/user.h"
#include "compat/uaccess.h"
#include "compat/uprobes.h"
#include "context.h"
#include "script_objects.h"
#include "script_walk.h"
#include "spaces.h"
#include "stacks.h"
#include "unwind_step.h"

enum {
	USER_FRAME_STEPS = 2,    /* a frame takes as long as so many steps */
	FRAMES_KNOWN = 256,      /* of each context */
};

/* A frame that was seen before, in the same description of an address space: it has the same code
 * and the same rule again. */
struct prt_frame_known {
	u64 serial;              /* of the description; 0: nothing */
	u64 at;                  /* the frame's address, as at_of() */
	u64 word;                /* the frame as stacks have it */
	struct prt_unwind_plan plan;
};

/* A walk in progress. */
struct user_walk {
	const struct prt_space *space;   /* NULL: not described */
	struct prt_frame_known *known;   /* of the context */
	const struct prt_code *code;     /* of the last frame that was looked up */
	struct prt_unwind_plan plan;     /* of the frame, if it is not among `known` */
	bool strange;                    /* no code is known at the frame */
	bool unknown;                    /* the walk ended where the file is not known yet */
	bool guessed;                    /* it followed frame pointers there */
	bool of_32bit;                   /* the program is one of 32 bits */
	bool in_call;                    /* its first frame is in a system call */
	struct prt_unwind_frame frame;
};

size_t prt_user_stack_frames_size(void)
{
	return prt_script.user_stacks ? FRAMES_KNOWN * sizeof(struct prt_frame_known) : 0;
}

/* Whether the hit may have been in the program, and c->regs are all registers then. */
static __always_inline bool may_be_of_program(const struct prt_ctx *c)
{
	switch (c->probe->kind) {
	case PRT_USER:
	case PRT_USER_RETURN:
	case PRT_USER_WATCH:
	case PRT_CLOCK:
	case PRT_PERF:
		return c->regs;
	}
	return false;
}

/* Whether execve() has given the process its new memory: the registers are those of the program
 * before, which that memory does not have. Where code begins is set shortly before they are. */
static bool is_between_programs(void)
{
	return !READ_ONCE(current->mm->start_code);
}
NOKPROBE_SYMBOL(is_between_programs);

/* The registers of the program where the hit is not in it. NULL: there is no program, or its memory
 * is not mapped. */
static noinline const struct pt_regs *entry_regs(void)
{
	const struct pt_regs *regs = task_pt_regs(current);

	if (!current->mm || current->flags & (PF_KTHREAD | PF_IO_WORKER) ||
	    !user_mode((struct pt_regs *)regs) || !prt_arch_user_mapped() || is_between_programs())
		return NULL;
	return regs;
}
NOKPROBE_SYMBOL(entry_regs);

/* The registers of the program; NULL: there is none, or its memory is not mapped. A program that
 * has just been interrupted has its memory. */
static __always_inline const struct pt_regs *program_regs(const struct prt_ctx *c)
{
	const struct pt_regs *regs = c->regs;

	if (!may_be_of_program(c) || !user_mode((struct pt_regs *)regs))
		regs = entry_regs();
	return regs && (prt_arch_user_64bit((struct pt_regs *)regs) || PRT_ARCH_STACKS_32) ? regs :
											     NULL;
}

/* Page faults are disabled, and the process's memory is mapped and open. */
static __always_inline bool read_stack_word(void *arg, prt_u64 address, prt_u64 *ret)
{
	u64 word;

	if (unlikely(address > PRT_COMPAT_TASK_SIZE_MAX - sizeof(word)))
		return false;
	unsafe_get_user(word, (const u64 __user *)address, fault);
	*ret = word;
	return true;
fault:
	return false;
}

/* The same of a program of 32 bits. */
static __always_inline bool read_stack_word_32(void *arg, prt_u64 address, prt_u64 *ret)
{
	u32 word;

	if (unlikely(address > U32_MAX - sizeof(word)))
		return false;
	unsafe_get_user(word, (const u32 __user *)address, fault);
	*ret = word;
	return true;
fault:
	return false;
}

/* false: there is no program. */
static __always_inline bool begin_walk(struct prt_ctx *c, struct user_walk *w)
{
	const struct pt_regs *regs = program_regs(c);

	if (!regs)
		return false;
	w->of_32bit = !prt_arch_user_64bit((struct pt_regs *)regs);
	if (unlikely(w->of_32bit))
		prt_arch_registers_32(w->frame.r, regs);
	else
		prt_arch_registers(w->frame.r, regs);
	w->frame.ip = prt_arch_ip(regs);
	w->frame.known = PRT_UNWIND_ALL;
	w->frame.is_call = false;
	w->frame.is_inner = true;
	w->frame.is_interrupted = false;
	w->in_call = regs != c->regs && prt_arch_in_call(regs);
	w->space = prt_spaces_find(c);
	if (w->space && w->space->wanted & PRT_UNWIND_THREAD) {
		w->frame.thread = prt_arch_thread_base();
		w->frame.known |= PRT_UNWIND_THREAD_KNOWN;
	}
	w->known = prt_cpu_of(c)->frames;
	w->code = NULL;
	w->strange = w->unknown = w->guessed = false;
	return true;
}

/* An interrupted instruction and a return to it are different frames. */
static __always_inline u64 at_of(const struct prt_unwind_frame *f)
{
	return f->ip | (u64)f->is_call << 63;
}

static __always_inline struct prt_frame_known *known_frame(const struct user_walk *w, u64 at)
{
	return &w->known[(at + w->space->serial * 8) * GOLDEN_RATIO_64 >>
			 (64 - ilog2(FRAMES_KNOWN))];
}

/* Returns the code of the frame. A uretprobe may have replaced the frame's address by that of its
 * trampoline. */
static const struct prt_code *code_of(struct user_walk *w)
{
	struct prt_unwind_frame *f = &w->frame;
	const struct prt_code *code = w->code;
	u64 address = prt_unwind_address(f);
	unsigned long replaced;

	if (!code || address < code->start || address >= code->end)
		code = prt_spaces_code(w->space, address);
	if (likely(code && code->file) || !f->is_call)
		return code;
	replaced = prt_compat_uprobe_replaced(f->r[PRT_UNWIND_SP] - (w->of_32bit ?
					      PRT_UNWIND_WORD_32 : PRT_UNWIND_CALL_SIZE));
	if (!replaced)
		return code;
	f->ip = replaced;
	return prt_spaces_code(w->space, prt_unwind_address(f));
}
NOKPROBE_SYMBOL(code_of);

/* The word of a stack for address @ip, which is in @code; NULL: in none that is known. */
static u64 word_of(const struct prt_code *code, u64 ip)
{
	if (!code)
		return ip & PRT_FRAME_ADDRESS;
	return code->file | ((ip - (code->file ? code->bias : 0)) & PRT_FRAME_ADDRESS);
}
NOKPROBE_SYMBOL(word_of);

/* The frame's code, @code, has no rule for its address. If the program is in a system call whose
 * instruction is the last one of its function, that instruction's rule holds: the kernel does not
 * return there from rt_sigreturn or exit. Functions that make a thread end their rules before the
 * instruction, as they would be wrong in the new thread; in the thread that calls, those before it
 * still hold. The other frames at this address have no such rule, so it is not kept. */
static const struct prt_unwind_plan *plan_of_call(struct user_walk *w, const struct prt_code *code,
						  u64 *word)
{
	const struct prt_unwind_frame *f = &w->frame;
	const struct prt_unwind_rule *rule;

	rule = prt_unwind_find(code->table, f->ip - 1 - code->bias);
	if (!rule && prt_arch_before_result(task_pt_regs(current)))
		rule = prt_unwind_find(code->table,
				       f->ip - PRT_ARCH_CALL_BYTES - 1 - code->bias);
	w->plan = prt_unwind_plan_of(rule, w->space->wanted);
	if (w->plan.rule)
		*word |= PRT_FRAME_CALL;
	return &w->plan;
}
NOKPROBE_SYMBOL(plan_of_call);

/* Looks the frame up, and writes its word of a stack to @ret. Returns the plan of the step to its
 * caller. */
static noinline const struct prt_unwind_plan *find_frame(struct user_walk *w, u64 *ret)
{
	const struct prt_unwind_frame *f = &w->frame;
	struct prt_frame_known *known;
	const struct prt_code *code;

	w->code = code = w->space ? code_of(w) : NULL;
	*ret = word_of(code, f->ip) | (f->is_call ? PRT_FRAME_CALL : 0);
	w->plan = prt_unwind_plan_of(NULL, 0);
	w->strange = !code;
	if (!code)
		return &w->plan;
	if (code->table)
		w->plan = prt_unwind_plan_of(
			prt_unwind_find(code->table, prt_unwind_address(f) - code->bias),
			w->space->wanted);
	if (!w->plan.rule && code->table && f->is_inner && w->in_call)
		return plan_of_call(w, code, ret);
	known = known_frame(w, at_of(f));
	known->serial = w->space->serial;
	known->at = at_of(f);
	known->word = *ret;
	known->plan = w->plan;
	return &known->plan;
}
NOKPROBE_SYMBOL(find_frame);

/* The same for a frame that is likely to be known. */
static __always_inline const struct prt_unwind_plan *look_at_frame(struct user_walk *w, u64 *ret)
{
	const struct prt_frame_known *known;
	u64 at = at_of(&w->frame);

	if (likely(w->space)) {
		known = known_frame(w, at);
		if (likely(known->at == at && known->serial == w->space->serial)) {
			*ret = known->word;
			return &known->plan;
		}
	}
	return find_frame(w, ret);
}

static noinline enum prt_unwind_result step_walk_32(struct user_walk *w,
						    const struct prt_unwind_plan *plan)
{
	enum prt_unwind_result result;

	if (!user_read_access_begin(NULL, sizeof(u64)))
		return PRT_UNWIND_NO_WORD;
	result = prt_unwind_step(&w->frame, plan, read_stack_word_32, NULL);
	user_read_access_end();
	return result;
}
NOKPROBE_SYMBOL(step_walk_32);

/* To the caller. Page faults are disabled. */
static __always_inline enum prt_unwind_result step_walk(struct user_walk *w,
							const struct prt_unwind_plan *plan)
{
	enum prt_unwind_result result;

	if (unlikely(w->of_32bit))
		return step_walk_32(w, plan);
	if (!user_read_access_begin(NULL, sizeof(u64)))
		return PRT_UNWIND_NO_WORD;
	result = prt_unwind_step(&w->frame, plan, read_stack_word, NULL);
	user_read_access_end();
	return result;
}

static const struct prt_unwind_rule by_frame_pointer = {
	.cfa = PRT_UNWIND_REG, .reg = PRT_UNWIND_BP, .offset = 2 * PRT_UNWIND_WORD,
	.stored = 1 << PRT_UNWIND_FRAME | 1 << PRT_UNWIND_RA,
	.gone = ((1 << PRT_UNWIND_COLUMNS) - 1) & ~(1 << PRT_UNWIND_FRAME | 1 << PRT_UNWIND_RA),
	.at = { [PRT_UNWIND_FRAME] = -2 * PRT_UNWIND_WORD, [PRT_UNWIND_RA] = -PRT_UNWIND_WORD },
};

/* Whether the frame's address is one of code, after a call. Page faults are disabled. */
static bool is_after_call(const struct user_walk *w)
{
	prt_u64 before;
	bool ok;

	if (!prt_spaces_code(w->space, prt_unwind_address(&w->frame)) ||
	    !user_read_access_begin(NULL, sizeof(u64)))
		return false;
	ok = read_stack_word(NULL, w->frame.ip - sizeof(before), &before);
	user_read_access_end();
	return ok && prt_arch_is_call(before);
}
NOKPROBE_SYMBOL(is_after_call);

/* A walk came to a frame without a rule. If its file is not known yet, goes on to the caller by the
 * frame pointer, which functions may keep. false: the walk ends; it was none. */
static noinline bool guess_caller(struct user_walk *w)
{
	const struct prt_unwind_plan plan = prt_unwind_plan_of(&by_frame_pointer, U8_MAX);
	const struct prt_code *code = NULL;

	if (w->space)
		code = prt_spaces_code(w->space, prt_unwind_address(&w->frame));
	w->unknown = code && code->is_unknown;
	if (!w->unknown || w->of_32bit || step_walk(w, &plan) != PRT_UNWIND_CALLER ||
	    !is_after_call(w))
		return false;
	w->guessed = true;
	return true;
}
NOKPROBE_SYMBOL(guess_caller);

/* The flags of a walk's part of the stack, by how it ended. */
static u32 flags_of_end(const struct user_walk *w, enum prt_unwind_result end)
{
	if (end == PRT_UNWIND_LAST)
		return 0;
	if (!w->space || w->unknown)
		return PRT_STACK_BROKEN | PRT_STACK_EARLY;
	if (end == PRT_UNWIND_NO_WORD)
		return PRT_STACK_BROKEN | PRT_STACK_ABSENT;
	if (w->strange)
		prt_spaces_strange();
	return PRT_STACK_BROKEN;
}
NOKPROBE_SYMBOL(flags_of_end);

/* Writes at most @most frames to @to. Returns their number, and in @flags how the walk ended. */
static __always_inline u32 walk_frames(struct user_walk *w, u64 *to, u32 most, u32 *flags)
{
	const struct prt_unwind_plan *plan;
	enum prt_unwind_result result;
	u32 n = 0;

	for (;;) {
		plan = look_at_frame(w, &to[n++]);
		if (n == most && most < PRT_STACK_FRAMES)
			return n;
		result = step_walk(w, plan);
		if (unlikely(result != PRT_UNWIND_CALLER) &&
		    (result != PRT_UNWIND_NO_RULE || !guess_caller(w))) {
			*flags = flags_of_end(w, result);
			return n;
		}
		/* A return address of 0 is how libraries without rules mark the first frame. */
		if (!w->frame.ip)
			return n;
		if (n == most) {
			*flags = PRT_STACK_DEEPER;
			return n;
		}
	}
}

/* The same from the hit on, with the frames of scripts. 0: there is no program. There is room for
 * 2 * PRT_STACK_FRAMES words. */
static u32 walk_user(struct prt_ctx *c, u64 *to, u32 most, u32 *flags)
{
	struct user_walk w PRT_UNCLEARED;
	u32 n;

	*flags = 0;
	if (!begin_walk(c, &w))
		return 0;
	pagefault_disable();
	n = walk_frames(&w, to, most, flags);
	pagefault_enable();
	if (unlikely(w.guessed))
		*flags |= PRT_STACK_GUESSED | PRT_STACK_EARLY;
	if (w.space && unlikely(w.space->nscripts) && !w.of_32bit)
		n = prt_script_merge(&prt_cpu_of(c)->stack->scripts, w.space, to, n, most, flags);
	return n;
}
NOKPROBE_SYMBOL(walk_user);

static __always_inline bool add_user(struct prt_ctx *c, struct prt_stack_room *room, u32 most,
				     u32 srcloc)
{
	struct prt_stack_part part = { .kind = PRT_STACK_USER };
	u64 *words = room->words + room->n;
	u32 flags;

	part.n = walk_user(c, words + PRT_PART_WORDS, min_t(u32, most, PRT_STACK_FRAMES), &flags);
	if (!part.n)
		return true;
	PRT_STEPS(c, USER_FRAME_STEPS * part.n, srcloc, none);
	if (part.n == most)
		flags &= PRT_STACK_GUESSED;
	part.flags = flags;
	if (unlikely(flags))
		prt_stacks_incomplete(PRT_STACK_USER, flags);
	__builtin_memcpy(words, &part, sizeof(part));
	room->n += PRT_PART_WORDS + part.n;
	return true;
none:
	return false;
}

bool prt_stack_add_user(struct prt_ctx *c, u32 most, u32 srcloc)
{
	return add_user(c, prt_cpu_of(c)->stack, most, srcloc);
}
NOKPROBE_SYMBOL(prt_stack_add_user);

s64 prt_user_stack_take(struct prt_ctx *c, s64 most, u32 srcloc)
{
	struct prt_stack_room *room = prt_cpu_of(c)->stack;

	if (!most)
		return 0;
	room->n = 0;
	if (!add_user(c, room, most < 0 ? U32_MAX : min_t(s64, most, U32_MAX), srcloc) || !room->n)
		return 0;
	return prt_stacks_enter(c);
}
NOKPROBE_SYMBOL(prt_user_stack_take);

/* The description of the process, if it runs an interpreter; else NULL. Counts a stack that may
 * lack frames of scripts, because it is not known whether the process does. */
static const struct prt_space *interpreted(struct prt_ctx *c)
{
	const struct prt_space *space;

	if (!program_regs(c))
		return NULL;
	space = prt_spaces_find(c);
	if (space && space->nscripts)
		return space;
	if (!space || space->has_unknown)
		prt_stacks_incomplete(PRT_STACK_USER, PRT_STACK_BROKEN | PRT_STACK_EARLY);
	else if (space->has_unread)
		prt_script_missing(PRT_SCRIPT_NO_FILE);
	return NULL;
}
NOKPROBE_SYMBOL(interpreted);

/* At most @most frames, without the first @skip of them. @clear: bits of them that are to be 0. */
static s64 take_scripts(struct prt_ctx *c, s64 most, u32 skip, u64 clear, u32 srcloc)
{
	struct prt_stack_room *room = prt_cpu_of(c)->stack;
	struct prt_stack_part part = { .kind = PRT_STACK_USER };
	const struct prt_space *space = interpreted(c);
	u64 *frames = room->words + PRT_PART_WORDS;
	u32 flags = 0, i;

	if (!space || most <= 0)
		return 0;
	part.n = prt_script_frames(&room->scripts, space, frames,
				   min_t(s64, most, PRT_STACK_FRAMES), &flags);
	if (part.n <= skip)
		return 0;
	PRT_STEPS(c, USER_FRAME_STEPS * part.n, srcloc, none);
	part.n -= skip;
	for (i = 0; (skip || clear) && i < part.n; i++)
		frames[i] = frames[i + skip] & ~clear;
	part.flags = flags;
	__builtin_memcpy(room->words, &part, sizeof(part));
	room->n = PRT_PART_WORDS + part.n;
	return prt_stacks_enter(c);
none:
	return 0;
}
NOKPROBE_SYMBOL(take_scripts);

s64 prt_user_stack_scripts(struct prt_ctx *c, s64 most, u32 srcloc)
{
	return take_scripts(c, most, 0, 0, srcloc);
}
NOKPROBE_SYMBOL(prt_user_stack_scripts);

s64 prt_user_stack_script_object(struct prt_ctx *c, u32 srcloc)
{
	return take_scripts(c, 1, 0, PRT_FRAME_POSITION, srcloc);
}
NOKPROBE_SYMBOL(prt_user_stack_script_object);

s64 prt_user_stack_script_at(struct prt_ctx *c, s64 n, u32 srcloc)
{
	return n < 0 || n >= PRT_STACK_FRAMES ? 0 : take_scripts(c, n + 1, n, 0, srcloc);
}
NOKPROBE_SYMBOL(prt_user_stack_script_at);

s64 prt_user_stack_script_frame(struct prt_ctx *c, s64 n, u32 srcloc)
{
	const struct prt_space *space = interpreted(c);

	if (!space || n < 0 || n >= PRT_STACK_FRAMES)
		return 0;
	PRT_STEPS(c, USER_FRAME_STEPS * (n + 1), srcloc, none);
	return prt_script_frame_at(&prt_cpu_of(c)->stack->scripts, space, n);
none:
	return 0;
}
NOKPROBE_SYMBOL(prt_user_stack_script_frame);

s64 prt_user_stack_address(struct prt_ctx *c, s64 addr, u32 srcloc)
{
	const struct prt_space *space;

	PRT_STEPS(c, USER_FRAME_STEPS, srcloc, none);
	space = prt_spaces_find(c);
	prt_stacks_set_one(prt_cpu_of(c)->stack, PRT_STACK_USER,
			   word_of(space ? prt_spaces_code(space, addr) : NULL, addr));
	return prt_stacks_enter(c);
none:
	return 0;
}
NOKPROBE_SYMBOL(prt_user_stack_address);

s64 prt_user_stack_at(struct prt_ctx *c, s64 n, u32 srcloc)
{
	const struct prt_unwind_plan *plan;
	enum prt_unwind_result result;
	struct user_walk w PRT_UNCLEARED;
	u64 word;
	s64 i;

	if (n < 0 || n >= PRT_STACK_FRAMES || !begin_walk(c, &w))
		return 0;
	for (i = 0; i < n; i++) {
		PRT_STEPS(c, USER_FRAME_STEPS, srcloc, out);
		plan = look_at_frame(&w, &word);
		pagefault_disable();
		result = step_walk(&w, plan);
		pagefault_enable();
		if (result != PRT_UNWIND_CALLER)
			return 0;
	}
	return w.frame.ip;
out:
	return 0;
}
NOKPROBE_SYMBOL(prt_user_stack_at);
