/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events of perf that belong to threads. Since "perf: Add support for event removal on exec"
 * (2e498d0a74e5) an event can be one that a process loses when it executes a program; before, it
 * stays, and takes one of the watchpoints of the process (PRT_COMPAT_EVENTS_STAY).
 *
 * Since "perf: Rewrite core context handling" (bd2756811766) a thread has one context for all its
 * events; before, one for each class of counters. Kbuild looks for the words of each.
 */
#ifndef PRT_COMPAT_WATCH_H
#define PRT_COMPAT_WATCH_H

#include <linux/perf_event.h>
#include <linux/sched.h>

#ifdef PRT_HAVE_REMOVE_ON_EXEC
enum { PRT_COMPAT_EVENTS_STAY = 0 };

static inline void prt_compat_leave_at_exec(struct perf_event_attr *attr)
{
	attr->remove_on_exec = 1;
}
#else
enum { PRT_COMPAT_EVENTS_STAY = 1 };

static inline void prt_compat_leave_at_exec(struct perf_event_attr *attr)
{
}
#endif

/*
 * Keeps the kernel from exchanging the events of @task, which has not run yet, with those of
 * another thread that has the same when it switches from one to the other. The kernel counts the
 * watchpoints of a thread by the thread that they were made for: after an exchange, the end of one
 * would take those of the other, and a thread without any would be held to have four. Nobody waits
 * for this count to become 0.
 */
static inline void prt_compat_keep_events(struct task_struct *task)
{
#ifdef PRT_HAVE_PERF_CONTEXTS
	struct perf_event_context *events = READ_ONCE(task->perf_event_ctxp[perf_sw_context]);
#else
	struct perf_event_context *events = READ_ONCE(task->perf_event_ctxp);
#endif
	unsigned long flags;

	if (!events)
		return;
	raw_spin_lock_irqsave(&events->lock, flags);
	events->pin_count++;
	raw_spin_unlock_irqrestore(&events->lock, flags);
}

#endif
