/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A session as a trace for ui.perfetto.dev and its trace_processor: a JSON array of events in the
 * trace event format, one event a line.
 *
 *   a print                        instant event i, named after the first line of its text
 *   trace_begin(), trace_end()     B and E on the thread; their prints are recognised by their
 *                                  formats, which are those of tapsets/timeline.kp
 *   trace_counter()                counter event C
 *   a global that is shown         counter event C; an instant event if nothing in it is a number
 *
 * Times are microseconds since the first event. A record has no thread. An event belongs to the
 * thread whose pid() and tid() its print shows, and otherwise to a track of its probe. Each B gets
 * its E, and each E its B, on the same track: a span that is open when one around it ends, or when
 * the session ends, ends there, and the end of a span that did not begin is an instant event.
 */
#ifndef LOADER_PERFETTO_H
#define LOADER_PERFETTO_H

#include <stdbool.h>

#include "show/args.h"

struct meta_print;
struct output;
struct perfetto;
struct show_hit;
struct buf;

/** perfetto_create - a trace that goes to @out, which must outlive it. @script names the process
 * that tracks of probes belong to. */
struct perfetto *perfetto_create(struct output *out, const char *script);
/** perfetto_print - write the event of one record of @p, whose text is @text. Stacks in @args are
 * strings. Times must not decrease. Returns false if the arguments do not fit. */
bool perfetto_print(struct perfetto *t, const struct show_hit *hit, const struct meta_print *p,
		    struct args args, const struct buf *text);
/** perfetto_finish - end the open spans and the array; nothing may follow. */
void perfetto_finish(struct perfetto *t);
/** perfetto_destroy - free; NULL is accepted. */
void perfetto_destroy(struct perfetto *t);

#endif
