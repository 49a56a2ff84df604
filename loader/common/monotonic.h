/* SPDX-License-Identifier: GPL-2.0 */
/* The clock for all durations and deadlines. */
#ifndef LOADER_MONOTONIC_H
#define LOADER_MONOTONIC_H

#include <stdint.h>
#include <time.h>

/** monotonic_ns - ns since a fixed moment before the start. Signal handlers may call it. */
static inline int64_t monotonic_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

#endif
