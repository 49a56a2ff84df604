/* SPDX-License-Identifier: GPL-2.0 */
/* The pump: a session from START to the last record. */
#ifndef LOADER_PUMP_H
#define LOADER_PUMP_H

#include <stdbool.h>
#include <stdint.h>

struct background;
struct child;
struct device;
struct flight;
struct marks;
struct meta;
struct output;
struct show;

struct pump {
	const struct meta *m;
	struct device *d;
	struct output *out;
	struct show *show;
	struct child
		*child; /* the session ends with it; a command starts once the probes are armed */
	struct background *background; /* NULL: the session is not in the background */
	double seconds; /* -T, from then on; 0: none */
	bool timed; /* not the user, but a rule of probec-grant has set it */
	struct metrics *metrics; /* or NULL */
	struct events *events;   /* or NULL */
	struct flight *flight;   /* NULL: the session does not record */
	struct marks *marks;     /* NULL: the script asks for no names of containers */
	bool heir;       /* proberun was killed, and this process only ends the session */
	bool timing;     /* -t */
	bool subtracts;  /* --subtract-cost */
	const uint64_t *addresses; /* of the sites */
	int status;     /* out: 0, or 1 when the session ended by an error */
	bool left;      /* out: the session goes on to disarm its probes */
};

/** pump_run - show output until the session has ended; then report losses. After a second signal,
 * or soon after one that comes before the probes are armed, it does not wait for the end. The
 * device must be started. Sets status and left. */
void pump_run(struct pump *p);

#endif
