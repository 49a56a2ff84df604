/* SPDX-License-Identifier: GPL-2.0 */
/* Live patches: functions of the kernel that others take the place of. */
#ifndef LOADER_LIVE_PATCHES_H
#define LOADER_LIVE_PATCHES_H

#include <stdint.h>

struct meta;

#define LIVE_PATCHES "/sys/kernel/livepatch"

/**
 * live_patches_warn - warn of sites within functions that a live patch replaces, which are never
 * reached. Sites at the beginning of such a function are, so that its entry and its return are hit,
 * with the values of the function that runs.
 *
 * @path:      the folder of the kernel's live patches, normally LIVE_PATCHES; it may be missing
 * @addresses: one for each site of @m; 0: it will not be armed
 *
 * Gives one warning for each replaced function.
 */
void live_patches_warn(const char *path, const struct meta *m, const uint64_t *addresses);

#endif
