/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's blacklist: functions that must not be probed. */
#ifndef LOADER_BLACKLIST_H
#define LOADER_BLACKLIST_H

#include <stdint.h>

struct meta;

#define BLACKLIST_KPROBES "/sys/kernel/debug/kprobes/blacklist"

/**
 * blacklist_apply - refuse the sites of the kernel itself that lie in a function of the blacklist
 *
 * @path:      the list, normally BLACKLIST_KPROBES; an unreadable list counts as empty
 * @addresses: one for each site of @m; those of matches of wildcards become 0
 * @said:      the warning was given before
 *
 * Reports an error for each named site (at most ten), and one warning with a count for matches of
 * wildcards. Returns 0, or -1 if the session cannot continue.
 */
int blacklist_apply(const char *path, const struct meta *m, uint64_t *addresses,
		    int said);

#endif
