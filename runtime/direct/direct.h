/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trampolines, in a module of their own (probec_direct). ftrace calls a trampoline directly at the
 * entry of a function; the trampoline calls the function itself, and so sees it return. This needs
 * no instance and no search for the return address, but the trampoline's code must stay while a
 * call is inside. It is therefore separate from the modules of sessions: a session gives its
 * trampolines back, and this module stays until the last call has left. Included by the runtime and
 * by the module.
 */
#ifndef PRT_DIRECT_H
#define PRT_DIRECT_H

#define PRT_DIRECT_VERSION 2
#define PRT_TRAMPOLINES 256
#define PRT_DIRECT_DATA 64 /* bytes that travel with a call */

/* For the trampolines in arch/. */
#define PRT_DIRECT_USER_ENTER 0
#define PRT_DIRECT_USER_LEAVE 8

#ifndef __ASSEMBLY__
#include <linux/compiler.h>
#include <linux/types.h>

struct pt_regs;

/* The functions that a trampoline calls, with interrupts off. @regs has the argument registers, sp
 * as at the entry, and ip, where the function goes on. Kernels with RANDSTRUCT would arrange it at
 * random, as any structure of functions alone. */
struct prt_direct_user {
	/* false: leave() is not called for this call. NULL: nothing is done at the entry, and
	 * leave() is called with the value alone: @regs and @data are not valid. */
	bool (*enter)(struct prt_direct_user *u, struct pt_regs *regs, u64 *data);
	void (*leave)(struct prt_direct_user *u, struct pt_regs *regs, u64 *data, s64 value);
} __no_randomize_layout;

/* The functions that the module exports, as `probec_direct`. All of them need process context. */
struct prt_direct {
	u32 version;
	/* Takes a trampoline for @u, which the caller still owns. Returns its number, or -errno:
	 * -ENOSPC when all are taken, -EOPNOTSUPP if interrupts are not switched by the
	 * processor's own instructions (Xen). */
	int (*take)(struct prt_direct_user *u);
	unsigned long (*address)(int nr);
	/* The user is not called any more once every processor has had its interrupts on. */
	void (*gate)(int nr);
	/* Gives it back, after gate and after ftrace was detached. The module takes care of the
	 * calls that are still inside. */
	void (*release)(int nr);
};
extern const struct prt_direct probec_direct;

#endif
#endif
