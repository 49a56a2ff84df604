// SPDX-License-Identifier: GPL-2.0
/* Count entries of one process, which is not the one that calls: one kprobe, one comparison. */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched.h>

#include "calls.h"

static DEFINE_PER_CPU(u64, hits);
static int pid = 1;
module_param(pid, int, 0444);

static int on_entry(struct kprobe *p, struct pt_regs *regs)
{
	if (current->tgid == pid)
		this_cpu_inc(hits);
	return 0;
}

static struct kprobe probe = { .symbol_name = CALL_FUNCTION(getppid), .pre_handler = on_entry };

static int __init false_init(void)
{
	return register_kprobe(&probe);
}

static void __exit false_exit(void)
{
	u64 sum = 0;
	int cpu;

	unregister_kprobe(&probe);
	for_each_possible_cpu(cpu)
		sum += per_cpu(hits, cpu);
	pr_info("bench: false %llu\n", sum);
}

module_init(false_init);
module_exit(false_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("bench: a condition that is false");
