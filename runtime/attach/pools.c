/* SPDX-License-Identifier: GPL-2.0 */
/* pools.h describes these pools. */
#include <linux/cpumask.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "attach.h"
#include "compat/kernel.h"
#include "compat/rethook.h"
#include "compat/slab.h"
#include "memory.h"
#include "pools.h"
#include "returns.h"

static LIST_HEAD(growing);               /* under prt_attach_lock, like the following */
static u32 ngrowing;

/* ---- how many ---- */

static u32 instance_bytes(size_t data_size)
{
	return prt_compat_kmalloc_size(data_size + sizeof(struct kretprobe_instance)) +
	       prt_compat_ring_bytes();
}

u64 prt_pools_least(u32 bytes)
{
	return PRT_POOL_MIN *
	       (u64)instance_bytes(bytes + PRT_COMPAT_POOL_MARKS * sizeof(u64));
}

/* The instances of @size that count as taken: prt_returns_limited(). */
static u32 taken_of(u32 size)
{
	u32 least = prt_returns_limited() ? PRT_POOL_MIN : 0;

	return size > least ? size - least : 0;
}

/* The most instances for which the script may ask. */
static u64 most_asked(u32 bytes, u32 n)
{
	u64 ram = (u64)totalram_pages() * PAGE_SIZE / PRT_POOL_SHARE;
	u64 most = min_t(u64, ram / ((u64)n * bytes), INT_MAX / 2);

	return prt_returns_limited() ? min(most, PRT_POOL_MIN + prt_returns_room() / bytes) : most;
}

s64 prt_pools_size(const struct prt_point *p, size_t data_size, u32 n, bool *own)
{
	u32 bytes = instance_bytes(data_size), i;
	s64 asked = 0, size;
	bool all = true;
	u64 most;

	for (i = 0; i < p->n; i++) {
		asked = max(asked, prt_script.probes[p->pairs[i].probe].maxactive);
		all &= prt_script.probes[p->pairs[i].probe].maxactive > 0;
	}
	*own = all;
	if (all)
		return asked <= most_asked(bytes, n) ? asked : 0;
	size = (s64)prt_session.setup.threads + 2 * num_online_cpus() + PRT_POOL_MARGIN;
	most = prt_returns_share(n) / bytes + (prt_returns_limited() ? PRT_POOL_MIN : 0);
	return max_t(s64, min_t(u64, size, most), PRT_POOL_MIN);
}

/* ---- growth ---- */

static void grow_pool(struct prt_pools *pools)
{
	const struct prt_pool *first = &pools->first;
	u32 bytes = instance_bytes(first->rp.data_size);
	u64 size = min_t(u64, (u64)pools->size * PRT_POOL_TIMES, prt_returns_room() / bytes);
	struct prt_pool *pool = NULL;

	if (size >= PRT_POOL_MIN)
		pool = prt_alloc(1, sizeof(*pool), NUMA_NO_NODE);
	if (pool) {
		*pool = (struct prt_pool){
			.point = first->point,
			.rp = {
				.kp.addr = (kprobe_opcode_t *)panic,
				.kp.flags = KPROBE_FLAG_DISABLED,
				.handler = first->rp.handler,
				.entry_handler = first->rp.entry_handler,
				.data_size = first->rp.data_size, .maxactive = size,
			},
		};
		if (prt_register(register_kretprobe(&pool->rp))) {
			kvfree(pool);
			pool = NULL;
		} else {
			prt_compat_pool_unmark(&pool->rp);
		}
	}
	if (!pool) {
		pools->limited = true;
		list_del_init(&pools->growing);
		ngrowing--;
		return;
	}
	pool->older = prt_pools_newest(pools);
	/* Hits read the pool by way of this address, without an acquire. */
	smp_store_release(&pools->head.newest, (void *)&pool->rp.kp);
	prt_returns_take(size * bytes);
	WRITE_ONCE(pools->size, pools->size + size);
	WRITE_ONCE(pools->grown, pools->grown + 1);
}

static void watch(struct work_struct *work);
static DECLARE_DELAYED_WORK(watch_work, watch);

static void watch_later(void)
{
	u32 ms = PRT_POOL_WATCH_MS + ngrowing / PRT_POOL_WATCH_MANY;

	if (ngrowing)
		queue_delayed_work(system_unbound_wq, &watch_work, msecs_to_jiffies(ms));
}

static void watch(struct work_struct *work)
{
	struct prt_pools *pools, *next;

	mutex_lock(&prt_attach_lock);
	list_for_each_entry_safe(pools, next, &growing, growing) {
		const struct prt_pool *pool = prt_pools_newest(pools);
		u32 marked = atomic_read(&pool->marked);

		if (max(marked, prt_compat_pool_used(&pool->rp, marked)) * 2 >=
		    (u32)pool->rp.maxactive)
			grow_pool(pools);
	}
	watch_later();
	mutex_unlock(&prt_attach_lock);
}

/* ---- from the first to the last ---- */

void prt_pools_init(struct prt_pools *pools, u32 size)
{
	pools->size = size;
	pools->head.newest = &pools->first.rp.kp;
	INIT_LIST_HEAD(&pools->growing);
}

void prt_pools_begin(struct prt_pools *pools, bool may_grow)
{
	prt_returns_take((u64)taken_of(pools->size) *
			 instance_bytes(pools->first.rp.data_size));
	if (!may_grow)
		return;
	list_add(&pools->growing, &growing);
	ngrowing++;
	watch_later();
}

/* Frees the pools that were added to the first one. */
static void drop_pools(struct prt_pools *pools)
{
	struct prt_pool *pool = prt_pools_newest(pools), *older;

	for (; pool != &pools->first; pool = older) {
		older = pool->older;
		unregister_kretprobe(&pool->rp);
		kvfree(pool);
	}
	pools->head.newest = &pools->first.rp.kp;
}

void prt_pools_drop(struct prt_pools *pools)
{
	if (!list_empty(&pools->growing)) {
		list_del_init(&pools->growing);
		ngrowing--;
	}
	prt_returns_take(-(s64)taken_of(pools->size) *
			 instance_bytes(pools->first.rp.data_size));
	drop_pools(pools);
}

void prt_pools_settle(void)
{
	cancel_delayed_work_sync(&watch_work);
}
