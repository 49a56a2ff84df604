// SPDX-License-Identifier: GPL-2.0
/* The equivalent of ../two-probes.kp, written by hand: entry and return of vfs_read, a table by
 * process, a histogram. */
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/module.h>

#include "names.h"

static DEFINE_PER_CPU(u64[65], sizes);

static int on_entry(struct kprobe *p, struct pt_regs *regs)
{
	count_hit(regs_get_kernel_argument(regs, 2));
	return 0;
}

static int on_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	long got = regs_return_value(regs);

	if (got > 0)
		this_cpu_inc(sizes[ilog2(got) + 1]);
	return 0;
}

static struct kprobe entry = { .symbol_name = "vfs_read", .pre_handler = on_entry };
static struct kretprobe ret = {
	.kp.symbol_name = "vfs_read", .handler = on_return, .maxactive = 256,
};

static int __init two_probes_init(void)
{
	int err = register_kprobe(&entry);

	if (err)
		return err;
	err = register_kretprobe(&ret);
	if (err)
		unregister_kprobe(&entry);
	return err;
}

static void __exit two_probes_exit(void)
{
	unsigned int i;

	unregister_kretprobe(&ret);
	unregister_kprobe(&entry);
	for (i = 0; i < used; i++)
		pr_info("bench: %s %llu %llu\n", names[i].comm, names[i].hits, names[i].bytes);
}

module_init(two_probes_init);
module_exit(two_probes_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("bench: two probes by hand");
