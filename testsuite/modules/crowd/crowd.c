// SPDX-License-Identifier: GPL-2.0
/* A module for vm/starved*.sh with functions of eight lines each, in the file
 * lines.h, which the script `lines` writes. Reading debugfs's file probec_crowd calls all of them;
 * readers do not wait for each other. */
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/sched.h>

#include "lines.h"

static int run_get(void *data, u64 *value)
{
	int x = 0, i;

	for (i = 0; i < 500; i++) {
		x = run_all(x);
		cond_resched();
	}
	*value = x;
	return 0;
}

DEFINE_DEBUGFS_ATTRIBUTE(run_ops, run_get, NULL, "%llu\n");
static struct dentry *file;

static int __init crowd_init(void)
{
	file = debugfs_create_file_unsafe("probec_crowd", 0400, NULL, NULL, &run_ops);
	return PTR_ERR_OR_ZERO(file);
}

static void __exit crowd_exit(void)
{
	debugfs_remove(file);
}

module_init(crowd_init);
module_exit(crowd_exit);
MODULE_LICENSE("GPL");
