/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters of perf, one on each processor. The handler of an overflow runs wherever the event is, in
 * an NMI for those of the processor.
 */
#include <linux/kprobes.h>
#include <linux/perf_event.h>

#include "attach.h"
#include "context.h"
#include "events.h"
#include "memory.h"

static void perf_hit(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	const struct prt_point *p = event->overflow_handler_context;
	u32 i;

	for (i = 0; i < p->n; i++)
		prt_context_hit(p->pairs[i].probe, p->pairs[i].site, regs, NULL, 0);
}
NOKPROBE_SYMBOL(perf_hit);

static void perf_arm(struct prt_point *p)
{
	const struct prt_event *wanted = &prt_script.probes[p->pairs[0].probe].event;
	const struct perf_event_attr attr = {
		.type = wanted->type,
		.size = sizeof(attr),
		.config = wanted->config,
		.freq = wanted->is_frequency,
		.sample_period = wanted->sample,
	};

	p->mechanism = PRT_MECH_PERF;
	p->probe = prt_events_new(&attr, perf_hit, p);
	p->error = p->probe ? prt_events_make(p->probe) : -ENOMEM;
	p->armed = !p->error;
}

static void perf_turn(struct prt_point *p, bool on)
{
	prt_events_turn(p->probe, on);
}

static void perf_disarm(struct prt_point *points, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		prt_events_drop(points[i].probe);
}

const struct prt_family prt_perf_family = {
	.kind = PRT_PERF, .arm = perf_arm, .disarm = perf_disarm, .turn = perf_turn,
};
