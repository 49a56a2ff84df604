/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The pools of instances from which a kretprobe takes those for calls.
 *
 * `.maxactive(N)` is one pool of N. Otherwise the first pool has an instance for every thread of
 * the system and a margin. A work item checks every few milliseconds how many are in use; before
 * half of them are, it puts a second pool of three times the size before the first, and so on.
 * Calls take from the newest pool and, when it is used up, from the older ones, and give the
 * instance back to the pool that it came from. So no call is missed or seen twice while pools grow.
 * A further pool belongs to a kretprobe that is never armed, at a function that is never called.
 * All pools together stay within PRT_POOL_BUDGET.
 *
 * Functions are for process context with prt_attach_lock held, if nothing else is said.
 */
#ifndef PRT_POOLS_H
#define PRT_POOLS_H

#include <linux/kprobes.h>
#include <linux/list.h>

#include "abi/call.h"
#include "attach.h"
#include "compat/kernel.h"
#include "compat/kprobes.h"
#include "compat/rethook.h"

struct prt_pool {
	struct kretprobe rp;
	const struct prt_point *point;
	struct prt_pool *older;
	struct prt_compat_faults faults;
	atomic_t marked;            /* the most that were seen in use at once */
	u32 lows;                   /* hits at which few were left; not exact */
};

/* The pools of one function. */
struct prt_pools {
	struct prt_call_head head;
	struct prt_pool first;      /* its kretprobe is armed, by others; follows `head` */
	struct list_head growing;   /* list of growing pools; empty: this one does not grow */
	u32 size, grown;            /* instances in all */
	bool limited;
};

/* Any context. The acquire is for the members of a pool that was added. */
static __always_inline struct prt_pool *prt_pools_newest(const struct prt_pools *pools)
{
	return container_of(smp_load_acquire(&pools->head.newest), struct prt_pool, rp.kp);
}

/* Any context. */
static __always_inline struct prt_pool *prt_pool_of(struct kretprobe_instance *ri)
{
	return container_of(prt_compat_kretprobe(ri), struct prt_pool, rp);
}

/* Bytes of the fewest instances that keep @bytes of values each. Without the lock. */
u64 prt_pools_least(u32 bytes);
/* The instances that @p gets at first if @n points share the budget, each with @data_size bytes;
 * *@own: as its probes ask, each of them. 0: the script asks for more than the machine should give.
 * The kernel allocates them one by one, and would kill for the last one. */
s64 prt_pools_size(const struct prt_point *p, size_t data_size, u32 n, bool *own);
/* Prepares everything but the first pool itself, which has @size instances. */
void prt_pools_init(struct prt_pools *pools, u32 size);
/* The first pool is registered: its instances count as taken, and if it @may_grow, it does from now
 * on. */
void prt_pools_begin(struct prt_pools *pools, bool may_grow);
/* The kretprobe of the first pool is unregistered: frees the other pools. */
void prt_pools_drop(struct prt_pools *pools);
/* Stops the growth of all pools. Before disarming, without the lock. */
void prt_pools_settle(void);

#endif
