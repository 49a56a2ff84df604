// SPDX-License-Identifier: GPL-2.0
/* Count returns: one kretprobe; with pid=, only those of one process, decided at the entry. */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched.h>

#include "calls.h"

static DEFINE_PER_CPU(u64, hits);
static int pid;
module_param(pid, int, 0444);

static int on_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return current->tgid != pid;
}

static int on_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	this_cpu_inc(hits);
	return 0;
}

static struct kretprobe probe = {
	.kp.symbol_name = CALL_FUNCTION(getppid),
	.handler = on_return,
	.maxactive = 64,
};

static int __init returns_init(void)
{
	if (pid)
		probe.entry_handler = on_entry;
	return register_kretprobe(&probe);
}

static void __exit returns_exit(void)
{
	u64 sum = 0;
	int cpu;

	unregister_kretprobe(&probe);
	for_each_possible_cpu(cpu)
		sum += per_cpu(hits, cpu);
	pr_info("bench: %llu returns, missed %d\n", sum, probe.nmissed);
}

module_init(returns_init);
module_exit(returns_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("bench: count returns");
