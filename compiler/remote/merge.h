/* SPDX-License-Identifier: GPL-2.0 */
/* --merge: the globals of all hosts as one. */
#ifndef REMOTE_MERGE_H
#define REMOTE_MERGE_H

#include "base/map.h"
#include "base/vec.h"
#include "diff/saved.h"

struct screen;
struct host_lines;

/* The globals of one host, whose session has ended with a summary. */
struct merge_run {
	const char *host;
	struct saved_run *globals;
};

/* A number, the parts of an aggregate, or texts, which are not merged. */
enum merge_kind { MERGE_NUMBER, MERGE_STATS, MERGE_TEXT };

/* A scalar, or an element of an array, of all hosts. */
struct merge_sum {
	enum merge_kind kind;
	const char *keys, *hex;      /* as JSON; hex is NULL if all keys are UTF-8 */
	__int128 value, count, sum, min, max;
	uint64_t *buckets;           /* PRT_EXP_BUCKETS: hist.h; NULL if it has no histogram */
	const char *host, *text;     /* MERGE_TEXT: of one host, quoted and as JSON */
	const char *json;
};

struct merge_global {
	const char *name;
	VEC(struct merge_sum *) sums;
};

struct merge {
	struct arena *a;
	struct json_tokener *tokener;
	VEC(struct merge_run) runs;
	int64_t columns, margin;     /* of histograms: HIST_WIDTH, HIST_ELISION */
	const char *percentiles;     /* of histograms, "50,99.9"; or NULL */
};

/** merge_open / merge_close - caller's memory. */
void merge_open(struct merge *m, struct arena *a);
void merge_close(struct merge *m);
/** merge_line - take an object that a session wrote: globals are stored until its summary, the rest
 *  is shown as the format of @to requires. */
void merge_line(struct screen *to, struct host_lines *l, const char *host, const char *line,
		size_t len);
/** merge_show - show the globals of all sessions that have ended, merged. */
void merge_show(struct screen *to);

/** merge_text, merge_json (merge_show.c) - append one global. */
void merge_text(struct screen *to, const struct merge_global *g);
void merge_json(struct screen *to, const struct merge_global *g);

#endif
