// SPDX-License-Identifier: GPL-2.0
/* Count entries or returns of a function in a program: one uprobe, one per-CPU counter. */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/namei.h>
#include <linux/percpu.h>
#include <linux/uprobes.h>
#include <linux/version.h>

#include "handlers.h"

static DEFINE_PER_CPU(u64, hits);
static char *path;
static int offset;
static bool returns;
static struct inode *inode;
static struct path found;
module_param(path, charp, 0444);
module_param(offset, int, 0444);
module_param(returns, bool, 0444);

static int on_entry(struct uprobe_consumer *self, struct pt_regs *regs DATA)
{
	this_cpu_inc(hits);
	return 0;
}

static int on_return(struct uprobe_consumer *self, unsigned long function,
		     struct pt_regs *regs DATA)
{
	this_cpu_inc(hits);
	return 0;
}

static struct uprobe_consumer consumer;
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
static struct uprobe *handle;
#endif

static int __init user_init(void)
{
	int err = kern_path(path, LOOKUP_FOLLOW, &found);

	if (err)
		return err;
	inode = d_real_inode(found.dentry);
	if (returns)
		consumer.ret_handler = on_return;
	else
		consumer.handler = on_entry;
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	handle = uprobe_register(inode, offset, 0, &consumer);
	err = PTR_ERR_OR_ZERO(handle);
#else
	err = uprobe_register(inode, offset, &consumer);
#endif
	if (err)
		path_put(&found);
	return err;
}

static void __exit user_exit(void)
{
	u64 sum = 0;
	int cpu;

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	uprobe_unregister_nosync(handle, &consumer);
	uprobe_unregister_sync();
#else
	uprobe_unregister(inode, offset, &consumer);
#endif
	path_put(&found);
	for_each_possible_cpu(cpu)
		sum += per_cpu(hits, cpu);
	pr_info("bench: user %llu\n", sum);
}

module_init(user_init);
module_exit(user_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("bench: count in a program");
