/* SPDX-License-Identifier: GPL-2.0 */
/* The losses of a session, reported while they happen and at the end. */
#ifndef LOADER_LOSSES_H
#define LOADER_LOSSES_H

#include <stdbool.h>
#include <stdint.h>

#include "records.h"
#include "show/tally.h"

struct device;
struct meta;

struct losses {
	struct device *d;
	const struct meta *m;
	struct tally tally;     /* the last reading */
	uint64_t dropped;       /* reported so far */
	uint64_t *reported;     /* hits, by probe and way */
	int64_t dropped_at;     /* ns: time of the last report */
	int64_t way_at[TALLY_WAYS];
	uint64_t not_stored;    /* elements of full arrays, reported so far */
	int64_t arrays_at, arrays_wait; /* ns: time of the next warning; the wait before it */
	bool reported_limit;     /* reported that pools can't grow any more */
	int64_t look_at;        /* ns: when the probes are read next */
};

/** losses_init - @now: ns of any monotonic clock. */
void losses_init(struct losses *l, struct device *d, const struct meta *m, int64_t now);
/** losses_deinit - accepts one that is all zero. */
void losses_deinit(struct losses *l);
/** losses_watch - in each turn: print a line for each kind of loss since the last report, at most
 * once a second for each kind. The probes are read once a second, and less often if reading would
 * take more than a hundredth of the time. */
void losses_watch(struct losses *l, const struct prt_status *st, int64_t now);
/** losses_report - at the end: print the total losses, by probe, and the hits of each probe (-v).
 * @shown: the number of errors whose messages were shown. */
void losses_report(struct losses *l, const struct prt_status *st, uint64_t shown);

#endif
