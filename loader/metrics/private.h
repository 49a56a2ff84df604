/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the files of this folder: samples, figures, the server. */
#ifndef LOADER_METRICS_PRIVATE_H
#define LOADER_METRICS_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/text.h"
#include "metrics/metrics.h"
#include "module/meta.h"
#include "show/args.h"
#include "show/tally.h"

/* Time series of one snapshot at most; those that are left out are counted. */
enum { METRICS_SERIES_MAX = 20000 };

/* One metric of the script, with its samples so far. */
struct metric_samples {
	const struct meta_metric *m;
	const struct meta_print *print;
	struct text samples;         /* lines */
	struct text least, most;     /* the lines of NAME_min and NAME_max, of aggregates */
	uint32_t top;                /* histogram: buckets that any sample has had so far */
};

struct snapshot {
	uint32_t n;
	struct metric_samples *metrics;
	uint64_t series, left_out;   /* of the snapshot that is being taken */
	struct text labels;          /* of the sample that is being added */
};

/** sample_add - add a record of family @f. -1: it is damaged. */
int sample_add(struct snapshot *s, struct metric_samples *f, const void *args, size_t len);
/** sample_label - append NAME="VALUE" to a list of labels; @value may be anything. */
void sample_label(struct text *t, const char *name, size_t name_len, const char *value,
		  size_t len);
/** sample_line - add a line: @name and @suffix, the labels, and a value. @more: a label after
 * @labels, or "". */
void sample_line(struct text *t, const char *name, const char *suffix, const struct text *labels,
		 const char *more, const char *value);
/** sample_describe - add the lines that describe a metric. @type: of OpenMetrics. @help may be
 * anything. */
void sample_describe(struct text *t, enum metrics_format format, const char *name,
		     const char *suffix, const char *type, const char *unit, const char *help);

/* The figures of a session that are metrics themselves. */
struct figures {
	const struct meta *m;
	struct tally tally;
	struct prt_status status;
	struct prt_stack_counts stacks;
	uint64_t series, left_out;
};

/** figures_take - read them. -1 after reporting an error. */
int figures_take(struct figures *f, struct device *d, const struct prt_status *st);
void figures_add(struct text *t, enum metrics_format format, const struct figures *f);

/** metrics_listen - listen on [ADDRESS:]PORT. The descriptor, or -1 after reporting an error. */
int metrics_listen(const char *address);
struct server;
/** server_start - serve metrics_get() on @fd, which is owned from now on, in a thread. NULL after
 * reporting an error. */
struct server *server_start(int fd, struct metrics *m);
void server_stop(struct server *s);

#endif
