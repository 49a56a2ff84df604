/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's list of functions that must not be probed. */
#ifndef LOADER_BLACKLIST_H
#define LOADER_BLACKLIST_H

#include <stdint.h>

struct meta;

#define BLACKLIST_KPROBES "/sys/kernel/debug/kprobes/blacklist"

/** blacklist_apply - refuse the sites of the kernel itself that lie in a function of the list
 *  @path: the list, as BLACKLIST_KPROBES has it; one that can't be read is an empty one
 *  @addresses: one a site of @m; those of members of wildcards become 0
 *  @said: the warning was given before
 * Says an error for each named site (at most ten), one warning with a count for the members of
 * wildcards. 0, or -1 when the session can't go on. */
int blacklist_apply(const char *path, const struct meta *m, uint64_t *addresses,
		    int said);

#endif
