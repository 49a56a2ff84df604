/* SPDX-License-Identifier: GPL-2.0 */
/* The facts about the processor that breakpoints in programs need (attach/user_fast.c). */
#ifndef PRT_ARCH_X86_USER_H
#define PRT_ARCH_X86_USER_H

#include <linux/mm_types.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>
#include <linux/uprobes.h>
#include <asm/asm.h>
#include <asm/fsgsbase.h>
#include <asm/processor-flags.h>
#include <asm/segment.h>

#include "arch/x86.h"
#include "arch/x86_emulate.h"
#include "arch/x86_unwind.h"

/* Calls prt_user_see_breakpoint() at the beginning of kprobe_int3_handler() and, if it has handled
 * the hit, returns in the place of that function. Only for ftrace, directly: x86_breakpoint.S. */
void prt_arch_breakpoint_call(void);

/* The number of an address space, which no other one has before the next boot. */
static __always_inline u64 prt_arch_space_id(const struct mm_struct *mm)
{
	return mm->context.ctx_id;
}

/* The same of @task, the current one, which has an address space. */
static __always_inline u64 prt_arch_space_of(const struct task_struct *task)
{
	return prt_arch_space_id(task->mm);
}

/* Where @mm has the vdso; 0: nowhere. */
static __always_inline u64 prt_arch_vdso(const struct mm_struct *mm)
{
	return (__force u64)mm->context.vdso;
}

/* Whether the process whose first thread is @leader may have that address space of
 * prt_arch_space_of(). Any context, under rcu_read_lock(). */
static inline bool prt_arch_may_have_space(struct task_struct *leader, u64 space)
{
	const struct mm_struct *mm = READ_ONCE(leader->mm);
	u64 id;

	/* The first thread may have ended before the others. */
	if (!mm)
		return !thread_group_empty(leader);
	/* It may be freed at any time; whatever is read there then differs. */
	__get_kernel_nofault(&id, (const void *)&mm->context.ctx_id, u64, gone);
	return id == space;
gone:
	return false;
}

/* Bytes of an instruction `call` of register or memory that begins with @at[0], 0xff: Intel SDM,
 * volume 2, 2.1.5. 0: it is none. */
static inline unsigned prt_arch_indirect_call(const u8 *at)
{
	unsigned mod = at[1] >> 6, rm = at[1] & 7, sib;

	if (at[0] != 0xff || (at[1] >> 3 & 7) != 2)
		return 0;
	if (mod == 3)
		return 2;
	sib = rm == 4;
	if (mod == 0)
		return 2 + sib + (rm == 5 || (sib && (at[2] & 7) == 5) ? 4 : 0);
	return 2 + sib + (mod == 1 ? 1 : 4);
}

/* Whether the 8 bytes end with a call instruction. */
static inline bool prt_arch_is_call(u64 bytes)
{
	u8 at[8 + 1] = { 0 }; /* one more is looked at */
	unsigned len;

	__builtin_memcpy(at, &bytes, sizeof(bytes));
	if (at[3] == 0xe8)
		return true;
	for (len = 2; len <= 7; len++)
		if (prt_arch_indirect_call(&at[8 - len]) == len)
			return true;
	return false;
}

/* The base of the memory that the current thread's code finds by %fs. Any context; inline. */
static __always_inline u64 prt_arch_thread_base(void)
{
	return x86_fsbase_read_cpu();
}

/* Whether the program that has these registers runs 64-bit code. */
static __always_inline bool prt_arch_user_64bit(struct pt_regs *regs)
{
	return user_64bit_mode(regs);
}

/* The same for the fast path. False in guests of Xen, which have
 * another code segment. */
static __always_inline bool prt_arch_is_64bit(const struct pt_regs *regs)
{
	return regs->cs == __USER_CS;
}

/* Whether @task, the current one, is not being single-stepped, by a debugger or by a uprobe that
 * executes an instruction out of line, and has no shadow stack. @regs: those of the program. */
static __always_inline bool prt_arch_runs_plainly(const struct pt_regs *regs,
						  const struct task_struct *task)
{
#ifdef CONFIG_X86_USER_SHADOW_STACK
	if (task->thread.features)
		return false;
#endif
	return !(regs->flags & X86_EFLAGS_TF);
}

/* Jumps to @absent unless the memory of the process has the breakpoint at @at; the exception does
 * not show that, because `int $3` of two bytes causes the same one. Access to user memory is
 * enabled, page faults are disabled. */
#define PRT_ARCH_SEE_BREAKPOINT(at, absent)                                                    \
	asm goto("1: cmpb %1, (%0)\n\tjne %l2\n\t" _ASM_EXTABLE_UA(1b, %l2)                    \
		 : : "r"(at), "i"((s8)UPROBE_SWBP_INSN) : "cc", "memory" : absent)

/* pagefault_disable() and pagefault_enable() for @task, the current one. The kernel's own read
 * `current` each time. */
static __always_inline void prt_arch_faults_off(struct task_struct *task)
{
	task->pagefault_disabled++;
	barrier();
}

static __always_inline void prt_arch_faults_on(struct task_struct *task)
{
	barrier();
	task->pagefault_disabled--;
}

/* Tests for the breakpoint at @at and, if it is there, evaluates @access with the memory of the
 * process open, which @open does. False if it is not there; otherwise @access. @task is the current
 * one, here and below. */
#define PRT_ARCH_REACH(open, at, task, access)                                                 \
	({                                                                                     \
		__label__ absent;                                                              \
		bool ok_ = false;                                                              \
		prt_arch_faults_off(task);                                                     \
		open();                                                                        \
		PRT_ARCH_SEE_BREAKPOINT(at, absent);                                           \
		ok_ = (access);                                                                \
absent:                                                                                        \
		__uaccess_end();                                                               \
		prt_arch_faults_on(task);                                                      \
		ok_;                                                                           \
	})

/* Whether the breakpoint is at @at. */
static __always_inline bool prt_arch_reach_place(unsigned long at, struct task_struct *task)
{
	return PRT_ARCH_REACH(__uaccess_begin, at, task, true);
}

/* Tests for the breakpoint at @at, and accesses the memory that the instruction @in, a push, needs.
 * Returns false if the breakpoint is not there or the access failed. prt_arch_reach_memory() does
 * the same for any instruction that the runtime emulates but `ret`. */
static __always_inline bool prt_arch_reach_push(const struct prt_arch_insn *in,
						const struct pt_regs *regs, unsigned long at,
						struct task_struct *task)
{
	return PRT_ARCH_REACH(__uaccess_begin, at, task, prt_arch_emulate_push_memory(in, regs));
}

static __always_inline bool prt_arch_reach_memory(const struct prt_arch_insn *in,
						  const struct pt_regs *regs, unsigned long at,
						  struct task_struct *task)
{
	return PRT_ARCH_REACH(__uaccess_begin, at, task,
			      in->op != PRT_ARCH_PUSH || prt_arch_emulate_push_memory(in, regs));
}

/* The same for an instruction that returns; sets *@back to the address that it returns to. */
static __always_inline bool prt_arch_reach_return(const struct pt_regs *regs, unsigned long at,
						  unsigned long *back, struct task_struct *task)
{
	return PRT_ARCH_REACH(__uaccess_begin_nospec, at, task,
			      prt_arch_emulate_return_memory(regs, back));
}

/* The stack pointer that a function of a program had at its entry, from the registers behind its
 * return. */
static __always_inline unsigned long prt_arch_entry_sp(const struct pt_regs *regs)
{
	return regs->sp - (user_64bit_mode((struct pt_regs *)regs) ? 8 : 4);
}

/* The result of a function of a program; in one of 32 bits without its sign, because it may be an
 * address. */
static __always_inline s64 prt_arch_user_retval(const struct pt_regs *regs)
{
	return user_64bit_mode((struct pt_regs *)regs) ? (s64)regs->ax : (u32)regs->ax;
}

/* Gives the program the registers that it has behind a `ret`, like prt_arch_emulate_return(), also
 * if its code is of 32 bits. */
static inline void prt_arch_user_return(struct pt_regs *regs, unsigned long back)
{
	regs->sp += user_64bit_mode(regs) ? 8 : 4;
	regs->ip = back;
}

/* Sets *@back to the address that a function of the current process returns to, at its entry or
 * its `ret`. May sleep. Returns 0, or -EFAULT if the stack cannot be read. */
static inline int prt_arch_get_return(const struct pt_regs *regs, unsigned long *back)
{
	u32 narrow;
	int err;

	if (user_64bit_mode((struct pt_regs *)regs))
		return get_user(*back, (const unsigned long __user *)regs->sp);
	err = get_user(narrow, (const u32 __user *)regs->sp);
	*back = narrow;
	return err;
}

/* Decodes the instruction that the breakpoint of @arch replaces, as prt_arch_decode() does. If an
 * operand in memory was relative to the instruction pointer, the kernel has rewritten its copy to
 * use one of three registers as the base. That copy looks like an instruction with this base, so
 * neither is emulated. */
static inline void prt_arch_decode_replaced(struct prt_arch_insn *in,
					    const struct arch_uprobe *arch)
{
	BUILD_BUG_ON(sizeof(arch->insn) < PRT_ARCH_CODE_MAX);
	prt_arch_decode(in, arch->insn);
	if (in->op == PRT_ARCH_LEA &&
	    (in->from == offsetof(struct pt_regs, si) || in->from == offsetof(struct pt_regs, di) ||
	     in->from == offsetof(struct pt_regs, bx)) && in->index == PRT_ARCH_NO_REG &&
	    in->length >= 6)
		in->op = PRT_ARCH_NONE;
}

/* Copies the registers of a program to @to, in the order of their DWARF numbers. One after another,
 * which takes one register; with all of them first, the compiler saves as many as there are. */
static __always_inline void prt_arch_registers(u64 *to, const struct pt_regs *regs)
{
	to[0] = regs->ax;
	to[1] = regs->dx;
	to[2] = regs->cx;
	to[3] = regs->bx;
	to[4] = regs->si;
	to[5] = regs->di;
	to[6] = regs->bp;
	to[7] = regs->sp;
	to[8] = regs->r8;
	to[9] = regs->r9;
	to[10] = regs->r10;
	to[11] = regs->r11;
	to[12] = regs->r12;
	to[13] = regs->r13;
	to[14] = regs->r14;
	to[15] = regs->r15;
}

/* The same of a program of 32 bits, as unwind tables number them. */
#define PRT_ARCH_STACKS_32 1
static __always_inline void prt_arch_registers_32(u64 *to, const struct pt_regs *regs)
{
	memset(to, 0, PRT_UNWIND_REGISTERS * sizeof(*to));
	to[0] = (u32)regs->ax;
	to[1] = (u32)regs->dx;
	to[2] = (u32)regs->cx;
	to[3] = (u32)regs->bx;
	to[PRT_UNWIND_BP] = (u32)regs->bp;
	to[PRT_UNWIND_SP] = (u32)regs->sp;
	to[PRT_UNWIND_ESI] = (u32)regs->si;
	to[PRT_UNWIND_EDI] = (u32)regs->di;
}

/* ---- programs in Go ---- */

/* Sets *@g to the descriptor of the goroutine on whose stack @sp is, and *@end to the end of that
 * stack. The descriptor's address is in r14 (Go's ABIInternal), and in functions with another
 * calling convention in the word below the thread-local storage; it begins with the bounds of the
 * stack (struct g of runtime/runtime2.go). Returns false if neither has a descriptor with that
 * stack. May sleep. */
static inline bool prt_arch_go_stack(const struct pt_regs *regs, u64 sp, u64 *g, u64 *end)
{
	u64 base = x86_fsbase_read_cpu(), low;
	int i;

	for (i = 0; i < 2; i++) {
		*g = regs->r14;
		if (i && get_user(*g, (const u64 __user *)(base - 8)))
			break;
		if (*g && !get_user(low, (const u64 __user *)*g) &&
		    !get_user(*end, (const u64 __user *)*g + 1) && sp >= low && sp <= *end)
			return true;
	}
	*g = 0;
	return false;
}

#endif
