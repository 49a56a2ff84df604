/* SPDX-License-Identifier: GPL-2.0 */
/* The clock for all durations and deadlines. */
#ifndef LOADER_MONOTONIC_H
#define LOADER_MONOTONIC_H

#include <stdint.h>

/** monotonic_ns - ns since a fixed moment before the start. Signal handlers may call it. */
int64_t monotonic_ns(void);

#endif
