/* SPDX-License-Identifier: GPL-2.0 */
/* Programs: x86_user.h. */
#ifndef PRT_ARCH_ARM64_USER_H
#define PRT_ARCH_ARM64_USER_H

#include <linux/mm_types.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <linux/uprobes.h>
#include <asm/brk-imm.h>
#include <asm/debug-monitors.h>
#include <asm/mmu.h>
#include <asm/sysreg.h>

#include "arch/arm64.h"
#include "arch/arm64_emulate.h"

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

/* The kernel's handler of their exceptions is passed by: attach/user_redirect.c. */
#define PRT_ARCH_USER_REDIRECT 1

/* Other code has another exception, and the kernel's own breakpoints have other numbers. */
static __always_inline bool prt_arch_is_64bit(const struct pt_regs *regs)
{
	return true;
}

/* As in arch/x86_user.h; the stack of return addresses is called guarded control stack here. */
static __always_inline bool prt_arch_runs_plainly(const struct pt_regs *regs,
						  const struct task_struct *task)
{
#ifdef CONFIG_ARM64_GCS
	if (task->thread.gcs_el0_mode)
		return false;
#endif
	return !test_ti_thread_flag(task_thread_info(task), TIF_SINGLESTEP);
}

/* Whether that exception, of the syndrome @esr, is one of a uprobe's breakpoint. */
static __always_inline bool prt_arch_is_breakpoint(u64 esr)
{
	return (esr & ESR_ELx_BRK64_ISS_COMMENT_MASK) == UPROBES_BRK_IMM;
}

/* The exception shows that the breakpoint is at @at. */
static __always_inline bool prt_arch_reach_place(unsigned long at, struct task_struct *task)
{
	return true;
}

/* Where the processor has watchpoints, an access by the kernel would be none of the program's, or
 * would be reported as the kernel's. */
static __always_inline bool prt_arch_reach_push(const struct prt_arch_insn *in,
						const struct pt_regs *regs, unsigned long at,
						struct task_struct *task)
{
	bool ok;

	if (unlikely(read_sysreg(mdscr_el1) & DBG_MDSCR_MDE))
		return false;
	task->pagefault_disabled++;
	barrier();
	uaccess_ttbr0_enable();
	ok = prt_arch_emulate_push_memory(in, regs);
	uaccess_ttbr0_disable();
	barrier();
	task->pagefault_disabled--;
	return ok;
}

static __always_inline bool prt_arch_reach_memory(const struct prt_arch_insn *in,
						  const struct pt_regs *regs, unsigned long at,
						  struct task_struct *task)
{
	return in->op != PRT_ARCH_PUSH || prt_arch_reach_push(in, regs, at, task);
}

static __always_inline bool prt_arch_reach_return(const struct pt_regs *regs, unsigned long at,
						  unsigned long *back, struct task_struct *task)
{
	return prt_arch_emulate_return_memory(regs, back);
}

/* Decodes the instruction that the breakpoint of @arch replaces. */
static inline void prt_arch_decode_replaced(struct prt_arch_insn *in,
					    const struct arch_uprobe *arch)
{
	u32 code;

	memcpy(&code, &arch->insn, sizeof(code));
	prt_arch_decode(in, code);
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
