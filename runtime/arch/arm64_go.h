/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the goroutine of a hit in a program in Go: x86_go.h. */
#ifndef PRT_ARCH_ARM64_GO_H
#define PRT_ARCH_ARM64_GO_H

#include <linux/ptrace.h>
#include <linux/uaccess.h>

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
