/* SPDX-License-Identifier: GPL-2.0 */
/* The end of a session in figures: the table of -t, and the last objects of the json stream. */
#ifndef LOADER_TIMING_H
#define LOADER_TIMING_H

#include "common/text.h"
#include "records.h"

struct meta;
struct show;
struct tally;

enum { TIMING_WIDTH = 100 };

/** timing_table - -t as text: a line a probe, no longer than TIMING_WIDTH, and a line below it for
 * what it lost. Appended to @out. */
void timing_table(struct text *out, const struct meta *m, const struct tally *t,
		  const struct prt_status *st);
/** timing_object - -t in the json stream. */
void timing_object(struct show *s, const struct meta *m, const struct tally *t,
		   const struct prt_status *st);
/** timing_summary - the last object of the json stream. @bytes: of output that was lost. */
void timing_summary(struct show *s, const struct meta *m, const struct tally *t,
		    const struct prt_status *st, uint64_t bytes, int status);

#endif
