/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel modules that sites are in: whether they are loaded and of the right build, and what
 * happens to their sites when they are loaded and removed. */
#ifndef LOADER_MODULES_H
#define LOADER_MODULES_H

#include <stdint.h>

struct device;
struct meta;
struct prt_site_status;
struct prt_status;

/** modules_check - refuse a loaded module of another build than the one the script was compiled
 * for. Returns 0, or -1 after reporting the error. */
int modules_check(const struct meta *m);
/** modules_waiting - report which sites wait for a module: one warning for each module. @addresses:
 * of the sites, 0: absent. Optional sites are not counted. */
void modules_waiting(const struct meta *m, const uint64_t *addresses);

/* The last known states of the sites, while the session runs. */
struct modules {
	struct prt_site_status *status; /* one for each site; NULL: no site is in a module */
	uint32_t armed, failed, absent; /* the counts at the last reading */
};

/** modules_turn - check whether sites of modules were armed or disarmed since the last turn.
 * Reports sites that could not be armed as a warning, others under -v. */
void modules_turn(struct modules *s, struct device *d, const struct meta *m,
		  const struct prt_status *st);
/** modules_deinit - accepts one that is all zero. */
void modules_deinit(struct modules *s);

#endif
