/* SPDX-License-Identifier: GPL-2.0 */
/* The functions that a script may override. */
#ifndef LOADER_OVERRIDE_H
#define LOADER_OVERRIDE_H

#include <stdint.h>

struct meta;

#define OVERRIDE_LIST "/sys/kernel/debug/error_injection/list"

/**
 * override_check - refuse the sites of probes that override functions unless the function is on
 * the kernel's list of those whose callers expect them to fail
 *
 * @path:      the list, normally OVERRIDE_LIST
 * @addresses: one for each site of @m; those of matches of wildcards that are not listed become 0
 * @namesakes: one for each site: the number of functions with its name
 *
 * Reports an error for each named site (at most ten), and one warning with a count for matches of
 * wildcards. Returns 0, or -1 if the session cannot continue.
 */
int override_check(const char *path, const struct meta *m, uint64_t *addresses,
		   const uint32_t *namesakes);

#endif
