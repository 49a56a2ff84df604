/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The limits on handlers: steps in a hit, the share of a processor over time, errors in a second.
 * budget.c explains how time is measured; struct prt_probe_counts tells which hits are timed. Ticks
 * are those of the session clock.
 */
#ifndef PRT_BUDGET_H
#define PRT_BUDGET_H

#include "context.h"

/* SETUP, before any handler runs: sets the step budgets, and measures what reading the clock
 * costs. */
void prt_budget_setup(void);
/* Adds @ticks that a return probe took at the entry of a call whose return will be timed. Any
 * context. */
void prt_budget_entered(struct prt_cpu *cpu, struct prt_tally *tally, u64 ticks);
/* Adds a handler of the session thread that took @ticks. The session thread. */
void prt_budget_took(struct prt_tally *tally, u64 ticks);
/* Ends the timing of a hit whose handler began at @start and has ended. Interrupts off, any
 * context. */
void prt_budget_timed(struct prt_ctx *c, u64 start);
/* Sets the time that the kernel takes to handle a breakpoint. */
void prt_budget_breakpoints_cost(u64 ticks);
/* Declares, before it is armed, that a site of probe @nr is reached by a breakpoint. @user_sharers:
 * the probes at that place in programs; 0 in the kernel. */
void prt_budget_by_breakpoint(u32 nr, u32 user_sharers);
/* Tells a processor that has just got its part. */
void prt_budget_adopt(struct prt_cpu *cpu);
/* Charges probe @nr for those that prt_budget_count_alone() has counted. Interrupts off. */
void prt_budget_alone(u32 nr, enum prt_breakpoint kind);
/* Counts and charges a skipped hit of probe @nr at @site (NULL: its only one). Interrupts off, any
 * context. */
void prt_budget_refused(struct prt_ctx *c, u32 nr, const struct prt_site *site);
/* Adds a sample of this CPU at time @now. @of_hit: the CPU was in a hit or entering one. Interrupts
 * off, not in a hit. */
void prt_budget_sample(u64 now, bool of_hit);
/* attach/sample.c: takes samples on this CPU until time @until. Interrupts off, any context. */
void prt_sample_watch(u64 until);
/* The part of it that cannot be done in a hit. */
void prt_sample_begin(void);
/* For an error that ends its handler only: whether it may be reported as well. Any context. */
bool prt_budget_report(void);

enum { PRT_ALONE_AT_ONCE = 16 }; /* breakpoints that are charged at one time */

/* Counts @n breakpoints of @kind, at most PRT_ALONE_AT_ONCE, that lead to no hit of probe @nr:
 * those at the entries of return probes, and in processes in which the probe does not count.
 * Returns whether there are enough for prt_budget_alone(), which the caller then calls. Interrupts
 * off. */
static __always_inline bool prt_budget_count_alone(u32 nr, enum prt_breakpoint kind, u32 n)
{
	u16 *alone = &__this_cpu_read(prt_contexts)->tally[nr].alone[kind];
	u32 sum = *alone + n;

	*alone = sum;
	return sum >= PRT_ALONE_AT_ONCE;
}

#endif
