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

struct prt_ctx;
struct prt_probe;

/* the context of each hit */
extern struct prt_ctx host_ctx;
/* not 0: the script has ended the session */
extern int host_exiting;

/** host_begin - Prepares the context and the globals, before anything else. */
void host_begin(void);
/** host_run - Runs the handler of @p with the registers, entry values and result in host_ctx, and
 *  writes its output. */
void host_run(const struct prt_probe *p);
/** host_run_all - Runs all probes of a kind, such as PRT_BEGIN. */
void host_run_all(unsigned short kind);

#endif
