/* SPDX-License-Identifier: GPL-2.0 */
/* From the groups of rings, or of a flight recorder's copy of them, to what is shown. */
#ifndef LOADER_PRINT_H
#define LOADER_PRINT_H

#include <stdbool.h>
#include <stdint.h>

#include "records.h"
#include "show/report.h"

struct commands;
struct flight;
struct marked;
struct meta;
struct metrics;
struct rings;
struct show;

struct printing {
	const struct meta *m;
	struct show *show;
	struct marked *marked;         /* names that strings ask for; NULL: none do */
	bool only_ids;                 /* of a container, since the machine is another one */
	struct metrics *metrics;       /* or NULL */
	struct commands *commands;     /* start those of system(); NULL: they are not started */
	const struct prt_status *st;   /* of the session's clock */
	const char *host;              /* where it ran; NULL: here */
	unsigned damaged;              /* records that could not be read */
	uint64_t errors;               /* run-time errors that were shown */
	/* the calls that the next error has left */
	uint64_t called[REPORT_CALLED_MAX];
	unsigned ncalled;
	bool silent;                   /* what was printed is not shown; errors and warnings are */
	uint64_t skip;                 /* while a snapshot is shown: what earlier groups ask
					* for, but for prints, was done */
};

/** print_time - convert a time of the session's clock to ns since 1970. */
uint64_t print_time(const struct prt_status *st, uint64_t time);
/** print_group - show @g, the last group that ring_next() has returned of @rings. */
void print_group(struct printing *r, const struct rings *rings, const struct prt_group *g);
/** print_copy - show the groups that @f has copied. */
void print_copy(struct printing *r, struct flight *f);
/** print_snapshot - the same in a file of its own, where there are several, below a head. */
void print_snapshot(struct printing *r, struct flight *f);

#endif
