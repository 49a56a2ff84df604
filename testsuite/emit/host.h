/* SPDX-License-Identifier: GPL-2.0 */
/* The session and its data, which both files of the stand-in for the runtime share. */
#ifndef HOST_H
#define HOST_H

/** bug - Ends the test because the emitted C broke a rule. */
void bug(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

/** host_map - Creates an empty array for @g. */
struct prt_map *host_map(const struct prt_global *g);
/* number of foreach loops that are running */
extern int host_iters_open;

#endif
