/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters of perf, one on each processor. The handler of an overflow runs wherever the event is,
 * in an NMI for those of the processor. What handlers read (.counter) has no overflows, and is to
 * count all the time or not at all, so that two readings have a difference.
 *
 * Those of processes (.process) count on each processor, too. An overflow is a hit where it meets
 * one of them: as each event is as likely as any other to be the one that overflows, theirs get the
 * share of hits that is theirs, and no process has to be found before it has an event. What
 * handlers read of them is exact: share.h.
 */
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/perf_event.h>

#include "attach.h"
#include "compat/perf.h"
#include "context.h"
#include "events.h"
#include "memory.h"
#include "process.h"
#include "share.h"

static void perf_hit(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	const struct prt_point *p = event->overflow_handler_context;
	u32 i;

	for (i = 0; i < p->n; i++)
		if (prt_process_has(p->pairs[i].probe, current))
			prt_context_hit(p->pairs[i].probe, p->pairs[i].site, regs, NULL, 0);
}
NOKPROBE_SYMBOL(perf_hit);

static __always_inline const struct prt_event *wanted_of(const struct prt_point *p)
{
	return &prt_script.probes[p->pairs[0].probe].event;
}

/* ---- counters that handlers read ---- */

struct counter {
	const struct prt_point *point; /* NULL: not made yet */
	struct prt_shares *shares;     /* the share of some processes; NULL: it counts all */
	u64 total;                     /* for the session's thread: handlers must not sleep */
};

static struct counter *counters;      /* by number */
static u32 ncounters;

int prt_perf_setup(void)
{
	u32 i;

	for (i = 0; i < prt_script.nprobes; i++)
		ncounters += prt_script.probes[i].event.counter != 0;
	if (ncounters)
		counters = prt_alloc(ncounters, sizeof(*counters), NUMA_NO_NODE);
	return counters || !ncounters ? prt_process_setup() : -ENOMEM;
}

void prt_perf_free(void)
{
	prt_process_free();
	kvfree(counters);
	counters = NULL;
	ncounters = 0;
}

void prt_perf_collect(void)
{
	u32 i;

	for (i = 0; i < ncounters; i++) {
		const struct prt_point *p = counters[i].point;

		if (counters[i].shares)
			counters[i].total = prt_share_total(counters[i].shares);
		else if (p && p->probe && !wanted_of(p)->program)
			counters[i].total = prt_events_total(p->probe);
	}
}

s64 prt_perf(struct prt_ctx *c, s64 nr, u32 srcloc)
{
	const struct counter *counter = &counters[nr];
	const struct prt_shares *shares = READ_ONCE(counter->shares);
	const struct prt_events *e;
	struct perf_event *event;
	u64 count = 0;

	if (PRT_IS_PROCESS(c))
		return (s64)counter->total;
	e = counter->point->probe;
	event = READ_ONCE(e->each[c->cpu].event);
	if (!event || !prt_compat_perf_read(event, &count))
		prt_error(c, PRT_E_BAD_VALUE, srcloc,
			  PRT_LIT("the processor has no such counter free"));
	else if (wanted_of(counter->point)->program)
		count = shares ? prt_share_read(shares) : 0;
	return (s64)count;
}
NOKPROBE_SYMBOL(prt_perf);

/* ---- arming ---- */

static struct counter *counter_of(const struct prt_point *p)
{
	u32 nr = wanted_of(p)->counter;

	return nr ? &counters[nr - 1] : NULL;
}

static int make(struct prt_point *p)
{
	const struct prt_event *wanted = wanted_of(p);
	struct counter *counter = counter_of(p);
	u32 probe = p->pairs[0].probe;
	int err = prt_process_error(probe);

	if (!err)
		err = p->probe ? prt_events_make(p->probe) : -ENOMEM;
	if (err || !counter || !wanted->program)
		return err;
	err = prt_share_new(probe, p->probe, &counter->shares);
	if (err)
		prt_events_drop(p->probe);
	return err;
}

static void perf_arm(struct prt_point *p)
{
	const struct prt_event *wanted = wanted_of(p);
	struct counter *counter = counter_of(p);
	const struct perf_event_attr attr = {
		.type = wanted->type,
		.size = sizeof(attr),
		.config = wanted->config,
		.freq = wanted->is_frequency,
		.sample_period = wanted->sample,
		.pinned = wanted->counter != 0,
	};

	p->mechanism = PRT_MECH_PERF;
	p->probe = prt_events_new(&attr, perf_hit, p);
	if (counter)
		counter->point = p;
	p->error = make(p);
	prt_point_set_armed(p, !p->error);
}

static void perf_turn(struct prt_point *p, bool on)
{
	prt_events_turn(p->probe, on);
}

static void drop(struct prt_point *p)
{
	struct counter *counter = counter_of(p);

	if (counter && counter->shares) {
		struct prt_shares *shares = counter->shares;

		/* Hits may still read it until prt_share_drop() has waited for them. */
		WRITE_ONCE(counter->shares, NULL);
		counter->total = prt_share_drop(shares);
	}
	prt_events_drop(p->probe);
}

static void perf_disarm(struct prt_point *points, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		drop(&points[i]);
}

const struct prt_family prt_perf_family = {
	.kind = PRT_PERF, .arm = perf_arm, .disarm = perf_disarm, .turn = perf_turn,
};
