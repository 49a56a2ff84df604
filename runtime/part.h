/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of each processor in a session: its context (context.h), its ring and its banks.
 *
 * A processor that is online at SETUP gets its part then, and so does each possible one where these
 * are at most twice as many. Otherwise, one that comes later gets it in the kernel's hotplug, in
 * the step that prepares it before it executes its first instruction: so it loses no hit, and
 * processors that are only possible, of which virtual machines announce hundreds, take no memory.
 * A part is kept until the session ends, also while its processor is offline.
 *
 * If there is no memory for a part that comes later, the processor comes online all the same: its
 * context stays shut, and the session ends with PRT_E_PROCESSOR, because it would miss hits.
 *
 * All functions but prt_part_ring() are for process context.
 */
#ifndef PRT_PART_H
#define PRT_PART_H

#include "abi/records.h"
#include "ring.h"

/* The number of rings that there can be: one for each processor by its number, and then that of the
 * session's thread. */
u32 prt_part_rings(void);
/* Ring @i; NULL: its processor has no part. Any context. */
struct prt_ring *prt_part_ring(u32 i);
/* The number of rings that there are. It grows before a processor executes anything. */
u32 prt_part_present(void);
/* The states of hotplug that the session is going to take. */
void prt_part_hotplug(struct prt_hotplug *prepare, struct prt_hotplug *online);
/* The number of bytes that the part of one processor takes, without its ring. */
u64 prt_part_memory(void);
/* SETUP, when all else that hits use exists: makes the parts, and follows hotplug from then on.
 * -ENOMEM; prt_part_free() then frees the rest. */
int prt_part_setup(const struct prt_setup *set);
void prt_part_free(void);
/* Lets the rings of processors that ask for it grow. The work item of grow.h. */
void prt_part_grow_rings(void);

#endif
