// SPDX-License-Identifier: GPL-2.0
/* Count entries of a function, as a kernel developer writes it: one kprobe, one per-CPU counter. */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/percpu.h>

#include "calls.h"

static DEFINE_PER_CPU(u64, hits);

static int on_entry(struct kprobe *p, struct pt_regs *regs)
{
	this_cpu_inc(hits);
	return 0;
}

static struct kprobe probe = { .symbol_name = CALL_FUNCTION(getppid), .pre_handler = on_entry };

static int __init count_init(void)
{
	return register_kprobe(&probe);
}

static void __exit count_exit(void)
{
	u64 sum = 0;
	int cpu;

	unregister_kprobe(&probe);
	for_each_possible_cpu(cpu)
		sum += per_cpu(hits, cpu);
	pr_info("bench: count %llu\n", sum);
}

module_init(count_init);
module_exit(count_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("bench: count entries");
