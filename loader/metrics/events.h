/* SPDX-License-Identifier: GPL-2.0 */
/*
 * --otlp-events: what a session prints, for a collector of OpenTelemetry (opentelemetry-proto,
 * logs/v1/logs.proto and trace/v1/trace.proto, which have the names and numbers of the fields).
 *
 *   a print, a global that is shown   a record of a log, with its text and its arguments
 *   trace_begin() and trace_end()     a span of the thread
 *   trace_context()                   the parent of the thread's next outermost span
 *
 * Spans of a thread are nested as those of --format=perfetto are. A record belongs to the innermost
 * span of its thread that is open, if the print shows pid() and tid().
 */
#ifndef LOADER_METRICS_EVENTS_H
#define LOADER_METRICS_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "show/args.h"

struct buf;
struct events;
struct meta;
struct meta_print;
struct show_hit;

/** events_start - send to the collector at @url from now on, in threads. @m must outlive it. @ret:
 * NULL if there is no URL. 0, or -1 after reporting an error. */
int events_start(const char *url, const struct meta *m, struct events **ret);
/** events_add - show.h's also(): take a record of @p, whose text is @text; stacks in @args are
 * strings. Returns false if the arguments do not fit. */
bool events_add(void *events, const struct show_hit *hit, const struct meta_print *p,
		struct args args, const struct buf *text);
/** events_turn - in each turn of the pump: send what has been collected for a while. @now: ns of
 * the monotonic clock. NULL is accepted. */
void events_turn(struct events *e, int64_t now);
/** events_stop - end the open spans, send the rest, for which a few seconds are left, and free
 * everything. NULL is accepted. */
void events_stop(struct events *e);

#endif
