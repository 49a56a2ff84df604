/* SPDX-License-Identifier: GPL-2.0 */
/* Breakpoints in programs, for the overload breaker and its samples. */
#ifndef PRT_ATTACH_USER_LOAD_H
#define PRT_ATTACH_USER_LOAD_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <asm/ptrace.h>

#include "attach.h"
#include "budget.h"
#include "context.h"

extern bool prt_user_load_watched;

/* The bytes that setup allocates, which is for scripts with places in programs. -ENOMEM. */
u64 prt_user_load_memory(void);
int prt_user_load_setup(void);
void prt_user_load_free(void);
/* @p is about to be armed: its hits will be charged. Under prt_attach_lock. */
void prt_user_load_expect(const struct prt_point *p);
/* Samples are about to be taken, and need to be told of hits. Any context. */
void prt_user_load_watch(void);
/* The same as prt_user_load_at() and prt_user_load_return(), without their condition. */
void prt_user_load_note(unsigned long at);
void prt_user_load_note_return(unsigned long to);
/* A breakpoint at @p for which no handler runs: at the entry of a return probe, or in a process in
 * which the probe does not count. The process's context. */
void prt_user_load_alone(const struct prt_point *p);
/* Whether a sample that interrupted @regs found the current task at one of our breakpoints. An
 * interrupt. */
bool prt_user_load_found(const struct pt_regs *regs);

/* The same for @n of them, with interrupts off. */
static __always_inline void prt_user_load_alone_now(const struct prt_point *p, u32 n)
{
	u32 nr = p->pairs[0].probe;

	if (unlikely(prt_budget_count_alone(nr, PRT_BREAKPOINT_USER, n)))
		prt_budget_alone(nr, PRT_BREAKPOINT_USER);
}

/* To be called for each hit at a breakpoint, with the address of that. The process's context. */
static __always_inline void prt_user_load_at(unsigned long at)
{
	if (unlikely(data_race(prt_user_load_watched)))
		prt_user_load_note(at);
}

/* The same for each return by a uretprobe, with the address to which the function returns. */
static __always_inline void prt_user_load_return(unsigned long to)
{
	if (unlikely(READ_ONCE(prt_user_load_watched)))
		prt_user_load_note_return(to);
}

#endif
