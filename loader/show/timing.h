/* SPDX-License-Identifier: GPL-2.0 */
/* The statistics at the end of a session: the table of -t, and the last objects of the JSON
 * stream. */
#ifndef LOADER_TIMING_H
#define LOADER_TIMING_H

#include "records.h"
#include "shared/buf.h"

struct meta;
struct show;
struct tally;

enum { TIMING_WIDTH = 100 };

/** timing_table - append -t as text to @out: a line for each probe, no longer than TIMING_WIDTH,
 * and a line below it for its losses. */
void timing_table(struct buf *out, const struct meta *m, const struct tally *t,
		  const struct prt_status *st);
/** timing_object - -t in the JSON stream. */
void timing_object(struct show *s, const struct meta *m, const struct tally *t,
		   const struct prt_status *st);
/** timing_summary - the last object of the JSON stream. @bytes: lost output. */
void timing_summary(struct show *s, const struct meta *m, const struct tally *t,
		    const struct prt_status *st, uint64_t bytes, int status);

#endif
