/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trampolines, in a module of their own (probec_direct): a function that ftrace calls directly at
 * another's entry, which calls that one itself and so is there when it returns. No instance, no
 * search for the return address; but the code must stay while a call is inside. So it is apart
 * from the sessions' modules, which come and go: whoever uses a trampoline gives it back, and this
 * module stays until the last call has left. Included by the runtime and by the module.
 */
#ifndef PRT_DIRECT_H
#define PRT_DIRECT_H

#define PRT_DIRECT_VERSION 2
#define PRT_DIRECT_SLOTS 256
#define PRT_DIRECT_DATA 64 /* bytes that travel with a call */

/* For trampoline.S. */
#define PRT_DIRECT_USER_ENTER 0
#define PRT_DIRECT_USER_LEAVE 8

#ifndef __ASSEMBLY__
#include <linux/types.h>

struct pt_regs;

/* The functions that a trampoline calls, with interrupts off. @regs has the argument registers, sp
 * as at the entry, and ip, where the function goes on. */
struct prt_direct_user {
	/* false: leave() is not called for this call. NULL: nothing is done at the entry, and
	 * leave() is called with the value alone: @regs and @data are not valid. */
	bool (*enter)(struct prt_direct_user *u, struct pt_regs *regs, u64 *data);
	void (*leave)(struct prt_direct_user *u, struct pt_regs *regs, u64 *data, s64 value);
};

/* The functions that the module exports, as `probec_direct`. All of them need process context. */
struct prt_direct {
	u32 version;
	/* A trampoline for @u, which stays the caller's: its number, or -errno: -ENOSPC when all
	 * are taken, -EOPNOTSUPP where interrupts are not the processor's to switch (Xen). */
	int (*take)(struct prt_direct_user *u);
	unsigned long (*address)(int nr);
	/* Calls nobody any more, once every processor has had its interrupts on. */
	void (*gate)(int nr);
	/* After gate, and after ftrace has let go of it: the module looks after those inside. */
	void (*release)(int nr);
};
extern const struct prt_direct probec_direct;

#endif
#endif
