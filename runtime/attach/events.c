/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events of perf on all processors: events.h. An event does not outlive its processor's going, so
 * one that comes gets a new one, whether it was there before or not.
 *
 * Where a machine is suspended to memory, all other processors go and come. The one that does not
 * loses what its registers have, and the kernel does not write all of that again: after it woke up,
 * it had no watchpoints. So all events are made anew then.
 */
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/notifier.h>
#include <linux/suspend.h>

#include "attach.h"
#include "events.h"
#include "memory.h"
#include "session.h"

static enum cpuhp_state event_hotplug; /* 0: none */
static HLIST_HEAD(all_events);
static bool woken;                     /* the machine was suspended since the last look */

/* The hotplug callback, under the kernel's hotplug lock. */
static int on_fresh(unsigned int cpu, struct hlist_node *node)
{
	/* The thread that takes `look`, which is stored by a release, sees `fresh`. */
	WRITE_ONCE(hlist_entry(node, struct prt_events, node)->each[cpu].fresh, true);
	prt_session_look();
	return 0;
}

static int on_sleep(struct notifier_block *block, unsigned long what, void *data)
{
	if (what == PM_POST_SUSPEND || what == PM_POST_HIBERNATION) {
		/* The thread that takes `look`, which is stored by a release, sees it. */
		WRITE_ONCE(woken, true);
		prt_session_look();
	}
	return NOTIFY_DONE;
}

static struct notifier_block sleep_block = { .notifier_call = on_sleep };

static int follow_all(void)
{
	int state, err;

	state = prt_fails() ? -ENOMEM :
		cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, "probec:events", on_fresh, NULL);
	if (state < 0)
		return state;
	err = register_pm_notifier(&sleep_block);
	if (err) {
		cpuhp_remove_multi_state(state);
		return err;
	}
	event_hotplug = state;
	return 0;
}

static int follow_hotplug(struct prt_events *e)
{
	int err = event_hotplug ? 0 : follow_all();

	if (err)
		return err;
	return cpuhp_state_add_instance_nocalls(event_hotplug, &e->node);
}

static void leave_hotplug(struct prt_events *e)
{
	if (!hlist_unhashed(&e->node))
		cpuhp_state_remove_instance_nocalls(event_hotplug, &e->node);
	if (event_hotplug && hlist_empty(&all_events)) {
		unregister_pm_notifier(&sleep_block);
		cpuhp_remove_multi_state(event_hotplug);
		event_hotplug = 0;
	}
}

struct prt_events *prt_events_new(const struct perf_event_attr *attr, perf_overflow_handler_t hit,
				  void *context)
{
	struct prt_events *e = prt_alloc(1, struct_size(e, each, nr_cpu_ids), NUMA_NO_NODE);

	if (!e)
		return NULL;
	e->attr = *attr;
	e->hit = hit;
	e->context = context;
	return e;
}

static int make_on(struct prt_events *e, unsigned int cpu)
{
	struct perf_event_attr attr = e->attr;
	struct perf_event *event;

	attr.disabled = !e->on;
	event = prt_fails() ? ERR_PTR(-ENOMEM) :
		perf_event_create_kernel_counter(&attr, cpu, NULL, e->hit, e->context);
	/* A processor that went offline in the meantime has none. */
	if (IS_ERR(event))
		return cpu_online(cpu) ? PTR_ERR(event) : 0;
	smp_store_release(&e->each[cpu].event, event);
	return 0;
}

static u64 total_of(struct perf_event *event)
{
	u64 enabled, running;

	return perf_event_read_value(event, &enabled, &running);
}

static void drop_on(struct prt_events *e, unsigned int cpu)
{
	struct perf_event *event = e->each[cpu].event;

	smp_store_release(&e->each[cpu].event, NULL);
	if (!event)
		return;
	e->gone += total_of(event);
	perf_event_release_kernel(event);
}

int prt_events_make(struct prt_events *e)
{
	unsigned int cpu;
	int err;

	hlist_add_head(&e->all, &all_events);
	e->made = true;
	err = follow_hotplug(e);
	for_each_online_cpu(cpu)
		if (!err)
			err = make_on(e, cpu);
	if (err)
		prt_events_drop(e);
	return err;
}

void prt_events_turn(struct prt_events *e, bool on)
{
	unsigned int cpu;

	e->on = on;
	for_each_possible_cpu(cpu) {
		struct perf_event *event = e->each[cpu].event;

		if (event && on)
			perf_event_enable(event);
		else if (event)
			perf_event_disable(event);
	}
}

void prt_events_drop(struct prt_events *e)
{
	unsigned int cpu;

	if (!e || !e->made)
		return;
	hlist_del(&e->all);
	leave_hotplug(e);
	for_each_possible_cpu(cpu)
		drop_on(e, cpu);
	e->made = e->on = false;
}

u64 prt_events_total(struct prt_events *e)
{
	u64 sum = e->gone;
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		if (e->each[cpu].event)
			sum += total_of(e->each[cpu].event);
	return sum;
}

int prt_events_look(void)
{
	bool all = xchg(&woken, false);
	struct prt_events *e;
	unsigned int cpu;
	int err = 0, failed;

	hlist_for_each_entry(e, &all_events, all) {
		for_each_online_cpu(cpu) {
			if (!xchg(&e->each[cpu].fresh, false) && !all)
				continue;
			drop_on(e, cpu);
			failed = make_on(e, cpu);
			err = err ? err : failed;
		}
	}
	return err;
}
