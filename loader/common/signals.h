/* SPDX-License-Identifier: GPL-2.0 */
/* SIGINT, SIGTERM and SIGHUP are counted: the first ends the session in order, a second one at
 * once. */
#ifndef LOADER_SIGNALS_H
#define LOADER_SIGNALS_H

#include <stdbool.h>

/** signals_init - count signals from now on, and ignore SIGPIPE. Blocking calls return EINTR. */
void signals_init(void);
/* Senders of SIGUSR2, by the value of sigqueue(). */
enum signals_asked { SIGNALS_NOBODY, SIGNALS_USER, SIGNALS_FLEET };

/** signals_catch_snapshot - from now on, SIGUSR2 asks for a snapshot of the flight recorder. */
void signals_catch_snapshot(void);
/** signals_snapshot - return who has asked for one last since the last call. */
enum signals_asked signals_snapshot(void);
/** signals_reset - in a forked child before exec: restore the actions that this process was given,
 *  such as those that nohup(1) or a script's shell ignores. */
void signals_reset(void);
/** signals_count - return how many signals have come. */
int signals_count(void);
/** signals_last - return the number of the last signal; 0: none. */
int signals_last(void);

#endif
