/* SPDX-License-Identifier: GPL-2.0 */
/* The facts about the processor that the runtime needs, for arm64; x86.h describes what is not
 * described here. */
#ifndef PRT_ARCH_ARM64_H
#define PRT_ARCH_ARM64_H

#include <linux/kernel.h>
#include <linux/mm_types.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#include <clocksource/arm_arch_timer.h>
#include <asm/arch_timer.h>
#include <asm/compat.h>
#include <asm/cpufeature.h>
#include <asm/memory.h>
#include <asm/sysreg.h>

#include "limits.h"
#include "abi/script.h"

#define PRT_ARCH_NARGS 8
/* A `bti c`, and the instruction that saves the return address for the call to ftrace. */
#define PRT_ARCH_FENTRY_MAX 8
#define PRT_ARCH_TRAP_SIZE 0

enum { PRT_ARCH_SP = 31, PRT_ARCH_PC = 32, PRT_ARCH_LR = 30, PRT_ARCH_FP = 29 };

static __always_inline unsigned long prt_arch_ip(const struct pt_regs *regs)
{
	return regs->pc;
}

static __always_inline void prt_arch_set_ip(struct pt_regs *regs, unsigned long ip)
{
	regs->pc = ip;
}

static __always_inline unsigned long prt_arch_sp(const struct pt_regs *regs)
{
	return regs->sp;
}

/* Argument @n (0..7). */
static __always_inline u64 prt_arch_arg(const struct pt_regs *regs, unsigned int n)
{
	return regs->regs[n];
}

/* The return address is in a register, so slot 0 is at the stack pointer. */
static __always_inline const void *prt_arch_slot(const struct pt_regs *regs, unsigned int n)
{
	return (const void *)(regs->sp + 8 * (u64)n);
}

static __always_inline s64 prt_arch_retval(const struct pt_regs *regs)
{
	return (s64)regs->regs[0];
}

/* Programs of 32 bits are not probed. */
static inline u64 prt_arch_slot_32(const struct pt_regs *regs, unsigned int n)
{
	return regs->sp + 4 * n;
}

static inline s64 prt_arch_retval_pair(const struct pt_regs *regs)
{
	return prt_arch_retval(regs);
}

/* The result replaces the first argument in its register. */
static __always_inline u64 prt_arch_syscall_arg(const struct pt_regs *regs, s64 n)
{
	return n == 1 ? regs->orig_x0 : regs->regs[n - 1];
}

static __always_inline u32 prt_arch_syscall32_arg(const struct pt_regs *regs, s64 n)
{
	return prt_arch_syscall_arg(regs, n);
}

static __always_inline bool prt_arch_is_32bit_call(void)
{
	return is_compat_task();
}

static inline unsigned long *prt_arch_register(struct pt_regs *regs, s64 n)
{
	return n >= 0 && n < PRT_ARCH_SP ? (unsigned long *)&regs->regs[n] : NULL;
}

static inline unsigned long prt_arch_register_value(struct pt_regs *regs, s64 n)
{
	const unsigned long *reg = prt_arch_register(regs, n);

	if (n == PRT_ARCH_SP)
		return regs->sp;
	if (n == PRT_ARCH_PC)
		return regs->pc;
	return reg ? *reg : 0;
}

/* The register with the return address is not signed yet. */
static __always_inline void prt_arch_override(struct pt_regs *regs, s64 v)
{
	regs->regs[0] = v;
	regs->pc = regs->regs[PRT_ARCH_LR];
}

/* Only the exceptions of breakpoints, single steps and watchpoints run with these masked. */
static __always_inline bool prt_arch_in_breakpoint(void)
{
	return read_sysreg(daif) & PSR_D_BIT;
}

/* A number that tells system calls apart from exceptions and interrupts, not 0. */
static __always_inline unsigned long prt_arch_user_entry(struct task_struct *task)
{
	return READ_ONCE(task_pt_regs(task)->syscallno) == NO_SYSCALL ? 1 : 2;
}

/* An interrupt is not told apart. */
static __always_inline bool prt_arch_in_exception(const struct pt_regs *user)
{
	return user->syscallno == NO_SYSCALL;
}

static __always_inline bool prt_arch_in_call(const struct pt_regs *user)
{
	return user->syscallno >= 0;
}

/* The result takes the place of the first argument, which the program may keep nowhere else. */
static __always_inline bool prt_arch_before_result(const struct pt_regs *user)
{
	return false;
}

enum { PRT_ARCH_CALL_BYTES = 4 };

/* An address of the kernel without what a function that signs its return address has put into the
 * bits above the address space. */
static __always_inline unsigned long prt_arch_unsigned_address(unsigned long address)
{
	return address & BIT_ULL(55) ? address | GENMASK_ULL(63, VA_BITS) : address;
}

/* Sets @regs to what a walk of the stack needs, for the caller of the function whose
 * __builtin_frame_address(0) @frame is: pc and the frame pointer. sp is that of the frame, below
 * what the caller will see. */
static __always_inline void prt_arch_caller(struct pt_regs *regs, const unsigned long *frame)
{
	memset(regs, 0, sizeof(*regs));
	regs->regs[PRT_ARCH_FP] = frame[0];
	regs->pc = prt_arch_unsigned_address(frame[1]);
	regs->sp = (unsigned long)(frame + 2);
	regs->pstate = PSR_MODE_EL1h;
}

/* Where perf counts what the kernel itself does (perf_arch_fetch_caller_regs()), the frame pointer
 * is that of the function that returns to pc, and other registers are 0. */
static __always_inline void prt_arch_of_perf(struct pt_regs *regs)
{
	unsigned long frame = regs->regs[PRT_ARCH_FP], outer;

	if (regs->pstate != PSR_MODE_EL1h || regs->regs[PRT_ARCH_LR] ||
	    copy_from_kernel_nofault(&outer, (const void *)frame, sizeof(outer)))
		return;
	regs->regs[PRT_ARCH_FP] = outer;
	regs->sp = frame + 2 * sizeof(outer);
}

static inline bool prt_arch_ticks_stable(void)
{
	return arch_timer_get_cntfrq() >= 1000000;
}

static inline bool prt_arch_ticks_constant(void)
{
	return true;
}

/* By the kernel's own function, which knows the faults of some processors' counters. It begins with
 * an ISB, which does not wait for stores: see PRT_ANNOUNCE(). */
static __always_inline u64 prt_arch_ticks(void)
{
	return arch_timer_read_counter();
}

/* As in arch/x86.h. An exception clears the processor's mark of an exclusive access, so that what
 * an NMI has added meanwhile is not lost. */
static __always_inline void prt_arch_add_here(u64 *to, u64 n)
{
	__atomic_fetch_add(to, n, __ATOMIC_RELAXED);
}

static inline u64 prt_arch_ticks_khz(void)
{
	return arch_timer_get_cntfrq() / 1000;
}

static inline long prt_arch_stack_left(unsigned long sp, unsigned long start)
{
	unsigned long base = (unsigned long)task_stack_page(current);

	if (sp - base < THREAD_SIZE)
		return sp - base - PRT_STACK_ROOM;
	return PRT_STACK_FOREIGN - (long)(start - sp);
}

/* The same as the processor's register of the lower half's page tables, but for their number. */
static __always_inline bool prt_arch_user_mapped(void)
{
	const struct mm_struct *mm = current->mm;
	u64 table;

	if (!mm)
		return false;
	if (system_uses_ttbr0_pan())
		return true;
	table = read_sysreg(ttbr0_el1) & GENMASK_ULL(47, 1);
	return table == (phys_to_ttbr(virt_to_phys(mm->pgd)) & GENMASK_ULL(47, 1));
}

/* Reads of the kernel's memory are left to its own function, which also sees to the tags of
 * pointers. */
static __always_inline bool prt_arch_plain_address(u64 addr)
{
	return false;
}

/* The kernel's own function decides. */
static __always_inline bool prt_arch_may_fetch(u64 addr, u32 n)
{
	return true;
}

static __always_inline void prt_arch_user_read_begin(void)
{
	uaccess_ttbr0_enable();
}

static __always_inline void prt_arch_user_read_end(void)
{
	uaccess_ttbr0_disable();
}

/* They do not where the kernel masks interrupts by their priority. */
static inline bool prt_arch_own_interrupts(void)
{
	return !system_uses_irq_prio_masking();
}

static inline void prt_arch_check(void)
{
	BUILD_BUG_ON(offsetof(struct pt_regs, regs) != PRT_REG_OFF_X0);
	BUILD_BUG_ON(offsetof(struct pt_regs, regs[30]) != PRT_REG_OFF_X30);
	BUILD_BUG_ON(offsetof(struct pt_regs, sp) != PRT_REG_OFF_SP);
	BUILD_BUG_ON(offsetof(struct pt_regs, pc) != PRT_REG_OFF_PC);
	BUILD_BUG_ON(PRT_ARCH_VHE != ARM64_HAS_VIRT_HOST_EXTN);
}

static inline void prt_arch_check_direct(void)
{
	BUILD_BUG_ON(offsetof(struct pt_regs, pc) != offsetof(struct pt_regs, sp) + 8);
}

static __always_inline void prt_arch_not_emulated(void)
{
	asm volatile("mov x9, x9" : : : "memory");
}

/* One clock serves all processors. */
#define prt_arch_cpu_clock(cpu) sched_clock()

#define prt_arch_current() current

#endif
