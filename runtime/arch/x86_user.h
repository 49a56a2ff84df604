/* SPDX-License-Identifier: GPL-2.0 */
/* The facts about the processor that breakpoints in programs need (attach/user_fast.c). */
#ifndef PRT_ARCH_X86_USER_H
#define PRT_ARCH_X86_USER_H

#include <linux/mm_types.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/thread_info.h>
#include <linux/uprobes.h>
#include <asm/processor-flags.h>

#include "arch/x86_emulate.h"

/* A number that no other address space has had since the machine was started, nor will have. */
static __always_inline u64 prt_arch_space_id(const struct mm_struct *mm)
{
	return mm->context.ctx_id;
}

/* Whether the current task runs 64-bit code, not in single steps, with no second stack of its
 * return addresses. @regs: those of the program. */
static __always_inline bool prt_arch_runs_plainly(struct pt_regs *regs)
{
#ifdef CONFIG_X86_USER_SHADOW_STACK
	if (current->thread.features)
		return false;
#endif
	return user_64bit_mode(regs) && !(regs->flags & X86_EFLAGS_TF) &&
	       !(read_thread_flags() & (_TIF_SINGLESTEP | _TIF_BLOCKSTEP | _TIF_FORCED_TF));
}

/* The instruction that the breakpoint of @arch replaces: prt_arch_decode(). Where an operand in
 * memory was relative to the instruction, the kernel has rewritten its copy so that one of three
 * registers is the base, and its former value is lost. */
static inline void prt_arch_replaced(struct prt_arch_insn *in, const struct arch_uprobe *arch)
{
	BUILD_BUG_ON(sizeof(arch->insn) < PRT_ARCH_CODE_MAX);
	prt_arch_decode(in, arch->insn);
	if (in->op == PRT_ARCH_LEA &&
	    (in->from == offsetof(struct pt_regs, si) || in->from == offsetof(struct pt_regs, di) ||
	     in->from == offsetof(struct pt_regs, bx)) && in->index == PRT_ARCH_NO_REG &&
	    in->length >= 6)
		in->op = PRT_ARCH_NONE;
}

#endif
