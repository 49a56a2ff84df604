/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_PTRACE_H
#define TWIN_LINUX_PTRACE_H

#define __KERNEL_CS 0x10

struct pt_regs {
	unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di, orig_ax;
	unsigned long ip, cs, flags, sp, ss;
};

#endif
