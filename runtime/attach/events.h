/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A perf event on each processor, also on those that come online later: the kernel announces these
 * where no event can be made (its locks are held), so the session thread makes it.
 *
 * Everything is under prt_attach_lock, and may sleep.
 */
#ifndef PRT_EVENTS_H
#define PRT_EVENTS_H

#include <linux/perf_event.h>
#include <linux/types.h>

struct prt_event_on {
	struct perf_event *event;     /* NULL: no event */
	bool fresh;                   /* the processor has come online since then */
};

struct prt_events {
	struct hlist_node node;       /* in the list of the hotplug callback */
	struct hlist_node all;        /* in the session thread's list */
	struct perf_event_attr attr;
	perf_overflow_handler_t hit;
	void *context;
	bool made, on;
	u64 gone;                     /* the counts of events that are gone */
	struct prt_event_on each[];   /* by processor */
};

/* Prepares events with the attributes @attr. @hit is called with an event whose
 * overflow_handler_context is @context, in an NMI if the processor counts the event. kvfree() the
 * result after drop. NULL: no memory. */
struct prt_events *prt_events_new(const struct perf_event_attr *attr, perf_overflow_handler_t hit,
				  void *context);
/* Makes them, disabled. Returns 0, or -errno of the kernel with no event made. */
int prt_events_make(struct prt_events *e);
/* Enables or disables them. A disabled one costs nothing, but its hardware counter stays taken. */
void prt_events_turn(struct prt_events *e, bool on);
/* When it returns, no hit runs. Does nothing with NULL or with events that were not made. */
void prt_events_drop(struct prt_events *e);
/* The sum over all processors, including those that have gone offline. */
u64 prt_events_total(struct prt_events *e);
/* Makes them on processors that have come online, and anew on all after the machine was suspended.
 * The session thread. -errno: one of them has none. */
int prt_events_look(void);

#endif
