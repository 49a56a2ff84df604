/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Walks of the kernel's stack, by the unwinder of the kernel (by ORC, or what it was built with),
 * from registers on. In any context in which RCU watches.
 */
#ifndef PRT_ARCH_X86_STACK_H
#define PRT_ARCH_X86_STACK_H

#include <linux/sched.h>
#include <asm/unwind.h>

struct prt_arch_walk {
	struct unwind_state state;
};

/* SETUP, if the script takes stacks. @address_of: gives the address of a function of the kernel, or
 * 0. The kernel's unwinder knows return addresses that it has replaced. */
static inline void prt_arch_walk_setup(unsigned long (*address_of)(const char *symbol))
{
}

/* Begins after the frame of @regs. @at_entry: these are at the entry of a function, which has not
 * changed them yet. */
static __always_inline void prt_arch_walk_begin(struct prt_arch_walk *w, struct pt_regs *regs,
						bool at_entry)
{
	unwind_start(&w->state, current, regs, NULL);
}

static __always_inline bool prt_arch_walk_done(struct prt_arch_walk *w)
{
	return unwind_done(&w->state);
}

/* The return address of the frame. 0: it is not known, or the frame has none. */
static __always_inline unsigned long prt_arch_walk_address(struct prt_arch_walk *w)
{
	return unwind_get_return_address(&w->state);
}

static __always_inline void prt_arch_walk_next(struct prt_arch_walk *w)
{
	unwind_next_frame(&w->state);
}

/* Whether the frame is the one in user space from which the kernel was entered. */
static __always_inline bool prt_arch_walk_at_user(struct prt_arch_walk *w)
{
	const struct pt_regs *regs = unwind_get_entry_regs(&w->state, NULL);

	return regs && user_mode((struct pt_regs *)regs);
}

/* Whether a walk that is done has ended before the outermost frame. */
static __always_inline bool prt_arch_walk_failed(struct prt_arch_walk *w)
{
	return unwind_error(&w->state);
}

#endif
