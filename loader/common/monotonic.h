/* SPDX-License-Identifier: GPL-2.0 */
/* The clock of everything that takes its time. */
#ifndef LOADER_MONOTONIC_H
#define LOADER_MONOTONIC_H

#include <stdint.h>

/** monotonic_ns - ns since some moment before the start; also for signal handlers. */
int64_t monotonic_ns(void);

#endif
