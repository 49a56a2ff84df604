// SPDX-License-Identifier: GPL-2.0
/* Count hits of many functions of a program: one uprobe each, all removed with one wait where the
 * kernel offers that. The kernel's log shows the times of arming and disarming. */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/namei.h>
#include <linux/percpu.h>
#include <linux/uprobes.h>

#include "handlers.h"

enum { MOST = 1000 };

static DEFINE_PER_CPU(u64, hits);
static char *path;
static ulong first, stride;
static int n;
module_param(path, charp, 0444);
module_param(first, ulong, 0444);
module_param(stride, ulong, 0444);
module_param(n, int, 0444);

static int on_hit(struct uprobe_consumer *self, struct pt_regs *regs DATA)
{
	this_cpu_inc(hits);
	return 0;
}

static struct path file;
static struct inode *inode;
static struct uprobe_consumer consumers[MOST];
static int armed;

#ifdef HAVE_HANDLES
static struct uprobe *handles[MOST];

static int add(int i)
{
	handles[i] = uprobe_register(inode, first + i * stride, 0, &consumers[i]);
	return PTR_ERR_OR_ZERO(handles[i]);
}

static void remove_all(void)
{
	while (armed-- > 0)
		uprobe_unregister_nosync(handles[armed], &consumers[armed]);
	uprobe_unregister_sync();
}
#else
static int add(int i)
{
	return uprobe_register(inode, first + i * stride, &consumers[i]);
}

static void remove_all(void)
{
	while (armed-- > 0)
		uprobe_unregister(inode, first + armed * stride, &consumers[armed]);
}
#endif

static int __init places_init(void)
{
	int err = n > MOST ? -EINVAL : kern_path(path, LOOKUP_FOLLOW, &file);
	u64 start;

	if (err)
		return err;
	inode = d_real_inode(file.dentry);
	start = ktime_get_ns();
	for (; armed < n && !err; armed += !err) {
		consumers[armed].handler = on_hit;
		err = add(armed);
	}
	if (err) {
		remove_all();
		path_put(&file);
	} else {
		pr_info("bench: armed %d in %llu us\n", armed, (ktime_get_ns() - start) / 1000);
	}
	return err;
}

static void __exit places_exit(void)
{
	u64 start = ktime_get_ns();
	int was = armed;

	remove_all();
	pr_info("bench: disarmed %d in %llu us\n", was, (ktime_get_ns() - start) / 1000);
	path_put(&file);
}

module_init(places_init);
module_exit(places_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("bench: count hits of many functions of a program");
