/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The reader's half of the flight recorder (runtime/flight.h): copies what the processors' rings
 * keep when a snapshot is asked for.
 */
#ifndef LOADER_FLIGHT_H
#define LOADER_FLIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "device/ring.h"
#include "snapshot.h"

struct device;

struct flight {
	struct device *d;       /* NULL: the session does not record */
	uint64_t every;         /* ns between two snapshots of the script at least */
	struct rings copy;      /* of the processors' rings; read by ring_next() */
	char **room;            /* the memory of each copy */
	int64_t waits;          /* ns of the monotonic clock: since when hits are waited for; 0 */
	const char *wanted;     /* flight_want(): its reason; NULL: it was taken */
	uint32_t suppressed;    /* that were asked for too soon since the last one */
	/* the last snapshot: */
	struct prt_snapshot asked;
	uint32_t number;        /* from 1 */
	uint64_t groups;        /* of all processors, */
	uint64_t first, last;   /* times of the first and the last one; with groups only */
	uint64_t whole;         /* no group since then was overwritten on any processor; 0: none
				 * at all was */
	bool missed;            /* a hit that began earlier had not ended after a second */
};

/** flight_want - take a snapshot at the next turn, without the script's asking. @reason must remain
 * valid. */
void flight_want(struct flight *f, const char *reason);
/**
 * flight_turn - copy the rings if a snapshot is asked for and no hit runs any more that began
 * earlier; the rings record again then
 *
 * @st: the state of this turn. Returns true if f->copy, and what is said of it, are those of a new
 * snapshot. Damaged groups are counted in @damaged.
 */
bool flight_turn(struct flight *f, const struct prt_status *st, unsigned *damaged);
/** flight_last - copy everything that was recorded, when the session is DONE. */
void flight_last(struct flight *f, const char *reason, unsigned *damaged);
void flight_deinit(struct flight *f);

#endif
