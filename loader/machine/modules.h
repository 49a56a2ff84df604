/* SPDX-License-Identifier: GPL-2.0 */
/* The modules of the kernel that sites are in: which are there, of which build, and what becomes of
 * their sites when they come and go. */
#ifndef LOADER_MODULES_H
#define LOADER_MODULES_H

#include <stdint.h>

struct device;
struct meta;
struct prt_site_status;
struct prt_status;

/** modules_check - refuse a loaded module that is of another build than the script was compiled
 * for. 0, or -1: said. */
int modules_check(const struct meta *m);
/** modules_waiting - say which sites wait for a module: one warning for each module. @addresses: of
 * the sites, 0: not there. Optional sites are not counted. */
void modules_waiting(const struct meta *m, const uint64_t *addresses);

/* The last known states of the sites, while the session runs. */
struct modules {
	struct prt_site_status *status; /* one a site; NULL: no site is in a module */
	uint32_t armed, failed, absent; /* the counts that it was read for */
};

/** modules_turn - see whether sites of modules came or went since the last turn, and say so: what
 * could not be armed as a warning, the rest with -v. */
void modules_turn(struct modules *s, struct device *d, const struct meta *m,
		  const struct prt_status *st);
/** modules_deinit - accepts one that is all zero. */
void modules_deinit(struct modules *s);

#endif
