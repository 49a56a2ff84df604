/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One byte a lock, on a cache line of its own, taken by an exchange, which is a full barrier where
 * it takes the lock, and given back by a release. The locks of a handler are
 * ascending, so two handlers can't wait for each other, and all waiting is bounded. A hit on the
 * CPU where the thread holds locks (from an NMI, or in what the thread's handler calls) gives up
 * at once; one that came inside another hit never gets here.
 *
 * The thread holds locks with interrupts off, so it can't be preempted, and so does the work item
 * that lets arrays grow. While no hot handler can
 * run (prt_session.quiet) it needs none, may sleep, and its output is not bounded by the staging
 * buffer.
 */
#include <linux/cache.h>
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "clock.h"
#include "context.h"
#include "lock.h"
#include "memory.h"
#include "output.h"

struct lock {
	u8 taken;
} ____cacheline_aligned;

static struct lock *locks_of_session;
/* The CPU on which the thread, or the work item, holds locks; -1: on none. */
static int thread_holds = -1, work_holds = -1;

int prt_lock_setup(void)
{
	locks_of_session = prt_alloc(prt_script.nlocks + 1, sizeof(*locks_of_session),
				     NUMA_NO_NODE);
	return locks_of_session ? 0 : -ENOMEM;
}

void prt_lock_free(void)
{
	kvfree(locks_of_session);
	locks_of_session = NULL;
}

/* Waits for a lock that is taken. It is out of line, so that the usual case stays short. */
static noinline bool wait_for(struct lock *l)
{
	u64 end = prt_clock_now() + PRT_LOCK_MS * prt_clock.khz;
	u32 spins;

	if (READ_ONCE(thread_holds) == raw_smp_processor_id() ||
	    READ_ONCE(work_holds) == raw_smp_processor_id())
		return false;
	do {
		for (spins = PRT_LOCK_SPINS; spins; spins--) {
			cpu_relax();
			if (!READ_ONCE(l->taken) && !xchg(&l->taken, 1))
				return true;
		}
	} while (prt_clock_now() < end);
	return false;
}
NOKPROBE_SYMBOL(wait_for);

static __always_inline bool take_lock(struct lock *l)
{
	return likely(!xchg(&l->taken, 1)) || wait_for(l);
}

static __always_inline void release(const u16 *locks, u32 n)
{
	while (n--)
		smp_store_release(&locks_of_session[locks[n]].taken, 0);
}

static __always_inline bool take_all(const u16 *locks, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++) {
		if (unlikely(!take_lock(&locks_of_session[locks[i]]))) {
			release(locks, i);
			return false;
		}
	}
	return true;
}

/* The session thread can wait: it tries again, with interrupts on in between. */
static bool lock_in_thread(struct prt_ctx *c, const u16 *locks, u32 n)
{
	struct prt_cpu *cpu = prt_cpu_of(c);
	u32 tries;

	if (prt_session.quiet)
		return true;
	prt_out_prepare(c);
	for (tries = 0; tries < PRT_LOCK_TRIES; tries++) {
		raw_local_irq_save(cpu->irq_flags);
		if (take_all(locks, n)) {
			WRITE_ONCE(thread_holds, raw_smp_processor_id());
			c->locked = 1;
			return true;
		}
		raw_local_irq_restore(cpu->irq_flags);
		msleep(1);
	}
	return false;
}

bool prt_lock_do(u16 lock, void (*f)(struct prt_map *m), struct prt_map *m)
{
	unsigned long flags;
	u32 tries;

	for (tries = 0; tries < PRT_LOCK_TRIES; tries++) {
		raw_local_irq_save(flags);
		if (take_all(&lock, 1)) {
			WRITE_ONCE(work_holds, raw_smp_processor_id());
			f(m);
			WRITE_ONCE(work_holds, -1);
			release(&lock, 1);
			raw_local_irq_restore(flags);
			return true;
		}
		raw_local_irq_restore(flags);
		msleep(1);
	}
	return false;
}

bool prt_lock(struct prt_ctx *c, const u16 *locks, u32 n)
{
	if (PRT_IS_PROCESS(c)) {
		if (lock_in_thread(c, locks, n))
			return true;
	} else if (likely(take_all(locks, n))) {
		c->locked = 1;
		return true;
	}
	c->tally[prt_probe_nr(c)].counts.locked_out++;
	prt_arch_add_here(&prt_cpu_of(c)->skipped, 1);
	return false;
}
NOKPROBE_SYMBOL(prt_lock);

void prt_unlock(struct prt_ctx *c, const u16 *locks, u32 n)
{
	if (!c->locked)
		return;
	c->locked = 0;
	if (PRT_IS_PROCESS(c))
		WRITE_ONCE(thread_holds, -1);
	release(locks, n);
	if (PRT_IS_PROCESS(c))
		raw_local_irq_restore(prt_cpu_of(c)->irq_flags);
}
NOKPROBE_SYMBOL(prt_unlock);
