/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How long handlers may run: steps in one hit, a share of a processor over time, errors in a
 * second. The runtime's own measure of time is budget.c's; struct prt_probe_counts says which hits
 * are timed.
 */
#ifndef PRT_BUDGET_H
#define PRT_BUDGET_H

#include "context.h"

/* SETUP, before any handler runs: steps of a hit, what a reading of the clock costs. */
void prt_budget_setup(void);
/* The entry half of a hit that will be timed took @ticks. Any context. */
void prt_budget_entered(struct prt_cpu *cpu, struct prt_tally *tally, u64 ticks);
/* A handler of the session's thread took @ticks. */
void prt_budget_took(struct prt_tally *tally, u64 ticks);
/* The kernel takes @ticks to handle a breakpoint. */
void prt_budget_breakpoints_cost(u64 ticks);
/* Some places of probe @nr are reached by breakpoints. Before they are. */
void prt_budget_by_breakpoint(u32 nr);
/* A breakpoint led to a return probe @nr, whose hit the caller counts. Interrupts off. */
void prt_budget_breakpoint(u32 nr);
/* A breakpoint in a program was handled for probe @nr, and led to no hit: at the entry of a return
 * probe, or in a process that the probe is not for. Interrupts off. */
void prt_budget_user_breakpoint(u32 nr);
/* A hit of probe @nr at @site (NULL: its only one) was turned away. Interrupts off, any context. */
void prt_budget_refused(struct prt_ctx *c, u32 nr, const struct prt_site *site);
/* A look at this CPU at @now: whether it found it in a hit, or on the way to one. Interrupts off,
 * in no hit. */
void prt_budget_sample(u64 now, bool of_hit);
/* attach/sample.c: takes such samples on this CPU until then. Interrupts off, any context. */
void prt_sample_watch(u64 until);
/* An error that is forgiven: true: it may be reported, too. Any context. */
bool prt_budget_report(void);

#endif
