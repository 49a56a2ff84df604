/* SPDX-License-Identifier: GPL-2.0 */
/* The control group of --cgroup, --container or --pod, to whose tasks the hits of a session are
 * limited. */
#ifndef LOADER_SESSION_CONTROL_GROUP_H
#define LOADER_SESSION_CONTROL_GROUP_H

#include <stdbool.h>

/* The control group by one of its names; the others are NULL. */
struct group_name {
	const char *path;      /* its directory, or its path as /proc/PID/cgroup has it */
	const char *container; /* name or id */
	const char *pod;       /* the same */
};

/**
 * control_group_choose - open the control group that the options name
 * @wanted: whether the module is one whose hits are limited
 * @fd:     set to a descriptor, which the caller closes; unchanged if nothing is named
 *
 * Returns 0, or -1 after reporting E_CGROUP.
 */
int control_group_choose(const struct group_name *n, bool wanted, int *fd);

#endif
