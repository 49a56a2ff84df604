/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the files of this folder: samples, figures, the server. */
#ifndef LOADER_METRICS_PRIVATE_H
#define LOADER_METRICS_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include "metrics/buckets.h"
#include "metrics/metrics.h"
#include "module/meta.h"
#include "shared/buf.h"
#include "show/args.h"
#include "show/tally.h"

/* Time series of one snapshot at most; those that are left out are counted. */
enum { METRICS_SERIES_MAX = 20000 };

/* The formats of a request for a collector, beside those of metrics.h. */
enum { METRICS_OTLP = METRICS_FORMATS, METRICS_OTLP_JSON };
enum {
	METRICS_TEXT_BITS = 1 << METRICS_PROMETHEUS | 1 << METRICS_OPENMETRICS,
	METRICS_OTLP_BITS = 1 << METRICS_OTLP | 1 << METRICS_OTLP_JSON,
};
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

/* The samples of a metric in one format, and the gauges NAME_min and NAME_max of aggregates. */
struct sample_lists {
	struct buf values, least, most;
};

/* One metric of the script, with its samples so far. */
struct metric_samples {
	const struct meta_metric *m;
	const struct meta_print *print;
	struct sample_lists text;    /* lines */
	struct sample_lists protobuf;
	struct buf points;           /* for OTLP */
	bool points_fine;            /* they are exponential histograms */
	uint32_t top;                /* histogram: buckets that any sample has had so far */
};

struct snapshot {
	uint32_t n;
	struct metric_samples *metrics;
	uint64_t series, left_out;   /* of the snapshot that is being taken */
	unsigned formats;            /* bits of those in which samples are made; one of OTLP */
	bool explicit_bounds;        /* OTLP has no exponential histograms */
	struct otlp_times times;
	struct buf labels;           /* of the sample that is being added */
	struct buckets buckets;      /* likewise */
	struct fine fine;            /* likewise */
};

/** sample_add - add a record of family @f. -1: it is damaged. */
int sample_add(struct snapshot *s, struct metric_samples *f, const void *args, size_t len);
/** sample_label - append NAME="VALUE" to a list of labels; @value may be anything. */
void sample_label(struct buf *t, const char *name, size_t name_len, const char *value,
		  size_t len);
/** sample_labels - make the list of labels of @v by @add, which is sample_label() or the like. */
typedef void sample_add_label(struct buf *t, const char *name, size_t name_len, const char *value,
			      size_t len);
void sample_labels(struct buf *labels, const struct metric_samples *f,
		   const struct metric_sample *v, sample_add_label *add);
/** sample_line - add a line: @name and @suffix, the labels, and a value. @more: a label after
 * @labels, or "". */
void sample_line(struct buf *t, const char *name, const char *suffix, const struct buf *labels,
		 const char *more, const char *value);
/** sample_describe - add the lines that describe a metric. @type: of OpenMetrics. @help may be
 * anything. */
void sample_describe(struct buf *t, enum metrics_format format, const char *name,
		     const char *suffix, const char *type, const char *unit, const char *help);

/* A metric whose values are numbers. */
struct metric_family {
	const char *name, *type, *unit, *help; /* as in records.h */
};

/* A text that metrics are added to, whose messages of protocol buffers may be open. */
struct metrics_page {
	struct buf *text;
	int format;                  /* enum metrics_format, or one of OTLP */
	struct otlp_times times;
	size_t open[8];
	unsigned depth;
};

/** family_open, family_value, family_close - add a metric and its values. @labels: made by
 * family_label(), which adds one. @number: an integer, or one with decimals. */
void family_open(struct metrics_page *p, const struct metric_family *f);
void family_value(struct metrics_page *p, const struct metric_family *f,
		  const struct buf *labels, const char *number);
void family_close(struct metrics_page *p);
void family_label(const struct metrics_page *p, struct buf *labels, const char *name,
		  const char *value);

/** exposition_open, exposition_close - begin and end a metric in the format of protocol buffers;
 * samples are added between them. @suffix: of the name, beside that of the type. */
void exposition_open(struct metrics_page *p, const struct metric_family *f, const char *suffix);
void exposition_close(struct metrics_page *p);
/** exposition_label - append a label to a list; @value may be anything. */
void exposition_label(struct buf *t, const char *name, size_t name_len, const char *value,
		      size_t len);
/** exposition_number - add a sample that is a number. @type: as in struct metric_family. */
void exposition_number(struct buf *t, const char *type, const struct buf *labels, double v);
/** exposition_add - add a sample to @f. @labels: room for its labels. @b: its histogram, or NULL.
 * @fine: the same with finer buckets, or NULL. */
void exposition_add(struct buf *labels, struct metric_samples *f, const struct metric_sample *v,
		    const struct buckets *b, const struct fine *fine);

/** otlp_open, otlp_close - begin and end a request; metrics are added between them. */
void otlp_open(struct metrics_page *p, const struct meta *m);
void otlp_close(struct metrics_page *p);
/** otlp_open_logs, otlp_open_spans - the same for requests with records of logs, and with spans. */
void otlp_open_logs(struct metrics_page *p, const struct meta *m);
void otlp_open_spans(struct metrics_page *p, const struct meta *m);
/** otlp_attribute, otlp_number_attribute - add an attribute to the list of which @number is the
 * field. */
void otlp_attribute(struct metrics_page *p, unsigned number, const char *name, size_t name_len,
		    const char *value, size_t len);
void otlp_number_attribute(struct metrics_page *p, unsigned number, const char *name, size_t len,
			   int64_t value);
/** otlp_open_metric, otlp_close_metric - begin and end a metric; points are added between them.
 * The type "exponential" is that of points with a struct fine. */
void otlp_open_metric(struct metrics_page *p, const struct metric_family *f);
void otlp_close_metric(struct metrics_page *p);
/** otlp_number - add a point that is a number. @attributes: made by otlp_label(), which adds
 * one. */
void otlp_number(struct metrics_page *p, const struct buf *attributes, const char *number);
void otlp_label(const struct metrics_page *p, struct buf *attributes, const char *name,
		const char *value);
/** otlp_add - add a sample to the points of @f. @b, @fine: as above. */
void otlp_add(const struct snapshot *s, struct metric_samples *f, const struct metric_sample *v,
	      const struct buckets *b, const struct fine *fine);

/* How the environment wants requests to be. */
struct otlp_settings {
	int format;            /* METRICS_OTLP or METRICS_OTLP_JSON */
	bool explicit_bounds;  /* as in struct snapshot */
};

/** otlp_format - METRICS_OTLP or METRICS_OTLP_JSON, as the variable @special says, or else the one
 * for all. -1 after reporting an error. */
int otlp_format(const char *special);
/** otlp_settings_read - from the variables of OpenTelemetry. -1 after reporting an error. */
int otlp_settings_read(struct otlp_settings *o);

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
void figures_add(struct metrics_page *p, const struct figures *f);

/** snapshot_write - write a snapshot in @format into @t, which is empty. */
void snapshot_write(struct buf *t, int format, const struct snapshot *s,
		    const struct figures *f);
/** snapshot_start - forget all samples. */
void snapshot_start(struct snapshot *s);
void snapshot_deinit(struct snapshot *s);

/** accept_format - the format that a client wants most, by its header Accept, or NULL. */
enum metrics_format accept_format(const char *accept);

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
	/* Ask for a text in @format that is made from now on. Its number, never 0. */
	uint64_t (*want)(void *of, enum metrics_format format);
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
/* The things that a sender sends. */
struct sender_kind {
	const char *path;    /* of a collector's URL */
	const char *what;    /* in messages: metrics */
	bool keeps;          /* a newer request does not take the place of one that waits */
};
/** sender_start - begin to send requests in @format to the collector at @url, in a thread. @kind
 * must outlive it. NULL after reporting an error. */
struct sender *sender_start(const char *url, int format, const struct sender_kind *kind);
/** sender_give - send @body, which is empty afterwards; of a kind that does not keep them, in place
 * of one that was not sent yet. @events: in it; those that are not sent are reported at the end. */
void sender_give(struct sender *s, struct buf *body, uint64_t events);
/** sender_report - report that the collector can't be reached, or refuses what is sent, and when it
 * takes it again. NULL is accepted. */
void sender_report(struct sender *s);
/** sender_end - there will be no other request: the seconds that are left begin. NULL is
 * accepted. */
void sender_end(struct sender *s);
/** sender_stop - the same; wait for the last request for these seconds, and end. NULL is
 * accepted. */
void sender_stop(struct sender *s);

#endif
