/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reading a counter where nothing may sleep: perf_event_read_local() does it for the kernel's own,
 * and is exported to no module. What it does is in the kernel's headers: where the counter runs on
 * this processor, its PMU brings the count up to date. PMUs have to let that be done anywhere, in
 * an NMI as well, since "perf: add the necessary core perf APIs when accessing events counters in
 * eBPF programs" (ffe8690c85b8). Nothing of it differs between the kernels that are supported; it
 * stands here because the members of a perf_event are the kernel's own.
 */
#ifndef PRT_COMPAT_PERF_H
#define PRT_COMPAT_PERF_H

#include <linux/perf_event.h>

/* An event of this processor. Interrupts off; NMI. false: the kernel has no hardware counter
 * free. */
static __always_inline bool prt_compat_perf_read(struct perf_event *event, u64 *count)
{
	if (READ_ONCE(event->oncpu) == raw_smp_processor_id())
		event->pmu->read(event);
	*count = local64_read(&event->count);
	return READ_ONCE(event->state) != PERF_EVENT_STATE_ERROR;
}

#endif
