/* SPDX-License-Identifier: GPL-2.0 */
/* The control group of --cgroup, to whose tasks the hits of a session are limited. */
#ifndef LOADER_SESSION_CONTROL_GROUP_H
#define LOADER_SESSION_CONTROL_GROUP_H

/**
 * control_group_open - open the directory of a control group of version 2
 * @path: the directory, or the path of the group as /proc/PID/cgroup has it
 *
 * Returns a descriptor, which the caller closes, or -1 after reporting E_CGROUP.
 */
int control_group_open(const char *path);

#endif
