/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Globals and where they live: per CPU in the banks, or in the script unit's own data.
 *
 * A bank is bank_size bytes laid out by struct prt_global.offset. Each CPU has two, of deltas
 * that start at zero; hits write the current one of their context. The session thread has one of
 * the same layout, the totals, which start with the initial values. prt_global_collect() moves the
 * deltas into the totals: an interrupt makes each CPU switch to its other bank, and then the banks
 * that they left are added to the totals. Handlers run with interrupts off, so no handler sees its
 * bank change, and none still writes a bank that is being collected. No hit is lost between a read
 * and a delete, and readers never stop writers. Where all probes that read the totals run while no
 * hit can (begin, end and error probes), each CPU has a single bank, which is added as it is.
 *
 * All functions run in process context.
 */
#ifndef PRT_GLOBAL_H
#define PRT_GLOBAL_H

#include "context.h"

/* Module init: computes the layout of all arrays. -ENOMEM. */
int prt_global_init(void);
void prt_global_exit(void);
/* The number of elements of the largest array; 0: there is no array. */
u32 prt_global_capacity(void);
/* The number of bytes that prt_global_setup() allocates, and prt_global_make(). */
u64 prt_global_memory(void);
u64 prt_global_cpu_memory(void);
/* Describes the array that takes the most memory, with all its copies, in @r. -E2BIG: a copy of it
 * would have 2 GiB or more. */
int prt_global_largest(struct prt_refusal *r);
/* SETUP: allocates the thread's bank and the arrays that are in none, and sets initial values.
 * -ENOMEM, -E2BIG; prt_global_free() then frees the rest. */
int prt_global_setup(void);
void prt_global_free(void);
/* Allocates the banks of a processor. -ENOMEM; prt_global_unmake() then frees the rest. */
int prt_global_make(struct prt_cpu *cpu, int node);
void prt_global_unmake(struct prt_cpu *cpu);
/* Sets the initial value of a scalar. -ENOENT: there is no such long or string; -EINVAL: @value is
 * not a number. */
int prt_global_set(const char *name, const char *value);
/* Finds the next global from number @ret->at on that had no room for new elements, or for cells of
 * histograms. -ENOENT: there are no more. */
int prt_global_not_stored(struct prt_array_get *ret);
/* Collects the banks. The session thread only. Sets PRT_E_ARRAY_FULL in @c if the totals of an
 * array had no room, and that is an error. */
void prt_global_collect(struct prt_ctx *c);
/* Makes the histograms that arrays are to have spare (hists.h). The work item. */
void prt_global_fill_hists(void);
/* Calls prt_grow_promise() for each array that has totals which grow. */
void prt_global_promise(void);
/* Gives the arrays that hits use the memory that they want (grow.h). The work item. */
void prt_global_grow(void);
/* Sets whether hits can run. The session thread. */
void prt_global_quiet(bool quiet);
/* Gives up the addresses that arrays had before they grew in a handler, which is over. The session
 * thread. */
void prt_global_settle(void);
/* Waits for a grace period: until no handler runs that was running at the call. */
void prt_global_grace(void);

#endif
