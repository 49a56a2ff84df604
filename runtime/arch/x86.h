/* SPDX-License-Identifier: GPL-2.0 */
/* The facts about the processor that the runtime needs: registers at a function's entry, the clock,
 * the stack. */
#ifndef PRT_ARCH_X86_H
#define PRT_ARCH_X86_H

#include <linux/kernel.h>
#include <linux/mm_types.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <asm/cpufeature.h>
#include <asm/ftrace.h>
#include <asm/processor.h>
#include <asm/processor-flags.h>
#include <asm/tsc.h>

#include "limits.h"
#include "abi/script.h"

#define PRT_ARCH_NARGS 6 /* integer arguments in registers */
/* Bytes from a function's beginning to its call to ftrace, after endbr64, at most. */
#define PRT_ARCH_FENTRY_MAX 4

/* Argument @n (0..5) at a function's entry; @regs as struct prt_ctx.regs says. */
static __always_inline u64 prt_arch_arg(const struct pt_regs *regs, unsigned int n)
{
	switch (n) {
	case 0: return regs->di;
	case 1: return regs->si;
	case 2: return regs->dx;
	case 3: return regs->cx;
	case 4: return regs->r8;
	default: return regs->r9;
	}
}

/* Address of stack slot @n at a function's entry; the return address lies below slot 0. */
static __always_inline const void *prt_arch_slot(const struct pt_regs *regs, unsigned int n)
{
	return (const void *)(regs->sp + 8 * (n + 1ul));
}

static __always_inline s64 prt_arch_retval(const struct pt_regs *regs)
{
	return (s64)regs->ax;
}

/* The register with DWARF number @n, except the stack pointer; NULL: not a register with which the
 * probed code would continue. */
static inline unsigned long *prt_arch_register(struct pt_regs *regs, s64 n)
{
	unsigned long *const all[] = {
		&regs->ax, &regs->dx, &regs->cx, &regs->bx, &regs->si, &regs->di, &regs->bp, NULL,
		&regs->r8, &regs->r9, &regs->r10, &regs->r11, &regs->r12, &regs->r13, &regs->r14,
		&regs->r15,
	};

	return n >= 0 && n < ARRAY_SIZE(all) ? all[n] : NULL;
}

/* The function that is entered returns @v at once, by way of a function that does nothing: the
 * kernel's own, because a task may be interrupted there for longer than our module is loaded. */
static __always_inline void prt_arch_override(struct pt_regs *regs, s64 v)
{
	regs->ax = v;
	regs->ip = (unsigned long)__fentry__;
}

/* Whether a breakpoint in the kernel's code, or an NMI, led here: the kernel enters both alike. */
static __always_inline bool prt_arch_in_breakpoint(void)
{
	return in_nmi();
}

/* Where the kernel's entry code goes on when the exception, interrupt or system call is handled
 * that brought @task from its program into the kernel: it distinguishes them. While @task is in it;
 * the value of another moment is of no use, and harmless. */
static __always_inline unsigned long prt_arch_user_entry(struct task_struct *task)
{
	return READ_ONCE_NOCHECK(((const unsigned long *)task_pt_regs(task))[-1]);
}

/* Whether a program with registers @user was left by an exception, not by an interrupt or a system
 * call. */
static __always_inline bool prt_arch_in_exception(const struct pt_regs *user)
{
	return (long)user->orig_ax == -1;
}

/* The registers with which the function was called that this is inlined into: ip, sp and bp are
 * valid, which is what an unwinder needs, the others are 0. */
static __always_inline void prt_arch_caller(struct pt_regs *regs)
{
	const unsigned long *frame = __builtin_frame_address(0);

	memset(regs, 0, sizeof(*regs));
	regs->bp = frame[0];
	regs->ip = frame[1];
	regs->sp = (unsigned long)(frame + 2);
	regs->cs = __KERNEL_CS;
}

/* Corrects the registers of a perf event. Where perf counts what the kernel itself does
 * (perf_arch_fetch_caller_regs()), sp is the frame of the function that returns to ip; it becomes
 * the value that sp has right after that return. */
static __always_inline void prt_arch_of_perf(struct pt_regs *regs)
{
	const unsigned long *frame = (const unsigned long *)regs->sp;

	if (regs->flags & X86_EFLAGS_FIXED)
		return;
	regs->bp = frame[0];
	regs->sp = (unsigned long)(frame + 2);
}

/* true: prt_arch_ticks() has a rate, and the kernel has not found fault with it. */
static inline bool prt_arch_ticks_stable(void)
{
	return !check_tsc_unstable() && tsc_khz;
}

/* true: by the processor's word it counts at one rate, on all CPUs alike, and never stops. */
static inline bool prt_arch_ticks_constant(void)
{
	return boot_cpu_has(X86_FEATURE_CONSTANT_TSC) && boot_cpu_has(X86_FEATURE_NONSTOP_TSC);
}

/* Ordered after the loads and stores before it: `open` of the ring must be seen before the time
 * is. */
static __always_inline u64 prt_arch_ticks(void)
{
	return rdtsc_ordered();
}

static inline u64 prt_arch_ticks_khz(void)
{
	return tsc_khz;
}

/* Bytes of kernel stack left below @sp; of an interrupt's stack only @start is known, where the
 * handler began. Any context. */
static inline long prt_arch_stack_left(unsigned long sp, unsigned long start)
{
	unsigned long base = (unsigned long)task_stack_page(current);

	if (sp - base < THREAD_SIZE)
		return sp - base - PRT_STACK_ROOM;
	return PRT_STACK_FOREIGN - (long)(start - sp);
}

/* Whether the current process's page tables are in use: they are not while the kernel switches from
 * one task to another, and while it uses others for a moment (text_poke()). This is what
 * nmi_uaccess_okay() (arch/x86/mm/tlb.c), which modules cannot call, would answer. Any context. */
static __always_inline bool prt_arch_user_mapped(void)
{
	const struct mm_struct *mm = current->mm;

	return mm && mm->pgd == __va(read_cr3_pa());
}

/* Whether interrupts are switched by the processor's own instructions, as x86_script.h does. */
static inline bool prt_arch_own_interrupts(void)
{
	return !boot_cpu_has(X86_FEATURE_XENPV);
}

/* The offsets in x86_script.h are those of the kernel's headers. */
static inline void prt_arch_check(void)
{
	BUILD_BUG_ON(offsetof(struct pt_regs, di) != PRT_REG_OFF_DI);
	BUILD_BUG_ON(offsetof(struct pt_regs, si) != PRT_REG_OFF_SI);
	BUILD_BUG_ON(offsetof(struct pt_regs, dx) != PRT_REG_OFF_DX);
	BUILD_BUG_ON(offsetof(struct pt_regs, cx) != PRT_REG_OFF_CX);
	BUILD_BUG_ON(offsetof(struct pt_regs, r8) != PRT_REG_OFF_R8);
	BUILD_BUG_ON(offsetof(struct pt_regs, r9) != PRT_REG_OFF_R9);
	BUILD_BUG_ON(offsetof(struct pt_regs, ax) != PRT_REG_OFF_AX);
	BUILD_BUG_ON(offsetof(struct pt_regs, sp) != PRT_REG_OFF_SP);
	BUILD_BUG_ON(offsetof(struct pt_regs, ip) != PRT_REG_OFF_IP);
	BUILD_BUG_ON(offsetof(struct pt_regs, bx) != PRT_REG_OFF_BX);
	BUILD_BUG_ON(offsetof(struct pt_regs, bp) != PRT_REG_OFF_BP);
	BUILD_BUG_ON(offsetof(struct pt_regs, r10) != PRT_REG_OFF_R10);
	BUILD_BUG_ON(offsetof(struct pt_regs, r11) != PRT_REG_OFF_R11);
	BUILD_BUG_ON(offsetof(struct pt_regs, r12) != PRT_REG_OFF_R12);
	BUILD_BUG_ON(offsetof(struct pt_regs, r13) != PRT_REG_OFF_R13);
	BUILD_BUG_ON(offsetof(struct pt_regs, r14) != PRT_REG_OFF_R14);
	BUILD_BUG_ON(offsetof(struct pt_regs, r15) != PRT_REG_OFF_R15);
}

/* The current task, read anew at each use: across a call, a register that keeps it has to be saved,
 * which takes one instruction more. */
#ifdef PRT_HAVE_PCPU_HOT
#define prt_arch_current() this_cpu_read(pcpu_hot.current_task)
#else
#define prt_arch_current() this_cpu_read(current_task)
#endif

#endif
