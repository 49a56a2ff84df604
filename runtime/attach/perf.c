/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters of perf, one on each processor that is there when the session begins: a processor that
 * comes later is not counted, because the kernel can't make them where it tells of it. The handler
 * of an overflow runs wherever the event is, in an NMI for those of the processor.
 */
#include <linux/cpumask.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/perf_event.h>

#include "attach.h"
#include "context.h"
#include "memory.h"

static void perf_hit(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	const struct prt_point *p = event->overflow_handler_context;
	u32 i;

	for (i = 0; i < p->n; i++)
		prt_context_hit(p->pairs[i].probe, p->pairs[i].site, regs, NULL, 0);
}
NOKPROBE_SYMBOL(perf_hit);

static int arm_on(struct prt_point *p, unsigned int cpu)
{
	const struct prt_event *wanted = &prt_script.probes[p->pairs[0].probe].event;
	struct perf_event **events = p->probe; /* by processor; NULL: none */
	struct perf_event_attr attr = {
		.type = wanted->type,
		.size = sizeof(attr),
		.config = wanted->config,
		.freq = wanted->is_frequency,
		.sample_period = wanted->sample,
	};
	struct perf_event *event;

	event = prt_fails() ? ERR_PTR(-ENOMEM) :
		perf_event_create_kernel_counter(&attr, cpu, NULL, perf_hit, p);
	/* One that went in the meantime has none. */
	if (IS_ERR(event))
		return cpu_online(cpu) ? PTR_ERR(event) : 0;
	events[cpu] = event;
	return 0;
}

static void release_counters(struct perf_event **events)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		if (events[cpu])
			perf_event_release_kernel(events[cpu]);
}

static void perf_arm(struct prt_point *p)
{
	unsigned int cpu;

	p->mechanism = PRT_MECH_PERF;
	p->probe = prt_alloc(nr_cpu_ids, sizeof(struct perf_event *), NUMA_NO_NODE);
	p->error = p->probe ? 0 : -ENOMEM;
	for_each_online_cpu(cpu)
		if (!p->error)
			p->error = arm_on(p, cpu);
	p->armed = !p->error;
	if (p->error && p->probe)
		release_counters(p->probe);
}

static void perf_disarm(struct prt_point *points, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		if (points[i].armed)
			release_counters(points[i].probe);
}

const struct prt_family prt_perf_family = {
	.kind = PRT_PERF, .arm = perf_arm, .disarm = perf_disarm,
};
