/* SPDX-License-Identifier: GPL-2.0 */
/* Memory of a process that a handler wants and that is not resident: attach/rehearse.c. */
#ifndef PRT_REHEARSE_H
#define PRT_REHEARSE_H

#include "attach.h"

/*
 * Runs the rehearsal of the probe of @pair (struct prt_probe.rehearse), or with @entry the probe's
 * entry function, and brings in the memory that it could not read, until it reads everything or
 * some of it is not available. Interrupts are off when it returns, and none of that memory can go
 * until the caller passes the result to raw_local_irq_restore(). @saved, @retval: as for
 * prt_context_hit(). The process's own context, where it may sleep.
 */
unsigned long prt_rehearse(const struct prt_pair *pair, const void *regs, u64 *saved, s64 retval,
			   bool entry);

/* Runs the rehearsal of the probe of @pair, which is no return probe, once. false: it could not
 * read everything. Interrupts are off; does not sleep. */
bool prt_rehearse_now(const struct prt_pair *pair, const void *regs);

#endif
