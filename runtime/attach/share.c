/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shares of counters: share.h. A share is settled when the scheduler switches tasks, and when a
 * task executes another program. The task is identified when its turn begins: at the end it may
 * have exited, and no longer have the memory that identifies its program.
 *
 * A hit may interrupt settling (an NMI), so the new state is written beside the valid one, and one
 * store switches them.
 */
#include <linux/cpumask.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/smp.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>

#include "compat/perf.h"
#include "compat/task.h"
#include "callback.h"
#include "events.h"
#include "memory.h"
#include "process.h"
#include "share.h"

struct settled {
	u64 seen;  /* the counter, then */
	u64 total; /* share of the processes at that time */
	bool runs; /* one of them has been running since then */
};

struct share {
	struct settled bank[2];
	u32 valid;
};

struct prt_shares {
	const struct prt_events *events;
	u32 probe;
	struct prt_callback callbacks[2];
	struct share each[]; /* by processor */
};

static __always_inline bool counted(const struct prt_shares *shares, u32 cpu, u64 *ret)
{
	struct perf_event *event = smp_load_acquire(&shares->events->each[cpu].event);

	return event && prt_compat_perf_read(event, ret);
}

/* After a processor was offline, its event counts from 0 again. */
static __always_inline u64 since(const struct settled *s, u64 count)
{
	return s->runs && count > s->seen ? count - s->seen : 0;
}

/* Interrupts off. */
static void settle(struct prt_shares *shares, const struct task_struct *next)
{
	u32 cpu = raw_smp_processor_id();
	struct share *share = &shares->each[cpu];
	const struct settled *old = &share->bank[share->valid];
	u64 count;

	if (!counted(shares, cpu, &count))
		return;
	share->bank[!share->valid] = (struct settled){
		.seen = count, .total = old->total + since(old, count),
		.runs = prt_process_has(shares->probe, next),
	};
	/* Another processor that reads the old half meanwhile may find the next total in it. */
	smp_store_release(&share->valid, !share->valid);
}
NOKPROBE_SYMBOL(settle);

static void notrace on_switch(void *shares, bool preempt, struct task_struct *prev,
			      struct task_struct *next PRT_COMPAT_SWITCH_STATE)
{
	settle(shares, next);
}
NOKPROBE_SYMBOL(on_switch);

static void notrace on_exec(void *shares, struct task_struct *task, pid_t old_pid,
			    struct linux_binprm *binary)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	settle(shares, task);
	raw_local_irq_restore(flags);
}
NOKPROBE_SYMBOL(on_exec);

static void settle_here(void *shares)
{
	settle(shares, current);
}

/* ---- read ---- */

u64 prt_share_total(const struct prt_shares *shares)
{
	u64 sum = 0;
	u32 cpu;

	for_each_possible_cpu(cpu) {
		const struct share *share = &shares->each[cpu];

		sum += READ_ONCE(share->bank[smp_load_acquire(&share->valid)].total);
	}
	return sum;
}
NOKPROBE_SYMBOL(prt_share_total);

u64 prt_share_read(const struct prt_shares *shares)
{
	u32 cpu = raw_smp_processor_id();
	const struct share *share = &shares->each[cpu];
	u64 count;

	return prt_share_total(shares) +
	       (counted(shares, cpu, &count) ? since(&share->bank[share->valid], count) : 0);
}
NOKPROBE_SYMBOL(prt_share_read);

/* ---- making ---- */

static int take_callbacks(struct prt_shares *shares)
{
	/* This compiles only if the functions have the types of this kernel's tracepoints. */
	check_trace_callback_type_sched_switch(on_switch);
	check_trace_callback_type_sched_process_exec(on_exec);
	shares->callbacks[0] = (struct prt_callback){ "sched_switch", on_switch, shares };
	shares->callbacks[1] = (struct prt_callback){ "sched_process_exec", on_exec, shares };
	return prt_callbacks_take(shares->callbacks, ARRAY_SIZE(shares->callbacks));
}

int prt_share_new(u32 nr, const struct prt_events *e, struct prt_shares **ret)
{
	struct prt_shares *shares = prt_alloc(1, struct_size(shares, each, nr_cpu_ids),
					      NUMA_NO_NODE);
	int err;

	if (!shares)
		return -ENOMEM;
	shares->events = e;
	shares->probe = nr;
	err = take_callbacks(shares);
	if (err) {
		prt_share_drop(shares);
		return err;
	}
	/* Settle for the tasks that run now. */
	on_each_cpu(settle_here, shares, true);
	*ret = shares;
	return 0;
}

u64 prt_share_drop(struct prt_shares *shares)
{
	u64 total;

	if (!shares)
		return 0;
	prt_callbacks_drop(shares->callbacks, ARRAY_SIZE(shares->callbacks));
	/* Settle for the tasks that run now. */
	on_each_cpu(settle_here, shares, true);
	total = prt_share_total(shares);
	kvfree(shares);
	return total;
}
