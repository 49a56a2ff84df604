/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rows of a snapshot: the text of metrics (metrics/metrics.h) is read, and values are compared
 * with those of the snapshot before.
 */
#ifndef LOADER_MODEL_H
#define LOADER_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/buf.h"

enum { MODEL_BUCKETS = 130 };

struct model_bucket {
	double bound;            /* the values of a bucket are not above it; infinite: the last */
	double count;            /* of this bucket alone */
};

/* A series, or those of one aggregate. */
struct model_row {
	const char *name;        /* without what all names of the script begin with */
	const char *labels;      /* KEY="VALUE",... or "" */
	const char *text;        /* of a string; NULL: it is a number */
	bool is_aggregate;
	double value;            /* a number; of an aggregate, its count */
	double rate;             /* of that, per second; 0 in the first snapshot */
	double sum, min, max;    /* of an aggregate; a sum that is not known is NAN */
	size_t first, nbuckets;  /* in model.buckets */
};

struct model_probe {
	const char *point;
	double hits, rate;       /* hits per second */
	double seconds, load;    /* time in handlers, and its part of one processor */
	double errors, skipped;
};

enum model_sort { MODEL_BY_VALUE, MODEL_BY_RATE, MODEL_BY_NAME, MODEL_SORTS };

struct model {
	struct model_row *rows;
	size_t n;
	struct model_probe *probes; /* by number */
	size_t nprobes;
	struct model_bucket *buckets;
	double lost;             /* groups of output, elements, stacks */
	int64_t taken;           /* ns of the monotonic clock; 0: there was no snapshot */
	struct buf memory;       /* of the strings */
};

/** model_read - replace @m, which is all zero at first, by the snapshot in @text, taken at @now: ns
 * of the monotonic clock. */
void model_read(struct model *m, const struct buf *text, int64_t now);
void model_sort(struct model *m, enum model_sort by);
void model_deinit(struct model *m);

#endif
