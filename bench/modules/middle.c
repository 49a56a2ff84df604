// SPDX-License-Identifier: GPL-2.0
/* Count at an instruction in mid-function: one kprobe, which the kernel optimises to a jump. */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/percpu.h>

static DEFINE_PER_CPU(u64, hits);
static int offset;
module_param(offset, int, 0444);

static int on_hit(struct kprobe *p, struct pt_regs *regs)
{
	this_cpu_inc(hits);
	return 0;
}

static struct kprobe probe = { .symbol_name = "__sys_setfsuid", .pre_handler = on_hit };

static int __init middle_init(void)
{
	probe.offset = offset;
	return register_kprobe(&probe);
}

static void __exit middle_exit(void)
{
	u64 sum = 0;
	int cpu;

	unregister_kprobe(&probe);
	for_each_possible_cpu(cpu)
		sum += per_cpu(hits, cpu);
	pr_info("bench: middle %llu\n", sum);
}

module_init(middle_init);
module_exit(middle_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("bench: count at an instruction");
