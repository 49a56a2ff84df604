/* SPDX-License-Identifier: GPL-2.0 */
/* The losses of a session, reported while they happen and at the end. */
#ifndef LOADER_LOSSES_H
#define LOADER_LOSSES_H

#include <stdint.h>

#include "records.h"
#include "show/tally.h"

struct device;
struct meta;

struct losses {
	struct device *d;
	const struct meta *m;
	struct tally tally;     /* the last that was read */
	uint64_t dropped;       /* reported so far */
	uint64_t *reported;     /* hits, by probe and way */
	int64_t dropped_at;     /* ns: when it was last reported */
	int64_t way_at[TALLY_WAYS];
	uint64_t not_stored;    /* elements of full arrays, reported so far */
	int64_t arrays_at, arrays_wait; /* ns: time of the next warning; the wait before it */
	int reported_limit;     /* reported that pools can't grow any more */
	int64_t look_at;        /* when the probes are looked at next */
};

/** losses_init - @now: ns of any clock that goes on evenly. */
void losses_init(struct losses *l, struct device *d, const struct meta *m, int64_t now);
/** losses_deinit - accepts one that is all zero. */
void losses_deinit(struct losses *l);
/** losses_watch - each turn: a line for each kind of loss that there was since the last one, at
 * most one a second and kind. The probes are looked at once a second, and less often where that
 * would take more than a hundredth of the time. */
void losses_watch(struct losses *l, const struct prt_status *st, int64_t now);
/** losses_report - at the end: what was lost in all, by probe, and how often each was hit (-v).
 * @shown: errors whose messages were shown. */
void losses_report(struct losses *l, const struct prt_status *st, uint64_t shown);

#endif
