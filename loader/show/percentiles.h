/* SPDX-License-Identifier: GPL-2.0 */
/* --percentiles: quantiles that are added to every printed histogram. */
#ifndef LOADER_PERCENTILES_H
#define LOADER_PERCENTILES_H

#include <stdbool.h>

#include "quantile.h"

#include "shared/buf.h"
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

/** percentiles_parse - parse "50,90,99.9": each from 0 to 100 with up to three decimals; @ret
 * refers to @s. -1: invalid. */
int percentiles_parse(const char *s, struct percentiles *ret);
/** percentiles_get - the quantile of the H argument @hist; @millis: thousandths of a percent.
 * False: the histogram is empty. */
bool percentiles_get(const struct arg *hist, unsigned millis, struct prt_quantile *ret);
/** percentiles_row - return a row of text for the histogram: "p50=4 p99=64", nothing for an empty
 * one. ">=": the value is in the first or last bucket of a linear histogram, which are open at one
 * end. */
void percentiles_row(const struct percentiles *p, const struct arg *hist, struct buf *t);

#endif
