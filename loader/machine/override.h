/* SPDX-License-Identifier: GPL-2.0 */
/* The functions that a script may leave without running them. */
#ifndef LOADER_OVERRIDE_H
#define LOADER_OVERRIDE_H

#include <stdint.h>

struct meta;

#define OVERRIDE_LIST "/sys/kernel/debug/error_injection/list"

/** override_check - refuse the sites of probes that override functions where the function is not on
 *  the kernel's list of those whose callers expect that they fail
 *  @path:      the list, as OVERRIDE_LIST has it
 *  @addresses: one a site of @m; those of members of wildcards that are not on it become 0
 *  @namesakes: one a site: how many functions of its name there are
 * Says an error for each named site (at most ten), one warning with a count for the members of
 * wildcards. 0, or -1 when the session can't go on. */
int override_check(const char *path, const struct meta *m, uint64_t *addresses,
		   const uint32_t *namesakes);

#endif
