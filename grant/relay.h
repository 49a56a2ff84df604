/* SPDX-License-Identifier: GPL-2.0 */
/* Between the user and the session: passes on what it writes, and ends it. */
#ifndef GRANT_RELAY_H
#define GRANT_RELAY_H

#include <stdint.h>

#include "policy.h"
#include "start.h"

/* How a session ended. */
struct relay_end {
	int status;            /* for the user's side: 0 to 255 */
	uint64_t bytes;        /* output and messages that were passed on */
	const char *why;       /* NULL: by itself */
};

/**
 * relay_run - relay until the session of @s has ended, and send its status
 *
 * @sock: the connection
 * @seconds: how long it may run after its probes are armed, which proberun itself ensures
 *
 * The end of the connection, more output than @limits allow, and RELAY_LATE_SECONDS after its time
 * end the session: nothing more is read from it and it gets SIGTERM, and SIGKILL if
 * RELAY_KILL_SECONDS do not suffice; the guardian process then removes the module. A user who does
 * not read delays the session until then, and nobody else.
 */
void relay_run(int sock, const struct started *s, const struct policy_limits *limits,
	       unsigned seconds, struct relay_end *ret);
enum { RELAY_LATE_SECONDS = 120, RELAY_KILL_SECONDS = 60 };

/** relay_refuse - tell the user's side why there is no session. */
void relay_refuse(int sock, const char *why, const char *next);

#endif
