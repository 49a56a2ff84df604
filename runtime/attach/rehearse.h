/* SPDX-License-Identifier: GPL-2.0 */
/* Makes the memory of a process resident that a handler reads. */
#ifndef PRT_REHEARSE_H
#define PRT_REHEARSE_H

#include "attach.h"

/*
 * Runs the rehearsal of the probe of @pair (struct prt_probe.rehearse), or with @entry the probe's
 * entry function, and faults in the memory that it could not read. Repeats this until everything
 * was read, or some of it is not available. On return, interrupts are off, and that memory remains
 * resident until the caller passes the result to raw_local_irq_restore(). @saved, @retval: as for
 * prt_context_hit(). Called in the process itself; may sleep.
 */
unsigned long prt_rehearse(const struct prt_pair *pair, const void *regs, u64 *saved, s64 retval,
			   bool entry);

/* Runs the rehearsal of the probe of @pair, which is not a return probe, once. Returns false if it
 * could not read everything. Interrupts are off; does not sleep. */
bool prt_rehearse_now(const struct prt_pair *pair, const void *regs);

/* Runs the hit of the probe of @pair, which has PRT_READS_FIRST. Returns false if the handler could
 * not read everything; then it has had no effect, and the hit is not counted. Interrupts are
 * off. */
bool prt_attempt(const struct prt_pair *pair, const void *regs);

/* The parts of such a hit that are not inline, which abi/hit.h describes. Interrupts off. */
bool prt_attempt_refuse(struct prt_ctx *c, u32 nr);
bool prt_attempt_time(struct prt_ctx *c, const struct prt_probe *probe, const struct prt_site *site,
		      const void *regs);
bool prt_attempt_left(struct prt_ctx *c);

#endif
