/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An event of perf on each processor, also on those that come later: the kernel tells of them where
 * no event can be made (its locks are held), so the session's thread makes it.
 *
 * Everything is under prt_attach_lock, and may sleep.
 */
#ifndef PRT_EVENTS_H
#define PRT_EVENTS_H

#include <linux/perf_event.h>
#include <linux/types.h>

struct prt_event_on {
	struct perf_event *event;     /* NULL: there is none */
	bool fresh;                   /* the processor came since: the event is none of it */
};

struct prt_events {
	struct hlist_node node;       /* of what the hotplug calls */
	struct hlist_node all;        /* of what the thread looks at */
	struct perf_event_attr attr;
	perf_overflow_handler_t hit;
	void *context;
	bool made, on;
	u64 gone;                     /* what events that are no more have counted */
	struct prt_event_on each[];   /* by processor */
};

/* Prepares events with the attributes @attr. @hit is called with an event whose
 * overflow_handler_context is @context, in an NMI if the processor counts the event. kvfree() the
 * result after drop. NULL: no memory. */
struct prt_events *prt_events_new(const struct perf_event_attr *attr, perf_overflow_handler_t hit,
				  void *context);
/* Makes them, switched off. -errno of the kernel: none is made. */
int prt_events_make(struct prt_events *e);
/* Switches them; off, none costs anything, but what it may count with stays taken. */
void prt_events_turn(struct prt_events *e, bool on);
/* When it returns, no hit runs. Does nothing with NULL or with events that were not made. */
void prt_events_drop(struct prt_events *e);
/* The sum over all processors, including those that have gone offline. */
u64 prt_events_total(struct prt_events *e);
/* Makes them on processors that came. The session's thread. -errno: one of them has none. */
int prt_events_look(void);

#endif
