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

/* How much was shown already. Shared with the guardian process, which takes the last snapshot when
 * proberun was killed. */
struct flight_past {
	uint32_t number;        /* of the last snapshot, from 1 */
	uint32_t file;          /* -S, -o: of the current file */
	uint64_t lost;          /* hits without output before the last snapshot */
	uint64_t acted;         /* what older records ask for, but for prints, was done */
};

struct flight {
	struct device *d;
	uint64_t every;         /* ns between two snapshots of the script at least */
	struct rings copy;      /* of the processors' rings; read by ring_next() */
	char **room;            /* the memory of each copy */
	int64_t waits;          /* ns of the monotonic clock: since when hits are waited for; 0 */
	struct flight_past *past;
	const char *wanted;     /* flight_want(): its reason; NULL: it was taken */
	void (*triggered)(void); /* called as soon as the script has asked for a snapshot, or its
				  * error has; NULL: nobody wants to know */
	uint32_t suppressed;    /* that were asked for too soon since the last one */
	/* the last snapshot: */
	struct prt_snapshot asked;
	uint64_t groups;        /* of all processors, */
	uint64_t first, last;   /* times of the first and the last one; with groups only */
	uint64_t overwritten;   /* bytes of older groups, since it was asked for */
	uint64_t lost;          /* hits whose output found no room, since the request before */
	uint64_t whole;         /* no group since then was overwritten on any processor; 0: none
				 * at all was */
	bool missed;            /* a hit that began earlier had not ended after a second */
};

/** flight_init - get ready for reading what @d records, with at least @seconds between two
 * snapshots of the script. Before guardian_start(). 0, or -1 after reporting E_NO_MEMORY. */
int flight_init(struct flight *f, struct device *d, unsigned seconds);
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
/** flight_last - copy everything that was recorded, and count what was suppressed, when the session
 * is DONE. */
void flight_last(struct flight *f, const char *reason, unsigned *damaged);
/**
 * flight_adopt - make a zeroed @f, without a device, the snapshot whose rings were copied elsewhere
 *
 * @copy: each one's `data` is memory that @f owns from now on, with groups from byte 0 to `end`; so
 *        is the array. `open` is the time of a hit that was running, or RING_NOT_OPEN.
 * 0, or -1 after reporting E_NO_MEMORY; flight_deinit() in any case.
 */
int flight_adopt(struct flight *f, const struct rings *copy, const char *reason, unsigned *damaged);
/** flight_deinit - accepts one that was not initialised. */
void flight_deinit(struct flight *f);

#endif
