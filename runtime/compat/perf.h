/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A thread has one context for all its events, or one for the processor's and one for the others
 * until "perf: Rewrite core context handling" (bd2756811766); Kbuild looks for what links them to
 * PMUs. In its list of events is what the thread was given, and what it inherited, for readers of
 * RCU.
 *
 * Reading a counter where nothing may sleep: perf_event_read_local() does it for the kernel's own,
 * and is exported to no module. What it does is in the kernel's headers: where the counter runs on
 * this processor, its PMU brings the count up to date; PMUs have to let that be done anywhere, in
 * an NMI as well, because BPF programs do.
 */
#ifndef PRT_COMPAT_PERF_H
#define PRT_COMPAT_PERF_H

#include <linux/perf_event.h>
#include <linux/rculist.h>
#include <linux/sched.h>

enum { PRT_COMPAT_PERF_MOST = 512 }; /* events of a thread that are looked at */

static __always_inline struct perf_event *prt_compat_perf_in(struct perf_event_context *ctx,
							     const void *context)
{
	u32 left = PRT_COMPAT_PERF_MOST;
	struct perf_event *event;

	if (!ctx)
		return NULL;
	list_for_each_entry_rcu(event, &ctx->event_list, event_entry) {
		if (event->overflow_handler_context == context)
			return event;
		if (!--left)
			break;
	}
	return NULL;
}

/* The event of @task whose overflow handler has @context; NULL: none. RCU, or, of the current one,
 * interrupts off; NMI. */
static __always_inline struct perf_event *prt_compat_perf_of(struct task_struct *task,
							     const void *context)
{
#ifdef PRT_HAVE_ONE_PERF_CONTEXT
	return prt_compat_perf_in(READ_ONCE(task->perf_event_ctxp), context);
#else
	struct perf_event *event = NULL;
	int i;

	for (i = 0; i < perf_nr_task_contexts && !event; i++)
		event = prt_compat_perf_in(READ_ONCE(task->perf_event_ctxp[i]), context);
	return event;
#endif
}

/* An event of this processor, or of the current thread. Interrupts off; NMI. false: the kernel had
 * no room for the counter. */
static __always_inline bool prt_compat_perf_read(struct perf_event *event, u64 *count)
{
	if (READ_ONCE(event->oncpu) == raw_smp_processor_id())
		event->pmu->read(event);
	*count = local64_read(&event->count);
	return READ_ONCE(event->state) != PERF_EVENT_STATE_ERROR;
}

#endif
