/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Output: one group for each hit, built in place in the ring of the CPU and published at the end of
 * the hit.
 *
 * A process-context handler fills a staging buffer instead. The buffer is copied to the ring of the
 * session thread, waiting for room, when it is full, in prt_breathe(), and at the handler's end;
 * never while locks are held. It is small until locks are taken, or a record needs more. The group
 * gets the time of that moment, so that the reader never holds back output for which this thread
 * waits.
 */
#ifndef PRT_OUTPUT_H
#define PRT_OUTPUT_H

#include "context.h"
#include "ring.h"

/* SETUP: allocates the staging buffer. Process context. -ENOMEM. */
int prt_out_setup(void);
void prt_out_free(void);
/* Makes the staging buffer as large as it can be, if there is memory, before locks are taken. The
 * session thread. It may sleep, as prt_out_flush() does. */
void prt_out_prepare(struct prt_ctx *c);
/* Publishes the staged output. The session thread. Sleeps until there is room or the descriptor is
 * closed. */
void prt_out_flush(struct prt_ctx *c);
/* Adds message @id of the runtime (enum prt_rec_id) to the hit's group, in the reserve of the ring
 * if the rest is full: @n longs, and @text (at most 64 KiB) unless it is NULL. Any context. */
void prt_out_message(struct prt_ctx *c, u32 id, const s64 *longs, u32 n,
		     const struct prt_str *text);
/* prt_put_str() for scripts: abi/fast.h. */
char *prt_put_text(char *p, const char *s, u32 len);

#endif
