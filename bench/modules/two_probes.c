// SPDX-License-Identifier: GPL-2.0
/* The equivalent of ../two-probes.kp, written by hand: entry and return of vfs_read, a table by
 * process, a histogram. */
#include <linux/hashtable.h>
#include <linux/jhash.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

struct name {
	struct hlist_node link;
	char comm[TASK_COMM_LEN];
	u64 calls, bytes;
};

static DEFINE_HASHTABLE(table, 8);
static DEFINE_RAW_SPINLOCK(lock);
static struct name names[256];
static unsigned int used;
static DEFINE_PER_CPU(u64[65], sizes);

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
	n->calls++;
	n->bytes += regs_get_kernel_argument(regs, 2);
out:
	raw_spin_unlock_irqrestore(&lock, flags);
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
		pr_info("bench: %s %llu %llu\n", names[i].comm, names[i].calls, names[i].bytes);
}

module_init(two_probes_init);
module_exit(two_probes_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("bench: two probes by hand");
