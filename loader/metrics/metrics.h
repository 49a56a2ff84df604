/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The globals of a running session as metrics, for Prometheus and for collectors of OTLP.
 *
 * A snapshot is what the session's timers print when PRT_IOC_RUN asks for it: the pump passes their
 * records to metrics_record() instead of showing them. A snapshot is taken when a client of the
 * HTTP server wants one, when the file or a request for the collector is due, and, for these, when
 * the probes have been disarmed. The server has a thread of its own, and so has what sends
 * requests.
 */
#ifndef LOADER_METRICS_H
#define LOADER_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "records.h"
#include "shared/buf.h"

struct device;
struct meta;
struct metrics;

/* The formats that a client can ask for: two of text, which differ in the lines that describe a
 * metric, and that of protocol buffers, the only one with native histograms. */
enum metrics_format { METRICS_PROMETHEUS, METRICS_OPENMETRICS, METRICS_PROTOBUF, METRICS_FORMATS };

struct metrics_options {
	const char *address; /* --metrics: [ADDRESS:]PORT, or NULL */
	const char *file;    /* --metrics-file, or NULL */
	const char *token_file, *tls_file; /* --metrics-token, --metrics-tls, or NULL */
	const char *otlp;    /* --otlp: http://... or https://..., or NULL */
	const char *events;  /* --otlp-events: the same; loader/metrics/events.h */
	bool monitor;        /* somebody may want to watch: metrics_ask() */
	unsigned otlp_seconds; /* --otlp-interval; 0: the default */
};

/** metrics_open - listen, and check that the file can be written. @ret: NULL if @o wants no
 * metrics. 0, or -1 after reporting an error. */
int metrics_open(const struct metrics_options *o, const struct meta *m, struct metrics **ret);
/** metrics_begin - before the session starts: ask for the last snapshot. NULL is accepted. -1 after
 * reporting an error. */
int metrics_begin(struct metrics *m, struct device *d);
/** metrics_record - take a record of a print statement. Returns 0 if it is a record for the output
 * and not for metrics, 1 if it was taken, -1 if it is damaged. NULL is accepted. */
int metrics_record(struct metrics *m, uint32_t id, const void *args, size_t len);
/** metrics_turn - in each turn of the pump, after the records: finish a snapshot, and begin the
 * next one if somebody wants it. @now: ns of the monotonic clock. NULL is accepted. */
void metrics_turn(struct metrics *m, const struct prt_status *st, int64_t now);
/** metrics_fd - readable when metrics_turn() has something to do; -1 for NULL. */
int metrics_fd(const struct metrics *m);
/** metrics_waits - a snapshot is being printed: look for its records soon. NULL is accepted. */
bool metrics_waits(const struct metrics *m);
/** metrics_close - end the server's thread and free everything. NULL is accepted. */
void metrics_close(struct metrics *m);

/** metrics_ask - want a snapshot without waiting for it. metrics_made - the number of snapshots so
 * far, and the text of the last one in the older format. Both accept NULL. */
void metrics_ask(struct metrics *m);
uint64_t metrics_made(const struct metrics *m, const struct buf **ret);

#endif
