// SPDX-License-Identifier: GPL-2.0
/* Count entries by process name: one kprobe, one hash table under a lock. */
#include <linux/hashtable.h>
#include <linux/jhash.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

struct name {
	struct hlist_node link;
	char comm[TASK_COMM_LEN];
	u64 hits;
};

static DEFINE_HASHTABLE(table, 8);
static DEFINE_RAW_SPINLOCK(lock);
static struct name names[256];
static unsigned int used;

static int on_entry(struct kprobe *p, struct pt_regs *regs)
{
	char comm[TASK_COMM_LEN];
	unsigned long flags;
	struct name *n;
	u32 key;

	strscpy_pad(comm, current->comm, sizeof(comm));
	key = jhash2((u32 *)comm, sizeof(comm) / 4, 0);
	raw_spin_lock_irqsave(&lock, flags);
	hash_for_each_possible(table, n, link, key)
		if (memcmp(n->comm, comm, sizeof(comm)) == 0)
			goto found;
	if (used == ARRAY_SIZE(names))
		goto out;
	n = &names[used++];
	memcpy(n->comm, comm, sizeof(comm));
	hash_add(table, &n->link, key);
found:
	n->hits++;
out:
	raw_spin_unlock_irqrestore(&lock, flags);
	return 0;
}

static struct kprobe probe = { .symbol_name = "__x64_sys_getppid", .pre_handler = on_entry };

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
