/* SPDX-License-Identifier: GPL-2.0 */
/* SIGINT, SIGTERM and SIGHUP are counted: the first ends the session in order, a second one at
 * once. */
#ifndef LOADER_SIGNALS_H
#define LOADER_SIGNALS_H

/** signals_init - count them from now on, and ignore SIGPIPE. Blocking calls return EINTR. */
void signals_init(void);
/** signals_reset - in a forked child before exec: all as it was by default. */
void signals_reset(void);
/** signals_count - how many have come. */
int signals_count(void);
/** signals_last - number of the last one, 0: none. */
int signals_last(void);

#endif
