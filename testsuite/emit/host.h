/* SPDX-License-Identifier: GPL-2.0 */
/* What the two halves of the stand-in for the runtime share: a session, and its data. */
#ifndef HOST_H
#define HOST_H

/** bug - the emitted C did what it must not. */
void bug(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

/** host_map - an empty array for @g. */
struct prt_map *host_map(const struct prt_global *g);
/* foreach loops that run. */
extern int host_iters_open;

#endif
