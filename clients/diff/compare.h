/* SPDX-License-Identifier: GPL-2.0 */
/* The differences between two saved runs. */
#ifndef DIFF_COMPARE_H
#define DIFF_COMPARE_H

#include "saved/run.h"

enum diff_order { DIFF_ABSOLUTE, DIFF_RELATIVE, DIFF_NAME };

/* A number or a text of an element; SAVED_NONE if a run does not have it. */
struct diff_row {
	const struct saved_element *e; /* of a run that has it */
	const char *part;
	struct saved_item a, b;
};

struct diff_bucket {
	struct saved_bucket bounds; /* count is not used */
	uint64_t a, b;
};

struct diff_histogram {
	const struct saved_element *e;
	VEC(struct diff_bucket) buckets;
	uint64_t moved; /* the sum of the buckets' changes without their signs */
};

struct diff {
	VEC(struct diff_row) rows;
	VEC(struct diff_histogram) histograms;
	VEC(const char *) notes; /* why the comparison may be doubtful */
	bool different;
	size_t compared;         /* number of elements that both runs have */
};

/** diff_compare - find all differences, and with @all also what is equal, in the given order. The
 *  result is owned by @a. */
void diff_compare(struct arena *a, const struct saved_run *runs, enum diff_order order, bool all,
		  struct diff *ret);
/** diff_change - b - a; 0 if one is a text. A missing number counts as 0. */
__int128 diff_change(const struct diff_row *row);
/** diff_percent - @change as a percentage of @a; infinite if @a is 0 and @change is not. */
double diff_percent(__int128 a, __int128 change);

#endif
