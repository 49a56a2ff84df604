/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A module to be probed: vm/modules.sh. Writing N to its parameter `run` calls each function N
 * times. With `busy`, a thread on each processor calls prey_add() until the module is removed. The
 * module counts the calls of prey_add() itself.
 */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "prey.h"

static atomic_long_t calls;
static struct task_struct *threads[NR_CPUS];
static bool busy;
module_param(busy, bool, 0);

/* Volatile, so that gcc cannot compute what prey_add() returns. */
static volatile long extra = VARIANT;

static prey_whole int prey_add(int a, unsigned short b)
{
	atomic_long_inc(&calls);
	return a + b + extra;
}

static prey_whole long prey_thing(const struct prey_thing *t)
{
	return t->next->number + extra;
}

static prey_whole long prey_twin(long x)
{
	barrier();
	return x + 1000;
}

static prey_whole long __init prey_early(long x)
{
	barrier();
	return x * 2 + extra;
}

static prey_whole void __exit prey_late(long x)
{
	pr_info("prey: %ld %ld\n", x, atomic_long_read(&calls));
}

static int run(const char *text, const struct kernel_param *kp)
{
	struct prey_thing second = { .number = 77, .name = "second" };
	struct prey_thing first = { .number = 11, .name = "first", .next = &second };
	long n, i;

	if (kstrtol(text, 0, &n))
		return -EINVAL;
	for (i = 0; i < n; i++) {
		prey_add(-5, i);
		prey_thing(&first);
		prey_twin(i);
		prey_other(i);
	}
	return 0;
}

static const struct kernel_param_ops run_ops = { .set = run };
module_param_cb(run, &run_ops, NULL, 0200);

static int call(void *unused)
{
	while (!kthread_should_stop()) {
		prey_add(1, 2);
		/* cond_resched() alone would delay the removal of a probe, which waits for RCU
		 * tasks. */
		cond_resched_tasks_rcu_qs();
	}
	return 0;
}

static void stop_threads(void)
{
	unsigned int cpu;

	for_each_online_cpu(cpu)
		if (threads[cpu])
			kthread_stop(threads[cpu]);
}

static int __init prey_init(void)
{
	unsigned int cpu;
	long x;

	x = prey_early(1);
	prey_early(x + prey_early(2));
	for_each_online_cpu(cpu) {
		struct task_struct *t = busy ? kthread_create(call, NULL, "prey/%u", cpu) : NULL;

		if (!t)
			continue;
		if (IS_ERR(t)) {
			stop_threads();
			return PTR_ERR(t);
		}
		kthread_bind(t, cpu);
		threads[cpu] = t;
		wake_up_process(t);
	}
	return 0;
}
module_init(prey_init);

static void __exit prey_exit(void)
{
	stop_threads();
	prey_late(9);
}
module_exit(prey_exit);

MODULE_DESCRIPTION("functions to be probed");
MODULE_LICENSE("GPL");
