/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Output: one group a hit, built in place in the CPU's ring and published at the hit's end.
 *
 * A process-context handler fills a staging buffer instead, which is handed over to the session's
 * ring, waiting for room, when it is full, in prt_breathe, and at the handler's end; never while
 * locks are held. What is handed over gets the time of that moment: a reader can hold back
 * nothing that this thread would wait for.
 */
#ifndef PRT_OUTPUT_H
#define PRT_OUTPUT_H

#include "context.h"
#include "ring.h"

/* Process context: the staging buffer. -ENOMEM. */
int prt_out_setup(void);
void prt_out_free(void);
/* Process context: passes the staged output on. May sleep, until the descriptor is closed. */
void prt_out_flush(struct prt_ctx *c);
/* A message of the runtime in the hit's group, from the reserve when the rest is used up. @n longs,
 * then @text (at most 64 KiB) unless it is NULL. Any context. */
void prt_out_message(struct prt_ctx *c, u32 id, const s64 *longs, u32 n,
		     const struct prt_str *text);

#endif
