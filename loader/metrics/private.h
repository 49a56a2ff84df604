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

/* The format of a request for a collector, beside those of metrics.h. */
enum { METRICS_OTLP = METRICS_OPENMETRICS + 1 };
enum { SAMPLE_KEYS = 9 };

/* When the session started, and when the snapshot is taken: ns since 1970. */
struct otlp_times {
	uint64_t start, now;
};

/* A record with the values of one series, or of those of one aggregate. */
struct metric_sample {
	struct arg keys[SAMPLE_KEYS];
	unsigned nkeys;
	bool is_aggregate;
	int64_t count, sum, min, max; /* of an aggregate; the rest is set if count > 0 */
	struct arg value;            /* a number or a string; of an aggregate, H or nothing */
};

/* A histogram: the values up to each bound. */
struct buckets {
	struct { int64_t bound; uint64_t sum; } *v; /* by ascending bound */
	size_t n;
	uint64_t total;
};

/* One metric of the script, with its samples so far. */
struct metric_samples {
	const struct meta_metric *m;
	const struct meta_print *print;
	struct text samples;         /* lines */
	struct text least, most;     /* the lines of NAME_min and NAME_max, of aggregates */
	struct text points;          /* for OTLP */
	uint32_t top;                /* histogram: buckets that any sample has had so far */
};

struct snapshot {
	uint32_t n;
	struct metric_samples *metrics;
	uint64_t series, left_out;   /* of the snapshot that is being taken */
	bool wants_text, wants_otlp; /* the formats of samples */
	struct otlp_times times;
	struct text labels;          /* of the sample that is being added */
	struct buckets buckets;      /* likewise */
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

/* A metric whose values are numbers. */
struct metric_family {
	const char *name, *type, *unit, *help; /* as in records.h */
};

/* A text that metrics are added to. */
struct metrics_page {
	struct text *text;
	int format;                  /* enum metrics_format, or METRICS_OTLP */
	struct otlp_times times;
};

/** family_open, family_value, family_close - add a metric and its values. @labels: made by
 * family_label(), which adds one. @number: an integer, or one with decimals. */
void family_open(const struct metrics_page *p, const struct metric_family *f);
void family_value(const struct metrics_page *p, const struct metric_family *f,
		  const struct text *labels, const char *number);
void family_close(const struct metrics_page *p);
void family_label(const struct metrics_page *p, struct text *labels, const char *name,
		  const char *value);

/** otlp_open, otlp_close - begin and end a request; metrics are added between them. */
void otlp_open(struct text *t, const struct meta *m);
void otlp_close(struct text *t);
/** otlp_open_metric, otlp_close_metric - begin and end a metric; points are added between them. */
void otlp_open_metric(struct text *t, const struct metric_family *f);
void otlp_close_metric(struct text *t);
/** otlp_number - add a point that is a number. @attributes: made by otlp_attribute(). */
void otlp_number(struct text *t, const struct otlp_times *times, const struct text *attributes,
		 const char *number);
/** otlp_attribute - append an attribute to a list. */
void otlp_attribute(struct text *t, const char *name, size_t name_len, const char *value,
		    size_t len);
/** otlp_add - add a sample to the points of @f. @b: its histogram, or NULL. */
void otlp_add(struct metric_samples *f, const struct otlp_times *times,
	      const struct metric_sample *v, const struct buckets *b);

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
void figures_add(const struct metrics_page *p, const struct figures *f);

/** metrics_listen - listen on [ADDRESS:]PORT. The descriptor, or -1 after reporting an error. */
int metrics_listen(const char *address);
/** secret_read - read @file, whose name @option gave, as a string in @ret, to be freed: it is not
 * empty, and only its owner and group may read it. -1 after reporting an error. */
int secret_read(const char *option, const char *file, char **ret);
/** secret_read_token - the same for a token: one word, the first line of the file. */
int secret_read_token(const char *option, const char *file, char **ret);

/* The texts of the server, and its clients. Its thread calls these functions, which don't wait. */
struct server_source {
	const char *token; /* only to requests with it; NULL: to all. The caller's until the end */
	const char *pem;   /* over TLS with the certificate and key in it, or NULL; likewise */
	void *of; /* passed to them */
	/* Ask for a text that is made from now on. Its number, never 0. */
	uint64_t (*want)(void *of);
	/* Store the text in @ret, to be freed with free(). 0; -EAGAIN: it has not been made yet,
	 * server_made() follows; -ENODATA: the session is starting or has ended; -ENOMEM. */
	int (*take)(void *of, uint64_t number, enum metrics_format format, char **ret,
		    size_t *len);
};

struct server;
/** server_start - serve the texts of @source on @fd, which is owned from now on, in a thread. NULL
 * after reporting an error. */
struct server *server_start(int fd, const struct server_source *source);
/** server_made - a text was made, or there will be none; any thread may call it. NULL is
 * accepted. */
void server_made(struct server *s);
/** server_stop - answer those that wait, end the thread, and free everything. NULL is accepted. */
void server_stop(struct server *s);

struct sender;
/** sender_start - begin to send requests to the collector at @url, in a thread. NULL after
 * reporting an error. */
struct sender *sender_start(const char *url);
/** sender_give - send @body, which is empty afterwards, in place of one that was not sent yet. */
void sender_give(struct sender *s, struct text *body);
/** sender_report - report that the collector can't be reached, or refuses what is sent, and when it
 * takes it again. NULL is accepted. */
void sender_report(struct sender *s);
/** sender_stop - wait for the last request for a few seconds, and end. NULL is accepted. */
void sender_stop(struct sender *s);

#endif
