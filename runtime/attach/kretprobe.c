/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Return probes by kretprobe. A function has one kretprobe, however many of our probes are on it.
 *
 * The kernel's own kprobe handler takes an instance for a call, and then asks the entry handler
 * whether to use it. Our handler, hit_call, runs before the kernel's, for three reasons. A call
 * that a condition turns away costs no instance. A call that finds no instance is counted exactly,
 * while the kernel's counter loses counts when two processors miss at once. And several pools can
 * serve one function, because the kernel's handler takes an instance from any kretprobe that it is
 * given (pools.h).
 *
 * If a function has only one probe, whose entry can't fail, functions of the script itself do all
 * this, or the two below that are the same in every script (abi/call.h). They check whether the
 * task has one more call that will return, and fill the instance of that call. Where the kernel
 * does not show such calls to modules, an entry handler notes the instance.
 *
 * A call that is inside the function when the probe is removed returns through the kernel's own
 * code, which knows that the kretprobe is gone and needs nothing of ours.
 */
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "abi/call.h"
#include "arch/arch.h"
#include "attach.h"
#include "budget.h"
#include "compat/kernel.h"
#include "compat/kprobes.h"
#include "compat/rethook.h"
#include "constant.h"
#include "memory.h"
#include "pools.h"
#include "returns.h"

/* abi/call.h describes them. */
DECLARE_PER_CPU(struct prt_call_now, prt_call_now);
DEFINE_PER_CPU(struct prt_call_now, prt_call_now);
int (*prt_call_take)(struct kprobe *kprobe, struct pt_regs *regs);

struct return_kprobe {
	struct prt_pools pools;     /* of which the first is the armed one */
	kprobe_pre_handler_t handler; /* the handler if a breakpoint leads to it */
	struct kprobe plain;        /* keeps it from being optimised to a jump: kprobe.c */
	bool is_plain;              /* that is registered */
};

PRT_COMPAT_FAULT_FUNCTION(pool_fault, prt_pool, rp.kp)

static DEFINE_PER_CPU(bool, served);     /* hit_call: the pool had an instance */

/* ---- hits ---- */

static noinline void __used call_constants(void)
{
	enum { SAVED = offsetof(struct kretprobe_instance, data) +
		      PRT_COMPAT_POOL_MARKS * sizeof(u64) };

	PRT_CONSTANT(prt_at_saved_of_instance, SAVED);
	PRT_CONSTANT(prt_at_mark, offsetof(struct kretprobe_instance, data) -
				  offsetof(struct kretprobe_instance, PRT_COMPAT_CALL));
	PRT_CONSTANT(prt_at_saved, SAVED - offsetof(struct kretprobe_instance, PRT_COMPAT_CALL));
#ifdef PRT_COMPAT_CALLS
	PRT_CONSTANT(prt_at_calls, offsetof(struct task_struct, PRT_COMPAT_CALLS));
#endif
	BUILD_BUG_ON(offsetof(struct prt_pool, rp.kp) ||
		     offsetof(struct return_kprobe, pools.first) != sizeof(struct prt_call_head));
}

/* Notes a peak of use between two checks by the work item. */
static noinline void look_at_pool(struct prt_pool *pool)
{
	int used = prt_compat_pool_used(&pool->rp, 0);

	if (used > atomic_read(&pool->marked))
		atomic_set(&pool->marked, used);
}
NOKPROBE_SYMBOL(look_at_pool);

/* @data: of an instance that was just taken. */
static __always_inline void count_use(struct prt_pool *pool, u64 *data)
{
	if (PRT_COMPAT_POOL_MARKS && unlikely(!*data)) {
		*data = 1;
		atomic_inc(&pool->marked);
	}
	if (unlikely(prt_compat_pool_low(&pool->rp)) && pool->lows++ % PRT_POOL_LOWS == 0)
		look_at_pool(pool);
}

/* Runs inside hit_call(). Interrupts may be on; no other kprobe is handled on this CPU. */
static int hit_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct prt_pool *pool = prt_pool_of(ri);
	u64 *data = (u64 *)ri->data;

	__this_cpu_write(served, true);
	count_use(pool, data);
	return !prt_returns_enter(pool->point, regs, data + PRT_COMPAT_POOL_MARKS);
}
NOKPROBE_SYMBOL(hit_entry);

/* Whether the pool had an instance for the call. */
static __always_inline bool take(struct prt_pool *pool, struct pt_regs *regs)
{
	__this_cpu_write(served, false);
	prt_call_take(&pool->rp.kp, regs);
	return likely(__this_cpu_read(served));
}

static int hit_call(struct kprobe *kp, struct pt_regs *regs)
{
	struct return_kprobe *probe = container_of(kp, struct return_kprobe, pools.first.rp.kp);
	struct prt_pool *pool;

	if (unlikely(!READ_ONCE(prt_session.running)) ||
	    !prt_returns_wanted(probe->pools.first.point, regs))
		return 0;
	for (pool = prt_pools_newest(&probe->pools); pool; pool = pool->older)
		if (take(pool, regs))
			return 0;
	prt_returns_missed(probe->pools.first.point, regs);
	return 0;
}
NOKPROBE_SYMBOL(hit_call);

/* The breakpoints at entries are charged several at one time. */
static noinline int hit_charged(struct kprobe *kp, struct pt_regs *regs)
{
	struct return_kprobe *probe = container_of(kp, struct return_kprobe, pools.first.rp.kp);

	prt_budget_alone(probe->pools.first.point->pairs[0].probe, PRT_BREAKPOINT_KERNEL);
	return probe->handler(kp, regs);
}
NOKPROBE_SYMBOL(hit_charged);

/* Runs before hit_call() or the script's own function, if a breakpoint rather than ftrace leads to
 * it. */
static int hit_breakpoint(struct kprobe *kp, struct pt_regs *regs)
{
	struct return_kprobe *probe = container_of(kp, struct return_kprobe, pools.first.rp.kp);
	u32 nr = probe->pools.first.point->pairs[0].probe;

	if (unlikely(prt_budget_count_alone(nr, PRT_BREAKPOINT_KERNEL, 1)))
		return hit_charged(kp, regs);
	return probe->handler(kp, regs);
}
NOKPROBE_SYMBOL(hit_breakpoint);

static int hit_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	prt_returns_hit(prt_pool_of(ri)->point, regs, (u64 *)ri->data + PRT_COMPAT_POOL_MARKS,
			prt_arch_retval(regs));
	return 0;
}
NOKPROBE_SYMBOL(hit_return);

/* ---- hits that the script's own functions leave ---- */

#ifdef PRT_COMPAT_CALLS
static __always_inline struct kretprobe_instance *last_call(void)
{
	struct llist_node *first = READ_ONCE(current->PRT_COMPAT_CALLS.first);

	return first ? container_of(first, struct kretprobe_instance, PRT_COMPAT_CALL) : NULL;
}

/* Returns the instance that the pool had for the call, or NULL. */
static __always_inline struct kretprobe_instance *take_own(struct prt_pool *pool,
							   struct pt_regs *regs)
{
	struct kretprobe_instance *before = last_call(), *ri;

	prt_call_take(&pool->rp.kp, regs);
	ri = last_call();
	return ri == before ? NULL : ri;
}

/* They need no entry handler. */
#define enter_own NULL
#else
static __always_inline struct kretprobe_instance *take_own(struct prt_pool *pool,
							   struct pt_regs *regs)
{
	const char *call;

	__this_cpu_write(prt_call_now.last, NULL);
	prt_call_take(&pool->rp.kp, regs);
	call = __this_cpu_read(prt_call_now.last);
	return call ? container_of((void *)call, struct kretprobe_instance, PRT_COMPAT_CALL) : NULL;
}

static int enter_own(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	__this_cpu_write(prt_call_now.last, (const char *)&ri->PRT_COMPAT_CALL);
	return 0;
}
NOKPROBE_SYMBOL(enter_own);
#endif

int prt_call_look(const char *call)
{
	struct kretprobe_instance *ri =
		container_of((void *)call, struct kretprobe_instance, PRT_COMPAT_CALL);

	__this_cpu_write(prt_call_now.until, PRT_POOL_LOOKS - 1);
	count_use(prt_pool_of(ri), (u64 *)ri->data);
	return 0;
}
NOKPROBE_SYMBOL(prt_call_look);

int prt_call_older(void)
{
	const struct prt_call_now *now = this_cpu_ptr(&prt_call_now);
	struct return_kprobe *probe =
		container_of(now->kprobe, struct return_kprobe, pools.first.rp.kp);
	const struct prt_point *p = probe->pools.first.point;
	struct pt_regs *regs = now->regs;
	struct prt_pool *pool;

	for (pool = prt_pools_newest(&probe->pools); pool; pool = pool->older) {
		struct kretprobe_instance *ri = take_own(pool, regs);
		u64 *data;

		if (!ri)
			continue;
		data = (u64 *)ri->data;
		prt_returns_enter_one(&p->pairs[0], regs, data + PRT_COMPAT_POOL_MARKS);
		count_use(pool, data);
		return 0;
	}
	if (READ_ONCE(prt_session.running))
		prt_returns_missed(p, regs);
	return 0;
}
NOKPROBE_SYMBOL(prt_call_older);

/* ---- functions for the entry that are the same in every script ---- */

#define PRT_TASK_HERE(task) (task = (const char *)prt_arch_current())
PRT_CALL_FUNCTION(prt_call_plain, PRT_UNTIMED, NULL, NULL)
NOKPROBE_SYMBOL(prt_call_plain);
PRT_CALL_FUNCTION(prt_call_timed, PRT_TIMED, NULL, NULL)
NOKPROBE_SYMBOL(prt_call_timed);
#undef PRT_TASK_HERE

/* ---- arming ---- */

/* For addresses in modules at which ftrace has no call. */
static int make_plain(struct return_kprobe *probe, struct prt_point *point)
{
	int err;

	probe->plain.addr = (kprobe_opcode_t *)point->addr;
	prt_kprobe_plain(&probe->plain, point);
	if (!probe->plain.post_handler || (probe->pools.first.rp.kp.flags & KPROBE_FLAG_FTRACE))
		return 0;
	err = prt_register(register_kprobe(&probe->plain));
	if (err)
		unregister_kretprobe(&probe->pools.first.rp);
	probe->is_plain = !err;
	return err;
}

/* Registers it disabled, with our own handler in its kprobe. */
static int register_return(struct kretprobe *rp, kprobe_pre_handler_t handler)
{
	int err;

	rp->kp.flags = KPROBE_FLAG_DISABLED;
	err = prt_register(register_kretprobe(rp));
	if (err)
		return err;
	prt_compat_pool_unmark(rp);
	prt_compat_count_faults(&rp->kp, pool_fault);
	prt_call_take = rp->kp.pre_handler;
	rp->kp.pre_handler = handler;
	return 0;
}

/* If this fails, it is not registered any more. */
static int enable_return(struct kretprobe *rp)
{
	int err = prt_register(enable_kretprobe(rp));

	/* If all kprobes are switched off, the kernel reports no error and never arms it. */
	if (!err && (rp->kp.flags & KPROBE_FLAG_DISABLED))
		err = -ESHUTDOWN;
	if (err)
		unregister_kretprobe(rp);
	return err;
}

static int register_ours(struct return_kprobe *probe, const struct prt_point *point)
{
	struct kretprobe *rp = &probe->pools.first.rp;
	const struct prt_probe *own = prt_point_own(point);
	int err = register_return(rp, own && own->call ? own->call : hit_call);

	if (err)
		return err;
	if (!(rp->kp.flags & KPROBE_FLAG_FTRACE)) {
		prt_breakpoint_measure();
		probe->handler = rp->kp.pre_handler;
		rp->kp.pre_handler = hit_breakpoint;
	}
	err = prt_form_check(&rp->kp);
	prt_sample_expect(&rp->kp);
	if (!err)
		return enable_return(rp);
	unregister_kretprobe(rp);
	return err;
}

/* ---- the cost within elapsed times ---- */

static int cost_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	prt_cost_returned(((u64 *)ri->data)[PRT_COMPAT_POOL_MARKS]);
	return 0;
}
NOKPROBE_SYMBOL(cost_return);

/* At a function that ftrace knows; 0: not there. */
static u64 measure_cost(void)
{
	static const struct prt_point nowhere;
	static struct return_kprobe probe;
	struct kretprobe *rp = &probe.pools.first.rp;
	u64 ret = 0;

	probe.pools.first = (struct prt_pool){
		.point = &nowhere,
		.rp = {
			.handler = cost_return, .entry_handler = enter_own,
			.data_size = (PRT_COMPAT_POOL_MARKS + 1) * sizeof(u64),
			.maxactive = num_possible_cpus() + 1,
			.kp.addr = (kprobe_opcode_t *)prt_traced,
		},
	};
	probe.pools.head.newest = &rp->kp;
	if (register_return(rp, prt_call_timed) || enable_return(rp))
		return 0;
	if (rp->kp.flags & KPROBE_FLAG_FTRACE)
		ret = prt_cost_run();
	unregister_kretprobe(rp);
	return ret;
}

static void init_pool(struct prt_pool *pool, const struct prt_point *point, size_t data_size,
		      s64 size)
{
	const struct prt_probe *own = prt_point_own(point);

	*pool = (struct prt_pool){
		.point = point,
		.rp = {
			.handler = own && own->hit_return ?
					   own->hit_return : hit_return,
			.entry_handler = own && own->call ? enter_own : hit_entry,
			.data_size = data_size, .maxactive = size,
		},
	};
}

static int arm(struct return_kprobe *probe, struct prt_point *point, u32 n)
{
	static struct prt_cost of_returns;
	size_t data_size = prt_returns_layout(point) + PRT_COMPAT_POOL_MARKS * sizeof(u64);
	struct kretprobe *rp = &probe->pools.first.rp;
	bool own;
	s64 size = prt_pools_size(point, data_size, n, &own);
	u64 cost = prt_cost_before(point, &of_returns, measure_cost);
	int err;

	if (!size)
		return -ENOMEM;
	init_pool(&probe->pools.first, point, data_size, size);
	rp->kp.addr = (kprobe_opcode_t *)point->addr;
	prt_pools_init(&probe->pools, size);
	err = register_ours(probe, point);
	if (err)
		return err;
	err = make_plain(probe, point);
	if (err)
		return err;
	prt_pools_begin(&probe->pools, !own);
	if (rp->kp.flags & KPROBE_FLAG_FTRACE)
		prt_cost_set(point, cost);
	return 0;
}

void prt_kretprobe_arm(struct prt_point *point, u32 n)
{
	struct return_kprobe *probe = point->probe;

	point->mechanism = PRT_MECH_KRETPROBE;
	if (!probe)
		probe = prt_alloc(1, sizeof(*probe), NUMA_NO_NODE);
	smp_store_release(&point->probe, probe);
	if (!probe || prt_compat_in_each_return(point->addr)) {
		point->error = probe ? -EINVAL : -ENOMEM;
		return;
	}
	*probe = (struct return_kprobe){};
	point->error = prt_tail_allows(point->addr) ? arm(probe, point, n) : -EFAULT;
	prt_point_set_armed(point, !point->error);
}

static void forget_pools(struct return_kprobe *probe)
{
	prt_pools_drop(&probe->pools);
	if (probe->is_plain)
		unregister_kprobe(&probe->plain);
	probe->is_plain = false;
}

static bool is_ours(const struct prt_point *p, prt_point_wanted *wanted)
{
	return p->armed && p->mechanism == PRT_MECH_KRETPROBE && (!wanted || wanted(p));
}

/* The kernel keeps all other users of kprobes waiting while it disarms those of a call. */
static void unregister_returns(struct kretprobe **batch, u32 n, bool count)
{
	u32 i, k, round;

	for (i = 0; i < n; i += round) {
		round = min_t(u32, n - i, PRT_RETURNS_ROUND);
		unregister_kretprobes(&batch[i], round);
		for (k = i; count && k < i + round; k++)
			prt_sites_untried(container_of(batch[k], struct prt_pool, rp)->point);
	}
}

/* If all of them go, they are counted back, which shows a user how it goes on. */
void prt_kretprobe_disarm(struct prt_point *points, u32 n, prt_point_wanted *wanted)
{
	struct kretprobe **batch = prt_alloc(n + 1, sizeof(*batch), NUMA_NO_NODE);
	u32 i, armed = 0;

	for (i = 0; i < n; i++) {
		struct return_kprobe *probe = points[i].probe;

		if (!is_ours(&points[i], wanted))
			continue;
		if (batch)
			batch[armed++] = &probe->pools.first.rp;
		else
			unregister_kretprobe(&probe->pools.first.rp);
	}
	if (armed)
		unregister_returns(batch, armed, !wanted);
	kvfree(batch);
	for (i = 0; i < n; i++)
		if (is_ours(&points[i], wanted))
			forget_pools(points[i].probe);
}

u64 prt_kretprobe_recursed(const struct prt_point *point)
{
	const struct return_kprobe *probe = READ_ONCE(point->probe);

	return prt_compat_missed(&probe->pools.first.rp.kp, &probe->pools.first.faults);
}

void prt_kretprobe_status(const struct prt_point *point, struct prt_site_status *ret)
{
	const struct return_kprobe *probe = READ_ONCE(point->probe);

	if (!probe)
		return;
	ret->pool = READ_ONCE(probe->pools.size);
	ret->grown = READ_ONCE(probe->pools.grown);
	ret->limited = READ_ONCE(probe->pools.limited);
}
