/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts each call of each function that ftrace knows, from the time the module is loaded.
 * vm/storm.sh compares probec's counts with these. debugfs's file "tally" has a line "FUNCTION
 * CALLS" for each function that was called.
 *
 * A function finds its slot by open addressing and keeps it. A counter has one writer, its
 * processor, and is incremented by one instruction, so that no interrupt can come between.
 */
#include <linux/debugfs.h>
#include <linux/ftrace.h>
#include <linux/hash.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/seq_file.h>
#include <linux/vmalloc.h>
#include <asm/local.h>

#define BITS  17
#define SLOTS (1u << BITS)

static unsigned long slots[SLOTS];
static DEFINE_PER_CPU(local_t *, calls);
static struct dentry *file;

/* Returns SLOTS if the table, which is three times as large as the number of functions, is full. */
static u32 slot_of(unsigned long ip)
{
	u32 i = hash_long(ip, BITS), tries;

	for (tries = 0; tries < SLOTS; tries++, i = (i + 1) % SLOTS) {
		unsigned long at = READ_ONCE(slots[i]);

		if (!at)
			at = cmpxchg(&slots[i], 0, ip);
		if (!at || at == ip)
			return i;
	}
	return SLOTS;
}

/* The flag makes the kernel call count() with preemption off. Before 5.11 it does so for each
 * handler that does not ask for the opposite, and passes all registers. */
#ifdef HAVE_FTRACE_REGS
#define PROTECTED FTRACE_OPS_FL_RECURSION
#else
#define PROTECTED 0
#define ftrace_regs pt_regs
#endif

static void count(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		  struct ftrace_regs *fregs)
{
	u32 i = slot_of(ip);

	if (i < SLOTS)
		local_inc(&__this_cpu_read(calls)[i]);
}

static struct ftrace_ops all = { .func = count, .flags = PROTECTED };

static void *seq_begin(struct seq_file *m, loff_t *pos)
{
	return *pos < SLOTS ? &slots[*pos] : NULL;
}

static void *seq_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return seq_begin(m, pos);
}

static void seq_end(struct seq_file *m, void *v)
{
}

static int seq_line(struct seq_file *m, void *v)
{
	unsigned long *slot = v;
	unsigned long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += local_read(&per_cpu(calls, cpu)[slot - slots]);
	if (sum)
		seq_printf(m, "%ps %lu\n", (void *)*slot, sum);
	return 0;
}

static const struct seq_operations tally_sops = {
	.start = seq_begin, .next = seq_next, .stop = seq_end, .show = seq_line,
};
DEFINE_SEQ_ATTRIBUTE(tally);

static void free_calls(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		vfree(per_cpu(calls, cpu));
}

static int __init tally_init(void)
{
	int cpu, err = 0;

	for_each_possible_cpu(cpu) {
		per_cpu(calls, cpu) = vzalloc(SLOTS * sizeof(local_t));
		if (!per_cpu(calls, cpu))
			err = -ENOMEM;
	}
	if (!err)
		err = register_ftrace_function(&all);
	if (err) {
		free_calls();
		return err;
	}
	file = debugfs_create_file("tally", 0400, NULL, NULL, &tally_fops);
	return 0;
}
module_init(tally_init);

static void __exit tally_exit(void)
{
	debugfs_remove(file);
	unregister_ftrace_function(&all);
	free_calls();
}
module_exit(tally_exit);

MODULE_DESCRIPTION("counts the calls of every function");
MODULE_LICENSE("GPL");
