/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events of perf on the threads that run a program, also on those that come to it, or of the
 * session's target with all that it starts. The kernel gives new threads and children theirs
 * itself, at fork, so none misses anything; exec takes it away where it is to another program. What
 * is left is the exec of the program itself, which a tracepoint tells; the event is made by the
 * session's thread, a moment later, because it can't be made there.
 *
 * Under prt_attach_lock, and may sleep, unless it says otherwise.
 */
#ifndef PRT_TASKS_H
#define PRT_TASKS_H

#include <linux/path.h>
#include <linux/perf_event.h>
#include <linux/types.h>

struct prt_tasks {
	struct hlist_node all;        /* of what exec looks at; RCU */
	struct hlist_head followed;   /* struct followed */
	struct perf_event_attr attr;
	perf_overflow_handler_t hit;
	void *context;
	struct path program;          /* dentry NULL: that of the target */
	bool made, on;
	u64 gone;                     /* what events that are no more have counted */
};

/* What shall be made, as prt_events_new(). */
struct prt_tasks *prt_tasks_new(const struct perf_event_attr *attr, perf_overflow_handler_t hit,
				void *context);
/* Whether there can be such events, and the program is there; @program: an absolute path; "": the
 * target. None is made yet. -errno; -ESRCH: there is no target. */
int prt_tasks_make(struct prt_tasks *t, const char *program);
/* Makes all, or drops all. */
void prt_tasks_turn(struct prt_tasks *t, bool on);
/* When it returns no hit runs. NULL or one that was not made: nothing. */
void prt_tasks_drop(struct prt_tasks *t);
/* What they have counted, also those that are no more. */
u64 prt_tasks_total(struct prt_tasks *t);
/* The event of the current thread; NULL: none. Interrupts off; NMI. */
struct perf_event *prt_tasks_current(const struct prt_tasks *t);
/* Makes them on threads that came to the program. The session's thread. -errno: one has none. */
int prt_tasks_look(void);

#endif
