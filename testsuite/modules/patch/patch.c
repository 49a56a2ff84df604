// SPDX-License-Identifier: GPL-2.0
/* A live patch, which replaces what /proc/cmdline shows. */
#include <linux/livepatch.h>
#include <linux/module.h>
#include <linux/seq_file.h>

static int patched_show(struct seq_file *m, void *v)
{
	seq_puts(m, "patched\n");
	return 0;
}

static struct klp_func functions[] = {
	{ .old_name = "cmdline_proc_show", .new_func = patched_show },
	{ }
};
static struct klp_object objects[] = { { .funcs = functions }, { } };
static struct klp_patch patch = { .mod = THIS_MODULE, .objs = objects };

static int __init patch_init(void)
{
	return klp_enable_patch(&patch);
}
module_init(patch_init);

static void __exit patch_exit(void)
{
}
module_exit(patch_exit);

MODULE_DESCRIPTION("a live patch for tests");
MODULE_LICENSE("GPL");
MODULE_INFO(livepatch, "Y");
