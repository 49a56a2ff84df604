/* SPDX-License-Identifier: GPL-2.0 */
/* Programs: x86_user.h. There is no fast path of breakpoints, so the kernel's uprobes do the
 * rest. */
#ifndef PRT_ARCH_ARM64_USER_H
#define PRT_ARCH_ARM64_USER_H

#include <linux/mm_types.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <asm/mmu.h>

#include "arch/arm64.h"

/* The number by which the processor tells address spaces apart (arch/arm64/mm/context.c), with its
 * generation: within one, no number is given twice. It changes when a new generation begins. 0: the
 * process has not run yet. */
static __always_inline u64 prt_arch_space_id(const struct mm_struct *mm)
{
	return atomic64_read(&mm->context.id);
}

/* A number that no other address space of the same process has, nor one of another process that had
 * the same number: exec changes the first part, which all threads share. @task: the current one. */
static __always_inline u64 prt_arch_space_of(const struct task_struct *task)
{
	return task->self_exec_id + READ_ONCE(task->group_leader->start_boottime);
}

/* Where @mm has the vdso; 0: nowhere. */
static __always_inline u64 prt_arch_vdso(const struct mm_struct *mm)
{
	return (__force u64)mm->context.vdso;
}

/* Whether the process whose first thread is @leader may have that address space. Any context, under
 * rcu_read_lock(). */
static inline bool prt_arch_may_have_space(struct task_struct *leader, u64 space)
{
	return prt_arch_space_of(leader) == space;
}

/* Whether the 8 bytes end with a call instruction: bl, blr, or the latter with a signed address. */
static inline bool prt_arch_is_call(u64 bytes)
{
	u32 last = bytes >> 32;

	return (last & 0xfc000000) == 0x94000000 || (last & 0xfefff000) == 0xd63f0000;
}

static __always_inline u64 prt_arch_thread_base(void)
{
	return read_sysreg(tpidr_el0);
}

static __always_inline bool prt_arch_user_64bit(struct pt_regs *regs)
{
	return !compat_user_mode(regs);
}

/* A function returns with the stack pointer that it had at its entry. */
static __always_inline unsigned long prt_arch_entry_sp(const struct pt_regs *regs)
{
	return regs->sp;
}

/* Programs of 32 bits are not probed. */
#define prt_arch_user_retval prt_arch_retval
#define prt_arch_user_return prt_arch_emulate_return

static inline int prt_arch_get_return(const struct pt_regs *regs, unsigned long *back)
{
	*back = regs->regs[PRT_ARCH_LR];
	return 0;
}

/* Sets @regs to what they are after the return to @back, and back again. */
static __always_inline void prt_arch_emulate_return(struct pt_regs *regs, unsigned long back)
{
	regs->pc = back;
}

static __always_inline void prt_arch_undo_return(struct pt_regs *regs, unsigned long ip,
						 unsigned long sp)
{
	regs->pc = ip;
}

static __always_inline void prt_arch_registers(u64 *to, const struct pt_regs *regs)
{
	memcpy(to, regs->regs, sizeof(regs->regs));
	to[PRT_ARCH_SP] = regs->sp;
}

/* Stacks of programs of 32 bits are not walked. */
#define PRT_ARCH_STACKS_32 0
#define prt_arch_registers_32 prt_arch_registers

/* ---- programs in Go ---- */

/* The descriptor's address is in x28, in all of Go's calling conventions. */
static inline bool prt_arch_go_stack(const struct pt_regs *regs, u64 sp, u64 *g, u64 *end)
{
	u64 low;

	*g = regs->regs[28];
	if (*g && !get_user(low, (const u64 __user *)*g) &&
	    !get_user(*end, (const u64 __user *)*g + 1) && sp >= low && sp <= *end)
		return true;
	*g = 0;
	return false;
}

#endif
