/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The flight recorder: rings that keep the newest output and that nobody reads until a snapshot is
 * wanted.
 *
 * A processor's ring is written as always (abi/group.h), but its producer owns the tail, and gives
 * up the oldest groups when it needs room. It does so by sections: the place of a group is marked
 * whenever a 16th of the ring was written since the last mark, and the tail moves from mark to
 * mark. So no old group is read to find its end, and a brief group costs what it costs without the
 * recorder: `half`, which ends the path of brief groups, is where the next section begins.
 *
 * A snapshot is one at a time:
 *
 *   FREE      prt_snapshot() claims it, writes time and reason, and makes it ASKED
 *   ASKED     each ring keeps its newer half: hits that come while the reader is on its way
 *             overwrite the other one, and when that is full, they lose their output, which is
 *             counted for the next snapshot. If it is that of the group that was open at the
 *             request, this snapshot lacks it, and says so. The reader gets what was asked
 *             (PRT_IOC_SNAPSHOT), waits until no hit is open that began before that time, copies
 *             the rings, and says so (PRT_IOC_RECORD)
 *   FREE      nothing is kept any more; snapshots that are asked for too soon are counted. The
 *             session's thread runs the probes of snapshots
 *
 * Groups are given up while the reader copies. So the tail is stored before they are overwritten,
 * and the reader, which reads it once more after it has copied, drops what lies before it.
 */
#ifndef PRT_FLIGHT_H
#define PRT_FLIGHT_H

#include "abi/snapshot.h"
#include "ring.h"

enum { PRT_FLIGHT_SECTIONS = 16, PRT_FLIGHT_MARKS = 32 };

struct prt_flight {
	u64 tail;                      /* the header's tail, which the reader could write; whoever
					* asks for a snapshot reads it */
	u64 marks[PRT_FLIGHT_MARKS];   /* places of groups, ascending */
	u32 first, n;                  /* the oldest of them, and how many there are */
	u64 last;                      /* the newest one, given up or not */
	u64 guard;                     /* nothing beyond it is given up while a snapshot is read */
	u32 guarded;                   /* the number of the request that guard is for */
};

/* Whether the session records: known since SETUP. Any context. */
bool prt_flight_on(void);
/* Makes @r, which is empty, a ring of the recorder. Process context. -ENOMEM. */
int prt_flight_make(struct prt_ring *r, int node);
/* Gives up old groups until @need bytes are free for the group at the ring's head, as far as that
 * is possible. The producer of @r. */
void prt_flight_room(struct prt_ring *r, u64 need);
/* Notes that output is about to be counted as dropped, and whether the snapshot that is being read
 * may lack it: @time is that of the open group, or 0 without one. The producer of @r. */
void prt_flight_lose(struct prt_ring *r, u64 time);
/* Whether the reader has to read a snapshot. Any context. */
bool prt_flight_asked(void);
/* Whether a snapshot was read whose probes have not run: any context. prt_flight_take_read() says
 * so once: the session's thread. */
bool prt_flight_read(void);
bool prt_flight_take_read(void);
/* PRT_IOC_SNAPSHOT and PRT_IOC_RECORD, as records.h says. Process context, one caller at a time. */
int prt_flight_get(struct prt_snapshot *s);
int prt_flight_record(const struct prt_snapshot_end *set);

#endif
