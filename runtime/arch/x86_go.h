/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the goroutine of a hit in a program in Go. */
#ifndef PRT_ARCH_X86_GO_H
#define PRT_ARCH_X86_GO_H

#include <linux/ptrace.h>
#include <linux/uaccess.h>
#include <asm/fsgsbase.h>

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
