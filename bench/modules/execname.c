// SPDX-License-Identifier: GPL-2.0
/* Count entries by process name: one kprobe, one hash table under a lock. */
#include <linux/kprobes.h>
#include <linux/module.h>

#include "calls.h"
#include "names.h"

static int on_entry(struct kprobe *p, struct pt_regs *regs)
{
	count_hit(0);
	return 0;
}

static struct kprobe probe = { .symbol_name = CALL_FUNCTION(getppid), .pre_handler = on_entry };

static int __init execname_init(void)
{
	return register_kprobe(&probe);
}

static void __exit execname_exit(void)
{
	unsigned int i;

	unregister_kprobe(&probe);
	for (i = 0; i < used; i++)
		pr_info("bench: %s %llu\n", names[i].comm, names[i].hits);
}

module_init(execname_init);
module_exit(execname_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("bench: count entries by process name");
