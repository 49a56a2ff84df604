/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions for return probes, which commands to /dev/calls call: they sleep, wait at a gate, call
 * themselves, or end their thread. Through ftrace the module itself counts how often each was
 * called and how many tasks wait at the gate.
 */
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/kthread.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/wait.h>

#include "calls.h"

#ifdef HAVE_REGS
typedef struct ftrace_regs handler_regs;
enum { NO_RECURSION = FTRACE_OPS_FL_RECURSION };
#else
typedef struct pt_regs handler_regs;
enum { NO_RECURSION = 0 };
#endif
#ifndef HAVE_EXIT
#define kthread_complete_and_exit complete_and_exit
#endif

/* The function is neither inlined nor cloned nor turned into a loop. */
#define whole __attribute__((__noipa__, __optimize__("no-optimize-sibling-calls")))

static DECLARE_WAIT_QUEUE_HEAD(gate);
static bool is_open;
static atomic_t inside;
static volatile long zero;

static whole long calls_sleep(long ms)
{
	schedule_timeout_uninterruptible(msecs_to_jiffies(ms));
	return ms + zero;
}

static whole long calls_wait(long x)
{
	atomic_inc(&inside);
	wait_event_killable(gate, READ_ONCE(is_open));
	atomic_dec(&inside);
	return x + zero;
}

static whole long calls_deep(long n)
{
	return n > 1 ? calls_deep(n - 1) + 2 + zero : 2;
}

static whole long calls_fast(long x)
{
	return x + zero;
}

static whole long calls_die(long x)
{
	kthread_complete_and_exit(NULL, 0);
	return x;
}

static int die(void *unused)
{
	calls_die(1);
	return 0;
}

static long run_dying(void)
{
	struct task_struct *t = kthread_create(die, NULL, "calls_die");

	if (IS_ERR(t))
		return PTR_ERR(t);
	get_task_struct(t);
	wake_up_process(t);
	while (!READ_ONCE(t->exit_state))
		msleep(1);
	put_task_struct(t);
	return 0;
}

/* ---- what the module counts ---- */

static unsigned long (*const functions[])(long) = {
	(void *)calls_sleep, (void *)calls_wait, (void *)calls_deep, (void *)calls_fast,
};
static DEFINE_PER_CPU(unsigned long [ARRAY_SIZE(functions)], counts);

static void count(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		  handler_regs *regs)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(functions); i++)
		if (ip - (unsigned long)functions[i] < 16)
			this_cpu_inc(counts[i]);
}

static struct ftrace_ops ops = { .func = count, .flags = NO_RECURSION };

static unsigned long sum(int i)
{
	unsigned long all = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		all += per_cpu(counts, cpu)[i];
	return all;
}

static int show_counts(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%lu %lu %lu %lu\n", sum(0), sum(1), sum(2), sum(3));
}

static const struct kernel_param_ops count_ops = { .get = show_counts };
module_param_cb(counts, &count_ops, NULL, 0444);

static int show_inside(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%d\n", atomic_read(&inside));
}

static const struct kernel_param_ops inside_ops = { .get = show_inside };
module_param_cb(inside, &inside_ops, NULL, 0444);

/* ---- commands ---- */

static long calls_ioctl(struct file *file, unsigned int what, unsigned long arg)
{
	long i, n = 0;

	switch (what) {
	case CALLS_SLEEP: return calls_sleep(arg);
	case CALLS_WAIT: return calls_wait(arg);
	case CALLS_DEEP: return calls_deep(arg);
	case CALLS_DIE: return run_dying();
	case CALLS_FAST:
		for (i = 0; i < arg; i++)
			n += calls_fast(1);
		return n;
	case CALLS_GATE:
		WRITE_ONCE(is_open, arg);
		wake_up_all(&gate);
		return 0;
	}
	return -EINVAL;
}

static const struct file_operations file_ops = {
	.owner = THIS_MODULE, .unlocked_ioctl = calls_ioctl,
};
static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR, .name = "calls", .fops = &file_ops,
};

static int __init calls_init(void)
{
	int err = 0, i;

	for (i = 0; i < ARRAY_SIZE(functions) && !err; i++)
		err = ftrace_set_filter_ip(&ops, (unsigned long)functions[i], 0, 0);
	if (!err)
		err = register_ftrace_function(&ops);
	if (!err)
		err = misc_register(&device);
	return err;
}
module_init(calls_init);

static void __exit calls_exit(void)
{
	misc_deregister(&device);
	unregister_ftrace_function(&ops);
}
module_exit(calls_exit);

MODULE_DESCRIPTION("functions for return probes");
MODULE_LICENSE("GPL");
