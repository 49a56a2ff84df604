/* SPDX-License-Identifier: GPL-2.0 */
/* --merge: the globals of all hosts as one. */
#ifndef REMOTE_MERGE_H
#define REMOTE_MERGE_H

#include "base/map.h"
#include "base/vec.h"
#include "saved/run.h"

struct screen;
struct host_output;

/* A bucket of an exponential histogram, of PRT_EXP_BUCKETS: hist.h. */
struct merge_bucket {
	unsigned number;
	uint64_t count;
};

/* A number, the parts of an aggregate, or texts, which are not merged. */
enum merge_kind { MERGE_NUMBER, MERGE_STATS, MERGE_TEXT };

/* A scalar, or an element of an array, of all hosts. */
struct merge_sum {
	enum merge_kind kind;
	const char *keys, *hex;      /* as JSON; hex is NULL if all keys are UTF-8 */
	__int128 value, count, sum, min, max;
	bool has_histogram;
	VEC(struct merge_bucket) buckets; /* by number; those that have values */
	const char *host, *text;     /* MERGE_TEXT: of one host, quoted and as JSON */
	const char *json;
};

struct merge_global {
	const char *name;
	VEC(struct merge_sum *) sums;
};

struct merge {
	struct arena *a;
	struct map names, sums;      /* name -> struct merge_global; id -> struct merge_sum */
	size_t hosts;                /* that count */
	size_t held;                 /* bytes of the globals of hosts whose sessions go on */
	size_t used;                 /* bytes at most of all sums */
	int64_t columns, margin;     /* of histograms: HIST_WIDTH, HIST_ELISION */
	const char *percentiles;     /* of histograms, "50,99.9"; or NULL */
};

/** merge_open - caller's memory. */
void merge_open(struct merge *m, struct arena *a);
/** merge_line - take an object that a session wrote: globals are stored until its summary, the rest
 *  is shown as the format of @to requires. */
void merge_line(struct screen *to, struct host_output *l, const char *host, const char *line,
		size_t len);
/** merge_drop - forget the globals of a host whose session has not ended, if there are any. */
void merge_drop(struct merge *m, struct host_output *l);
/** merge_show - show the globals of all sessions that have ended, merged; most of them are written
 *  when it returns. */
void merge_show(struct screen *to);

/** merge_text, merge_json (merge_show.c) - append one global. */
void merge_text(struct screen *to, const struct merge_global *g);
void merge_json(struct screen *to, const struct merge_global *g);

#endif
