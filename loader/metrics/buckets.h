/* SPDX-License-Identifier: GPL-2.0 */
/* The histogram of a sample, with the buckets that monitoring systems have. */
#ifndef LOADER_METRICS_BUCKETS_H
#define LOADER_METRICS_BUCKETS_H

#include <stddef.h>
#include <stdint.h>

#include "show/args.h"

/* Buckets with bounds: the values up to each. All values are integers, so these are exact. */
struct buckets {
	struct { int64_t bound; uint64_t sum; } *v; /* by ascending bound */
	size_t n;
	uint64_t total;
};

/* 16 buckets for a doubling, as runtime/abi/hist.h describes: schema 4 of Prometheus, scale 4 of
 * OpenTelemetry. Number i counts values without their sign above 2^((i - 1) / 16), up to
 * 2^(i / 16), so a power of two is the last value of its bucket. */
enum { FINE_SCALE = 4, FINE_BUCKETS = (63 << FINE_SCALE) + 1 };

struct fine_side {
	uint64_t counts[FINE_BUCKETS];
	unsigned first, past; /* [first, past): those that count something; first == past: none */
};

struct fine {
	struct fine_side negative, positive;
	uint64_t zero;
};

/** buckets_log - the buckets of a logarithmic or exponential histogram from 0, or from the least
 * one, to doubling *@top - 1 at least, which is the greatest that the metric has had: the series of
 * a bucket does not end while the session runs. */
void buckets_log(struct buckets *b, const struct arg *h, uint32_t *top);
/** buckets_log_count - how many buckets_log() makes. */
uint64_t buckets_log_count(const struct arg *h, uint32_t top);
/** buckets_linear - the buckets of a linear one. Without @negative values, a bound below 0 is left
 * out: OpenMetrics allows no sum beside it. */
void buckets_linear(struct buckets *b, const struct arg *h, bool negative);
/** buckets_fine - the buckets of an exponential one. Values of which only the doubling is known are
 * spread evenly over its buckets, each of which never counts less than before. */
void buckets_fine(struct fine *f, const struct arg *h);

#endif
