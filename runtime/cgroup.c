/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The control group that the hits of the session are limited to. The session holds a reference: the
 * memory of a group that is removed meanwhile is not that of another one.
 *
 * A task's set of groups changes only by its migration, which replaces the pointer and frees the
 * old set after an RCU grace period. A hit has interrupts off, so it keeps what it reads; where RCU
 * is not watching, in the idle loop, there are only tasks that never migrate.
 */
#include "cgroup.h"

#include <linux/cgroup.h>
#include <linux/err.h>
#include <linux/kprobes.h>
#include <linux/sched.h>

#include "abi/script.h"

#ifdef CONFIG_CGROUPS

static struct cgroup *limit;

int prt_cgroup_set(int fd)
{
	struct cgroup *group;

	if (limit)
		return -EBUSY;
	group = cgroup_get_from_fd(fd);
	if (IS_ERR(group))
		return PTR_ERR(group);
	limit = group;
	return 0;
}

void prt_cgroup_free(void)
{
	if (limit)
		cgroup_put(limit);
	limit = NULL;
}

s64 prt_in_cgroup(struct prt_ctx *c)
{
	return limit && cgroup_is_descendant(rcu_dereference_raw(current->cgroups)->dfl_cgrp,
					     limit);
}

#else

int prt_cgroup_set(int fd)
{
	return -EOPNOTSUPP;
}

void prt_cgroup_free(void)
{
}

s64 prt_in_cgroup(struct prt_ctx *c)
{
	return 0;
}

#endif
NOKPROBE_SYMBOL(prt_in_cgroup);
