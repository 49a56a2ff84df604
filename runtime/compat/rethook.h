/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What kretprobes stand on.
 *
 * Instances are kept on a list from which the last one given back is taken first, or in a ring for
 * each processor since "kprobes: kretprobe scalability improvement" (4bbd93455659); Kbuild looks
 * for objpool. The rings know how many are free. The list does not; but the number of instances
 * that were ever taken from it is the most that were ever in use at once, so each is marked when
 * it is taken for the first time.
 *
 * Kernels with CONFIG_PROVE_RCU ask, each time a hooked function has returned, whether RCU may be
 * read (rethook_get_handler()). What they call for it can be traced, and a return probe on it
 * would come back to itself until the stack is gone.
 */
#ifndef PRT_COMPAT_RETHOOK_H
#define PRT_COMPAT_RETHOOK_H

#include <linux/cpumask.h>
#include <linux/kprobes.h>
#include <linux/rcupdate.h>

#ifdef PRT_HAVE_OBJPOOL
enum { PRT_COMPAT_POOL_MARKS = 0 };

/* Instances of a pool that were in use at once, now or once: @marked is how many were marked. */
static inline u32 prt_compat_pool_used(const struct kretprobe *rp, u32 marked)
{
#ifdef CONFIG_KRETPROBE_ON_RETHOOK
	const struct objpool_head *pool = &rp->rh->pool;
#else
	const struct objpool_head *pool = &rp->rph->pool;
#endif
	u32 unused = 0, head;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		const struct objpool_slot *slot = pool->cpu_slots[cpu];

		if (!slot)
			continue;
		head = READ_ONCE(slot->head);
		smp_rmb();
		unused += READ_ONCE(slot->last) - head;
	}
	return unused < (u32)rp->maxactive ? rp->maxactive - unused : 0;
}
#else
enum { PRT_COMPAT_POOL_MARKS = 1 };

static inline u32 prt_compat_pool_used(const struct kretprobe *rp, u32 marked)
{
	return marked;
}
#endif

/* Whether the kernel itself calls the function at @addr for every return. */
static inline bool prt_compat_in_each_return(unsigned long addr)
{
#ifdef CONFIG_PROVE_RCU
	if (addr == (unsigned long)rcu_read_lock_any_held)
		return true;
#ifdef CONFIG_HOTPLUG_CPU
	if (addr == (unsigned long)rcu_lockdep_current_cpu_online)
		return true;
#endif
#endif
	return false;
}

#endif
