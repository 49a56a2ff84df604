/* SPDX-License-Identifier: GPL-2.0 */
/* The rings of a session, read in the order of time (runtime/abi/records.h describes the rule). */
#ifndef LOADER_RING_H
#define LOADER_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "records.h"

struct ring {
	struct prt_ring_head *head;
	const char *data; /* mapped twice, one after the other: a group never wraps */
	uint64_t size;    /* bytes of data, a power of two */
	uint64_t tail;    /* read so far; head->tail follows it */
	uint64_t end;     /* head of this turn */
	uint64_t open;    /* head->open of this turn, or RING_NOT_OPEN */
	int cpu;          /* its processor; -1: it is that of the session's thread */
	bool is_recorded; /* the producer gives up old groups: session/flight.h reads it */
	bool is_overwritten; /* a copy of such a ring, which has given up some */
	uint64_t lost_at; /* of a copy: when a hit lost its output last; 0: none did */
};

#define RING_NOT_OPEN UINT64_MAX

struct rings {
	struct ring *ring;
	uint32_t n;
	uint32_t run;       /* ring of the last group: its next ones follow at once ... */
	uint64_t run_until; /* ... while they are earlier than this */
};

/** ring_open - return the time of the ring's group that is being written; 0: the clock is about to
 * be read; RING_NOT_OPEN: none is. */
uint64_t ring_open(const struct ring *r);
/** ring_look - begin a turn: read every ring's open time, then every ring's head. The caller must
 * have taken NOW before. Nothing is read of a ring that is recorded. */
void ring_look(struct rings *r);
/** ring_look_last - begin the last turn: the session has ended, so everything published may be
 * printed, with UINT64_MAX for NOW, even if damage makes a ring look open or late. */
void ring_look_last(struct rings *r);
/**
 * ring_next - return the next group in the order of time that may be printed in this turn @now: the
 * session's clock as it was before ring_look()
 *
 * returns the group, valid until ring_release(), or NULL if there is none in this turn. A ring with
 * invalid content is emptied and counted in @damaged.
 */
const struct prt_group *ring_next(struct rings *r, uint64_t now, unsigned *damaged);
/** ring_release - return the space of all groups that were read to the producers. */
void ring_release(struct rings *r);
/** ring_sleep - tell the producers whether the reader waits in poll(). */
void ring_sleep(struct rings *r, int asleep);
/** ring_empty - return whether no unread group is published now. */
bool ring_empty(const struct rings *r);

#endif
