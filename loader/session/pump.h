/* SPDX-License-Identifier: GPL-2.0 */
/* A session from START to the last record. */
#ifndef LOADER_PUMP_H
#define LOADER_PUMP_H

#include <stdint.h>

struct background;
struct child;
struct device;
struct meta;
struct output;
struct show;

struct pump {
	const struct meta *m;
	struct device *d;
	struct output *out;
	struct show *show;
	struct child
		*child; /* the session ends with it; a command is released once probes are armed */
	struct background *background; /* NULL: the session is not in the background */
	double seconds; /* -T, from then on; 0: none */
	int timing;     /* -t */
	const uint64_t *addresses; /* of the sites */
	int status;     /* out: 0, or 1 when the session ended by an error */
};

/** pump_run - show what comes until the session is done, or at once after a second signal; then say
 * what was lost. The device was started. Sets status. */
void pump_run(struct pump *p);

#endif
