// SPDX-License-Identifier: GPL-2.0
/* Time from entry to return into a log2 histogram: one kretprobe, the entry's time in its
 * instance. */
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/timekeeping.h>

#include "calls.h"

struct histogram {
	u64 count[65];
};

static DEFINE_PER_CPU(struct histogram, elapsed);

static int on_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	*(u64 *)ri->data = ktime_get_mono_fast_ns();
	return 0;
}

static int on_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	u64 ns = ktime_get_mono_fast_ns() - *(u64 *)ri->data;

	this_cpu_inc(elapsed.count[ns ? ilog2(ns) + 1 : 0]);
	return 0;
}

static struct kretprobe probe = {
	.kp.symbol_name = CALL_FUNCTION(getppid),
	.entry_handler = on_entry,
	.handler = on_return,
	.data_size = sizeof(u64),
	.maxactive = 64,
};

static int __init elapsed_init(void)
{
	return register_kretprobe(&probe);
}

static void __exit elapsed_exit(void)
{
	unregister_kretprobe(&probe);
	pr_info("bench: missed %d\n", probe.nmissed);
}

module_init(elapsed_init);
module_exit(elapsed_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("bench: time from entry to return");
