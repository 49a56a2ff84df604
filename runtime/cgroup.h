/* SPDX-License-Identifier: GPL-2.0 */
/* The control group that the hits of the session are limited to. */
#ifndef PRT_CGROUP_H
#define PRT_CGROUP_H

/* PRT_IOC_CGROUP: keeps the control group of the directory @fd until prt_cgroup_free(). -errno as
 * there. Process context, before the session's start. */
int prt_cgroup_set(int fd);
/* When nothing is armed any more. Process context. */
void prt_cgroup_free(void);

#endif
