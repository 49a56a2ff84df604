/* SPDX-License-Identifier: GPL-2.0 */
/* A table of process names: one hash table under a lock, as a kernel developer writes it. */
#include <linux/hashtable.h>
#include <linux/jhash.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

struct name {
	struct hlist_node link;
	char comm[TASK_COMM_LEN];
	u64 hits, bytes;
};

static DEFINE_HASHTABLE(table, 8);
static DEFINE_RAW_SPINLOCK(lock);
static struct name names[256];
static unsigned int used;

/* Counts a hit of the current process. */
static __always_inline void count_hit(u64 bytes)
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
	n->bytes += bytes;
out:
	raw_spin_unlock_irqrestore(&lock, flags);
}
