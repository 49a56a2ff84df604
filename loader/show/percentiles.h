/* SPDX-License-Identifier: GPL-2.0 */
/* --percentiles: what the session adds to every histogram that is shown. */
#ifndef LOADER_PERCENTILES_H
#define LOADER_PERCENTILES_H

#include "common/text.h"
#include "show/args.h"

enum { PERCENTILES_MAX = 16 };

struct percentiles {
	unsigned n;
	struct percentile {
		unsigned millis;    /* thousandths of a per cent */
		const char *text;   /* as given, @len bytes */
		unsigned len;
	} v[PERCENTILES_MAX];
};

/** percentiles_parse - "50,90,99.9": each from 0 to 100 with up to three decimals; @ret refers to
 * @s. -1: it is none. */
int percentiles_parse(const char *s, struct percentiles *ret);
/** percentiles_bucket - the bucket of the H argument @hist at or below whose end that part of its
 * values lies. False: it counts none. */
int percentiles_bucket(const struct arg *hist, unsigned millis, struct args_bucket *ret);
/** percentiles_row - a row of text for the histogram: "p50=4 p99=64", nothing for an empty one. */
void percentiles_row(const struct percentiles *p, const struct arg *hist, struct text *t);

#endif
