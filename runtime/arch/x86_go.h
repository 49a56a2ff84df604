/* SPDX-License-Identifier: GPL-2.0 */
/* Go keeps the goroutine in a register or in the storage of its thread. */
#ifndef PRT_ARCH_X86_GO_H
#define PRT_ARCH_X86_GO_H

#include <linux/ptrace.h>
#include <linux/uaccess.h>
#include <asm/fsgsbase.h>

/* The goroutine that runs on the stack on which @sp is, and the end of that stack. Its descriptor
 * is in r14 (Go's ABIInternal), in functions with another convention in the word below the thread's
 * own storage; it begins with the bounds of the stack (struct g of runtime/runtime2.go). false: it
 * is not there, or the stack is another one. May sleep. */
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
