/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A session as a trace in the Common Trace Format 1.8: a directory with the file "metadata", which
 * describes all events, and a file of packets for each processor that has printed something, and
 * one for the session's thread.
 *
 *   a print                        an event named FILE:LINE, after the statement, with its text and
 *                                  its arguments
 *   trace_begin(), trace_end(),    an event of that name, with the function's arguments
 *   trace_counter()
 *   a global that is shown         an event named after the global, with its keys and values
 *
 * Each event has the probe that made it. The clock counts nanoseconds since 1970, so that traces of
 * several machines can be read together. A packet is written at once, and the metadata before any
 * of them: the trace of a session that was killed can be read, too.
 */
#ifndef LOADER_CTF_H
#define LOADER_CTF_H

#include <stdbool.h>
#include <stdint.h>

#include "show/args.h"

struct buf;
struct ctf;
struct meta;
struct meta_print;
struct output;
struct show_hit;

/** ctf_create - begin a trace in the empty directory @dir. @dir and @m must outlive it, and another
 * process may go on with it after a fork. @host: its machine; NULL: this one. Returns 0 with *@ret
 * set, or -errno. */
int ctf_create(int dir, const struct meta *m, const char *host, struct ctf **ret);
/** ctf_print - add the event of one record of @p, whose text is @text. Stacks in @args are strings.
 * Times of a processor must not decrease. Returns false if the arguments do not fit. */
bool ctf_print(struct ctf *t, const struct show_hit *hit, const struct meta_print *p,
	       struct args args, const struct buf *text);
/** ctf_dropped - say how many hits on @cpu (-1: of the session's thread) have lost their output so
 * far, for the next packet, by @time, in ns since 1970. */
void ctf_dropped(struct ctf *t, int cpu, uint64_t hits, uint64_t time);
/** ctf_flush - output's flush(): write the packets that have begun. 0 or -errno. */
int ctf_flush(void *ctf);
/** ctf_destroy - close the files; events that were not flushed are lost. NULL is accepted. */
void ctf_destroy(struct ctf *t);

#endif
