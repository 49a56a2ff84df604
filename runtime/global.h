/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Globals and where they live: per CPU in the banks, or in the script unit's own data.
 *
 * A bank is bank_size bytes laid out by struct prt_global.offset. Each CPU has two, of deltas
 * that start at zero; hits write the one that is their context's. The thread's context has one of
 * the same layout, the totals, which starts with the initial values. prt_global_collect moves what
 * the CPUs gathered into the totals: each CPU, called by an interrupt, changes to its other bank,
 * and those that they left are added up. Handlers run with interrupts off, so none sees its bank
 * change and none still writes the other. No hit is lost between a read and a delete, and readers
 * never stop writers.
 *
 * All of it runs in process context.
 */
#ifndef PRT_GLOBAL_H
#define PRT_GLOBAL_H

#include "abi/script.h"

/* Module init: the types of arrays. -ENOMEM. */
int prt_global_init(void);
void prt_global_exit(void);
/* Entries of the largest array; 0: no array. */
u32 prt_global_capacity(void);
/* Bytes that prt_global_setup allocates. */
u64 prt_global_memory(void);
/* The largest array, its copies together, into @r. -E2BIG: it is one that can't be counted. */
int prt_global_largest(struct prt_refusal *r);
/* SETUP: banks, arrays, initial values. -ENOMEM, -E2BIG; then prt_global_free frees the rest. */
int prt_global_setup(void);
void prt_global_free(void);
/* -ENOENT: no such long or string; -EINVAL: not a number. */
int prt_global_set(const char *name, const char *value);
/* The next array from number @ret->at on that had no room for new elements. -ENOENT: there are no
 * more. */
int prt_global_not_stored(struct prt_array_get *ret);
/* The session's thread only. PRT_E_ARRAY_FULL in @c when an array's total had no room and that is
 * an error. */
void prt_global_collect(struct prt_ctx *c);
/* Returns when no handler runs that was running at the call. */
void prt_global_grace(void);

#endif
