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
/* Charges return probe @nr for a breakpoint; the caller counts the hit. Interrupts off. */
void prt_budget_breakpoint(u32 nr);
/* Charges probe @nr for the breakpoints in programs that led to no hit of it on this CPU, whose
 * context is @c, since the last call (struct prt_tally.alone). Interrupts off. */
void prt_budget_user_breakpoints(struct prt_ctx *c, u32 nr);
/* Counts and charges a skipped hit of probe @nr at @site (NULL: its only one). Interrupts off, any
 * context. */
void prt_budget_refused(struct prt_ctx *c, u32 nr, const struct prt_site *site);
/* Adds a sample of this CPU at time @now. @of_hit: the CPU was in a hit or entering one. Interrupts
 * off, not in a hit. */
void prt_budget_sample(u64 now, bool of_hit);
/* attach/sample.c: takes samples on this CPU until time @until. Interrupts off, any context. */
void prt_sample_watch(u64 until);
/* For an error that ends its handler only: whether it may be reported as well. Any context. */
bool prt_budget_report(void);

#endif
