/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The life of trampolines. A trampoline is free, used, or draining: given back, while calls may
 * still be inside. Two counters for each processor count the calls in and out; a grace period of
 * RCU's tasks flavour covers the few instructions before the first and after the second counter.
 * Each trampoline that is not free holds a reference to the module.
 *
 * Built without -pg, so that nothing of this is traced.
 */
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/workqueue.h>
#include <asm/ptrace.h>

#include "arch/arch.h"
#include "direct.h"

enum { LOOK_MS = 200 };
enum state { FREE, USED, DRAINING };

struct calls {
	unsigned long in, out;
};

/* The trampolines in arch/ rely on the layout of this struct and the next one. */
struct prt_trampoline {
	struct prt_direct_user *user;
	struct calls __percpu *calls;
	unsigned long address;       /* of the trampoline */
	enum state state;
};

/* On the stack of a call with something to do at its entry. */
struct stack_frame {
	struct pt_regs regs;
	struct prt_trampoline *trampoline;
	unsigned long second;        /* the other half of a value in two registers */
	u64 wanted;                  /* its low byte */
	u64 data[PRT_DIRECT_DATA / 8];
};

extern const char prt_direct_stubs[], prt_direct_bare_stubs[];

extern struct prt_trampoline prt_trampolines[]; /* arch/x86_trampoline.S */
struct prt_trampoline prt_trampolines[PRT_TRAMPOLINES];
static struct prt_trampoline *const trampolines = prt_trampolines;
static DEFINE_MUTEX(lock);           /* states */

/* Replace the functions of a user that has released its trampoline. */
static bool nobody_enters(struct prt_direct_user *u, struct pt_regs *regs, u64 *data)
{
	return false;
}

static void nobody_leaves(struct prt_direct_user *u, struct pt_regs *regs, u64 *data, s64 value)
{
}

static struct prt_direct_user nobody = { .enter = nobody_enters, .leave = nobody_leaves };

/* ---- draining ---- */

static bool is_empty(const struct prt_trampoline *trampoline)
{
	unsigned long in = 0, out = 0;
	int cpu;

	/* `out` is read first: a call that is seen to leave is also seen to have entered. */
	for_each_possible_cpu(cpu)
		out += READ_ONCE(per_cpu_ptr(trampoline->calls, cpu)->out);
	smp_mb();
	for_each_possible_cpu(cpu)
		in += READ_ONCE(per_cpu_ptr(trampoline->calls, cpu)->in);
	return in == out;
}

static void drain(struct work_struct *work);
static DECLARE_DELAYED_WORK(drain_work, drain);

/* Finds the trampolines that drain and have no call inside; returns their number. */
static u32 find_empty(bool *empty)
{
	u32 i, n = 0;

	mutex_lock(&lock);
	for (i = 0; i < PRT_TRAMPOLINES; i++) {
		empty[i] = trampolines[i].state == DRAINING && is_empty(&trampolines[i]);
		n += empty[i];
	}
	mutex_unlock(&lock);
	return n;
}

static void drain(struct work_struct *work)
{
	bool empty[PRT_TRAMPOLINES];
	u32 i, left = 0;

	if (find_empty(empty)) {
		/* Wait until all calls on the way in have been counted, */
		synchronize_rcu_tasks();
		find_empty(empty);
		/* and until all calls on the way out have left. */
		synchronize_rcu_tasks();
	}
	mutex_lock(&lock);
	for (i = 0; i < PRT_TRAMPOLINES; i++) {
		if (empty[i]) {
			free_percpu(trampolines[i].calls);
			trampolines[i] = (struct prt_trampoline){};
			module_put(THIS_MODULE);
		}
		left += trampolines[i].state == DRAINING;
	}
	if (left)
		queue_delayed_work(system_unbound_wq, &drain_work, msecs_to_jiffies(LOOK_MS));
	mutex_unlock(&lock);
}

/* ---- the exported interface ---- */

static int take_trampoline(struct prt_direct_user *u)
{
	struct calls __percpu *calls;
	int nr;

	if (!prt_arch_own_interrupts())
		return -EOPNOTSUPP;
	calls = alloc_percpu(struct calls);
	if (!calls)
		return -ENOMEM;
	mutex_lock(&lock);
	for (nr = 0; nr < PRT_TRAMPOLINES && trampolines[nr].state != FREE; nr++)
		;
	if (nr < PRT_TRAMPOLINES) {
		__module_get(THIS_MODULE);
		trampolines[nr].state = USED;
		trampolines[nr].calls = calls;
		trampolines[nr].address = (unsigned long)(u->enter ? prt_direct_stubs :
							       prt_direct_bare_stubs) + 16 * nr;
		smp_store_release(&trampolines[nr].user, u);
	}
	mutex_unlock(&lock);
	if (nr < PRT_TRAMPOLINES)
		return nr;
	free_percpu(calls);
	return -ENOSPC;
}

static unsigned long address(int nr)
{
	return trampolines[nr].address;
}

static void gate(int nr)
{
	WRITE_ONCE(trampolines[nr].user, &nobody);
}

static void release(int nr)
{
	mutex_lock(&lock);
	trampolines[nr].state = DRAINING;
	queue_delayed_work(system_unbound_wq, &drain_work, 0);
	mutex_unlock(&lock);
}

const struct prt_direct probec_direct = {
	.version = PRT_DIRECT_VERSION, .take = take_trampoline, .address = address, .gate = gate,
	.release = release,
};
EXPORT_SYMBOL_GPL(probec_direct);

static int __init direct_init(void)
{
	enum { SIZE = sizeof(struct pt_regs) };

	prt_arch_check_direct();
	BUILD_BUG_ON(offsetof(struct stack_frame, trampoline) != SIZE ||
		     offsetof(struct stack_frame, second) != SIZE + 8 ||
		     offsetof(struct stack_frame, wanted) != SIZE + 16 ||
		     offsetof(struct stack_frame, data) != SIZE + 24 ||
		     sizeof(struct stack_frame) != SIZE + 88);
	BUILD_BUG_ON(offsetof(struct prt_trampoline, user) != 0 ||
		     offsetof(struct prt_trampoline, calls) != 8 ||
		     sizeof(struct prt_trampoline) != 32 || offsetof(struct calls, in) != 0 ||
		     offsetof(struct calls, out) != 8 ||
		     offsetof(struct prt_direct_user, enter) != PRT_DIRECT_USER_ENTER ||
		     offsetof(struct prt_direct_user, leave) != PRT_DIRECT_USER_LEAVE);
	return 0;
}
module_init(direct_init);

static void __exit direct_exit(void)
{
	cancel_delayed_work_sync(&drain_work);
}
module_exit(direct_exit);

MODULE_DESCRIPTION("trampolines of return probes, while a call is inside");
MODULE_LICENSE("GPL");
