/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's mechanism below kretprobes.
 *
 * Instances are on a list, from which the last one given back is taken first, or, since "kprobes:
 * kretprobe scalability improvement" (4bbd93455659), in a ring for each processor; Kbuild looks for
 * objpool. The rings know how many instances are free; querying them takes 40 instructions, so only
 * one call in several does (PRT_POOL_LOOKS), which is soon enough while a quarter is left. The list
 * has no such count. But the number of instances that were ever taken from it is the largest number
 * that was in use at once, so each instance is marked when it is taken for the first time.
 *
 * Before "kprobes: Replace rp->free_instance with freelist" (6e426e0fcd20), the list is a struct
 * hlist_head under a lock, and its instances are not cleared when they are made. The pending calls
 * of tasks are in tables that modules do not see (PRT_COMPAT_CALLS is not defined then), so an
 * entry handler has to tell which instance was taken for a call. While a return is handled, the
 * kernel holds a lock of such a table. Some of these kernels take no instance in an NMI; such calls
 * are missed, and counted. Kbuild looks for the list of calls in struct task_struct, which has come
 * at the same time ("kprobes: Remove kretprobe hash", d741bf41d7c7).
 *
 * After each return of a hooked function, kernels with CONFIG_PROVE_RCU check whether RCU may be
 * read (rethook_get_handler()). The functions called for this check can be traced, and a return
 * probe on one of them would recurse until the stack overflows.
 */
#ifndef PRT_COMPAT_RETHOOK_H
#define PRT_COMPAT_RETHOOK_H

#include <linux/cpumask.h>
#include <linux/kprobes.h>
#include <linux/rcupdate.h>

#ifdef PRT_HAVE_OBJPOOL
enum { PRT_COMPAT_POOL_MARKS = 0 };

/* Bytes of an instance in the rings, each of which has room for all, rounded up. */
static inline u32 prt_compat_ring_bytes(void)
{
	return 2 * sizeof(void *) * num_possible_cpus();
}

static __always_inline const struct objpool_head *prt_compat_pool(const struct kretprobe *rp)
{
#ifdef CONFIG_KRETPROBE_ON_RETHOOK
	return &rp->rh->pool;
#else
	return &rp->rph->pool;
#endif
}

/* The number of unused instances in the ring of one processor. */
static __always_inline u32 prt_compat_ring_unused(const struct kretprobe *rp, unsigned int cpu)
{
	const struct objpool_slot *slot = prt_compat_pool(rp)->cpu_slots[cpu];
	u32 head;

	if (!slot)
		return 0;
	head = READ_ONCE(slot->head);
	smp_rmb();
	return READ_ONCE(slot->last) - head;
}

/* At a hit: it is worth asking how many are in use. Preemption off. */
static __always_inline bool prt_compat_pool_low(const struct kretprobe *rp)
{
	return prt_compat_ring_unused(rp, raw_smp_processor_id()) * 4 * num_possible_cpus() <
	       (u32)rp->maxactive;
}

/* Instances of a pool that are in use; @marked were marked. Any context. */
static inline u32 prt_compat_pool_used(const struct kretprobe *rp, u32 marked)
{
	u32 unused = 0;
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		unused += prt_compat_ring_unused(rp, cpu);
	return unused < (u32)rp->maxactive ? rp->maxactive - unused : 0;
}
#else
enum { PRT_COMPAT_POOL_MARKS = 1 };

static inline u32 prt_compat_ring_bytes(void)
{
	return 0;
}

static __always_inline bool prt_compat_pool_low(const struct kretprobe *rp)
{
	return false;
}

/* ... that were in use at once. */
static inline u32 prt_compat_pool_used(const struct kretprobe *rp, u32 marked)
{
	return marked;
}
#endif

/* A task's calls that will return to the kernel's hook: the list, where modules see it, and its
 * element in an instance. */
#ifndef PRT_HAVE_TASK_CALLS
#define PRT_COMPAT_CALL hlist
#elif defined(CONFIG_KRETPROBE_ON_RETHOOK)
#define PRT_COMPAT_CALLS rethooks
#define PRT_COMPAT_CALL node.llist
#else
#define PRT_COMPAT_CALLS kretprobe_instances
#define PRT_COMPAT_CALL llist
#endif

#ifdef PRT_HAVE_TASK_CALLS
static __always_inline struct kretprobe *prt_compat_kretprobe(struct kretprobe_instance *ri)
{
	return get_kretprobe(ri);
}

static inline void prt_compat_pool_unmark(struct kretprobe *rp)
{
}
#else
static __always_inline struct kretprobe *prt_compat_kretprobe(struct kretprobe_instance *ri)
{
	return ri->rp;
}

/* Clears the marks of the instances of @rp, which was registered and is not enabled. Process
 * context. */
static inline void prt_compat_pool_unmark(struct kretprobe *rp)
{
	struct kretprobe_instance *ri;

	hlist_for_each_entry(ri, &rp->free_instances, hlist)
		*(u64 *)ri->data = 0;
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
