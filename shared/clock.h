/* SPDX-License-Identifier: GPL-2.0 */
/* The clock for all durations and deadlines. */
#ifndef SHARED_CLOCK_H
#define SHARED_CLOCK_H

#include <stdint.h>
#include <time.h>

/** clock_ns - ns since a fixed moment before the start. Signal handlers may call it. */
static inline int64_t clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

/** clock_ms - the same in milliseconds. */
static inline double clock_ms(void)
{
	return (double)clock_ns() / 1e6;
}

#endif
