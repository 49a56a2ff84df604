/* SPDX-License-Identifier: GPL-2.0 */
/* The clock for all durations and deadlines. */
#include "common/monotonic.h"

#include <time.h>

int64_t monotonic_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}
