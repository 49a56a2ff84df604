/* SPDX-License-Identifier: GPL-2.0 */
/* The head of a snapshot of the flight recorder: session/flight.h. */
#ifndef LOADER_SNAPSHOT_H
#define LOADER_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

struct show;

struct show_snapshot {
	const char *host;        /* NULL: this one */
	uint32_t number;         /* from 1 */
	const char *reason;      /* of the script, or of proberun */
	uint64_t hits;           /* that printed something, and are in the snapshot */
	uint64_t from, to;       /* ns since 1970, with hits only: the first of them, and the moment
				  * of the request, or the last of them where nobody asked */
	uint64_t whole;          /* ns since 1970: from then on it has all of them; 0: it has all
				  * since the session began */
	uint64_t overwritten;    /* bytes of older records, between the request and the copy */
	uint64_t lost;           /* hits that lost their output since the request before */
	uint32_t suppressed;     /* other snapshots that were asked for too soon before it */
	bool missed;             /* it lacks a hit that was still running */
};

/** show_snapshot - show @h before the records: as a line of text output, as an object of the JSON
 * stream, and with the other formats on standard error. */
void show_snapshot(struct show *s, const struct show_snapshot *h);
/** show_snapshot_whole - text output: show that the records from here on are complete. */
void show_snapshot_whole(struct show *s);

#endif
