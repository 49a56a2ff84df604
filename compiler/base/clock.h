/* SPDX-License-Identifier: GPL-2.0 */
/* The time since some point in the past, for durations. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <time.h>

/** clock_ms - milliseconds of the monotonic clock. */
static inline double clock_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

#endif
