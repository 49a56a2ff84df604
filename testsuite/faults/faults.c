/* SPDX-License-Identifier: GPL-2.0 */
/* A module that makes one mistake when it is loaded, which the checked kernel must report:
 * vm/faults.sh. */
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timer.h>

static char *fault = "none";
module_param(fault, charp, 0);
MODULE_PARM_DESC(fault, "what to do wrong");

/* These are volatile so that gcc neither sees nor removes the mistakes. */
static char *volatile memory;
static volatile int amount;

static noinline void probed(void)
{
	amount++;
}

static int allocate_in_handler(struct kprobe *kp, struct pt_regs *regs)
{
	kfree(kmalloc(64, GFP_KERNEL));
	return 0;
}

static int sleep_in_handler(void)
{
	static struct kprobe kp = { .addr = (kprobe_opcode_t *)probed,
				    .pre_handler = allocate_in_handler };
	int err = register_kprobe(&kp);

	if (err)
		return err;
	probed();
	unregister_kprobe(&kp);
	return 0;
}

static int use_after_free(void)
{
	memory = kmalloc(64, GFP_KERNEL);
	kfree(memory);
	amount = memory[8];
	return 0;
}

static int out_of_bounds(void)
{
	memory = kmalloc(60, GFP_KERNEL);
	amount = memory ? memory[60] : 0;
	kfree(memory);
	return 0;
}

static int out_of_bounds_global(void)
{
	static char room[60];

	memory = room;
	amount = memory[60];
	return 0;
}

static DEFINE_MUTEX(first);
static DEFINE_MUTEX(second);

static int lock_inversion(void)
{
	mutex_lock(&first);
	mutex_lock(&second);
	mutex_unlock(&second);
	mutex_unlock(&first);
	mutex_lock(&second);
	mutex_lock(&first);
	mutex_unlock(&first);
	mutex_unlock(&second);
	return 0;
}

static int *shared;

static int outside_rcu(void)
{
	amount = rcu_dereference(shared) ? 1 : 0;
	return 0;
}

static int long_shift(void)
{
	amount = 40;
	amount = 1 << amount;
	return 0;
}

static int preemption_left_off(void)
{
	preempt_disable();
	return 0;
}

static int twice_deleted(void)
{
	static LIST_HEAD(list);
	static struct list_head entry;

	list_add(&entry, &list);
	list_del(&entry);
	list_del(&entry);
	return 0;
}

static int counted_from_zero(void)
{
	static refcount_t users = REFCOUNT_INIT(0);

	refcount_inc(&users);
	return 0;
}

static void on_timer(struct timer_list *timer)
{
}

/* Leaves a timer active when the module is removed. */
static int live_timer(void)
{
	static struct timer_list timer;

	timer_setup(&timer, on_timer, 0);
	mod_timer(&timer, jiffies + 1000 * HZ);
	return 0;
}

/* Leaks ten objects, because the address of the last one may remain in a register or on a stack. */
static int leak(void)
{
	int i;

	for (i = 0; i < 10; i++)
		memory = kmalloc(72, GFP_KERNEL);
	memory = NULL;
	return 0;
}

static int nothing(void)
{
	return 0;
}

static const struct {
	const char *name;
	int (*make)(void);
} faults[] = {
	{ "none", nothing },
	{ "sleep", sleep_in_handler },
	{ "use-after-free", use_after_free },
	{ "out-of-bounds", out_of_bounds },
	{ "global-out-of-bounds", out_of_bounds_global },
	{ "lock-inversion", lock_inversion },
	{ "outside-rcu", outside_rcu },
	{ "shift", long_shift },
	{ "preemption-off", preemption_left_off },
	{ "list", twice_deleted },
	{ "refcount", counted_from_zero },
	{ "timer", live_timer },
	{ "leak", leak },
};

static int __init faults_init(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(faults); i++)
		if (strcmp(faults[i].name, fault) == 0)
			return faults[i].make();
	return -EINVAL;
}
module_init(faults_init);

static void __exit faults_exit(void)
{
}
module_exit(faults_exit);

MODULE_DESCRIPTION("faults for the checked kernel to find");
MODULE_LICENSE("GPL");
