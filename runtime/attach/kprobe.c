/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entry probes at addresses that ftrace does not know: a kprobe each.
 *
 * All of them are registered first, switched off, while no breakpoint slows the machine down. Then
 * they are switched on, which is one store into the code for each. The kernel would make jumps of
 * them meanwhile: soon after the first it begins to wait for a grace period, in which no kprobe can
 * be registered or switched on, and does so again for each few that come between two such waits.
 * With thousands of places that takes many minutes on a busy machine, at the full cost of a
 * breakpoint for each hit. So where there are many, a second kprobe at each place, never switched
 * on, holds the jumps back until all are there. Then the second ones go, and the kernel makes the
 * jumps, many at a time.
 *
 * The kernel makes jumps of kprobes after a while, and takes a jump back some time after its last
 * kprobe was unregistered. When a module goes in between, the kernel forgets to free what stood for
 * that address, and warns when the next module is probed there. A kprobe with a post_handler never
 * becomes a jump, so those in modules have one. Without CONFIG_OPTPROBES, as on arm64, there are no
 * jumps.
 *
 * Neither may what other code jumps into: form.c.
 *
 * A probe that leaves the function without running it changes where the processor goes on, which a
 * jump does not obey either. Where the address is ftrace's there are no jumps, and a post_handler
 * there would ask for the sole right to do so.
 */
#include <linux/kprobes.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "arch/arch.h"
#include "attach.h"
#include "budget.h"
#include "compat/kprobes.h"
#include "context.h"
#include "memory.h"

struct entry_kprobe {
	struct kprobe kp;
	const struct prt_point *point;
	struct prt_compat_faults faults;
	bool registered;
};

PRT_COMPAT_FAULT_FUNCTION(kprobe_fault, entry_kprobe, kp)

static int kprobe_hit(struct kprobe *kp, struct pt_regs *regs)
{
	const struct prt_point *p = container_of(kp, struct entry_kprobe, kp)->point;
	struct prt_span span = prt_point_span(p, regs);
	unsigned long ip = prt_arch_ip(regs);
	u32 i;

	for (i = span.from; i < span.to; i++)
		prt_context_hit(p->pairs[i].probe, p->pairs[i].site, regs, NULL, 0);
	return prt_arch_ip(regs) != ip;
}
NOKPROBE_SYMBOL(kprobe_hit);

/* The hit function of the script, if there is one. */
static kprobe_pre_handler_t hit_of_kprobe(const struct prt_point *point)
{
	const struct prt_probe *own = prt_point_own(point);

	if (!own || !own->hit_place || own->flags & PRT_OVERRIDES)
		return kprobe_hit;
	return own->hit_place;
}

static void kprobe_after(struct kprobe *kp, struct pt_regs *regs, unsigned long flags)
{
}
NOKPROBE_SYMBOL(kprobe_after);

void prt_kprobe_plain(struct kprobe *kp, struct prt_point *point)
{
	if (IS_ENABLED(CONFIG_OPTPROBES) &&
	    (point->pairs[0].site->module || !prt_form_may_jump(point)))
		kp->post_handler = kprobe_after;
}

/* ---- arming ---- */

static int register_disabled(struct entry_kprobe *probe)
{
	int err;

	probe->kp.flags = KPROBE_FLAG_DISABLED;
	err = prt_register(register_kprobe(&probe->kp));
	probe->registered = !err;
	return err;
}

static int register_overriding(struct entry_kprobe *probe)
{
	struct kprobe again = probe->kp;
	int err = register_disabled(probe);

	if (err || (probe->kp.flags & KPROBE_FLAG_FTRACE))
		return err;
	unregister_kprobe(&probe->kp);
	probe->kp = again;
	probe->kp.post_handler = kprobe_after;
	return register_disabled(probe);
}

/* One that is refused stays registered until prt_kprobe_enable(): to unregister it, the kernel
 * waits for a grace period, and there may be a thousand of them. */
static int prepare(struct entry_kprobe *probe, struct prt_point *point)
{
	int err;

	if (prt_point_flags(point) & PRT_OVERRIDES) {
		err = register_overriding(probe);
	} else {
		prt_kprobe_plain(&probe->kp, point);
		err = register_disabled(probe);
	}
	if (!err)
		err = prt_form_check(&probe->kp);
	if (!err)
		prt_sample_expect(&probe->kp);
	return err;
}

void prt_kprobe_prepare(struct prt_point *point)
{
	struct entry_kprobe *probe = point->probe;

	point->mechanism = PRT_MECH_KPROBE;
	if (!probe)
		probe = prt_alloc(1, sizeof(*probe), NUMA_NO_NODE);
	smp_store_release(&point->probe, probe);
	if (!probe) {
		point->error = -ENOMEM;
		return;
	}
	*probe = (struct entry_kprobe){ .point = point };
	if (!prt_tail_allows(point->addr)) {
		point->error = -EFAULT;
		return;
	}
	probe->kp.addr = (kprobe_opcode_t *)point->addr;
	probe->kp.pre_handler = hit_of_kprobe(point);
	prt_compat_count_faults(&probe->kp, kprobe_fault);
	point->error = prepare(probe, point);
}

static bool is_registered(const struct prt_point *p)
{
	const struct entry_kprobe *probe = p->probe;

	return p->mechanism == PRT_MECH_KPROBE && probe && probe->registered;
}

static bool is_off(const struct prt_point *p)
{
	return !p->armed;
}

static bool is_prepared(const struct prt_point *p)
{
	return is_registered(p) && is_off(p) && !p->error;
}

/* Whether the kernel may make a jump of @kp: then it has another struct kprobe for the place. */
static bool may_jump(const struct kprobe *kp)
{
	return IS_ENABLED(CONFIG_OPTPROBES) && !(kp->flags & KPROBE_FLAG_FTRACE) &&
	       !kp->post_handler && !list_empty(&kp->list);
}

struct holds {
	struct kprobe *kp;
	struct kprobe **batch;
	u32 n;
};

static void hold_jumps(struct holds *holds, const struct prt_point *points, u32 n)
{
	u32 most = 0, i;

	for (i = 0; i < n; i++)
		most += is_prepared(&points[i]);
	if (most < PRT_JUMPS_HELD)
		return;
	holds->kp = prt_alloc(most, sizeof(*holds->kp), NUMA_NO_NODE);
	holds->batch = prt_alloc(most, sizeof(*holds->batch), NUMA_NO_NODE);
	if (!holds->kp || !holds->batch)
		return;
	for (i = 0; i < n && !READ_ONCE(prt_session.stop); i++) {
		const struct entry_kprobe *probe = points[i].probe;
		struct kprobe *hold = &holds->kp[holds->n];

		if (!is_prepared(&points[i]) || !may_jump(&probe->kp))
			continue;
		*hold = (struct kprobe){ .addr = probe->kp.addr, .post_handler = kprobe_after,
					 .flags = KPROBE_FLAG_DISABLED };
		if (!register_kprobe(hold))
			holds->batch[holds->n++] = hold;
	}
}

/*
 * The kernel makes and takes back all jumps that are due in one go, without a pause, and each of
 * them is three turns of all processors. Where a turn takes @turn_ns, so many kprobes may go at
 * once that others wait for a second or two and not for a minute. Between two rounds the kernel
 * waits for a grace period.
 */
static void unregister_in_rounds(struct kprobe **batch, u32 n, u64 turn_ns)
{
	u64 most = PRT_JUMPS_MS * NSEC_PER_MSEC / (3 * turn_ns + 1);
	u32 round = clamp_t(u64, most, PRT_JUMPS_HELD, n), i;

	for (i = 0; i < n; i += round)
		unregister_kprobes(&batch[i], min(round, n - i));
}

static void release_jumps(struct holds *holds, u64 turn_ns)
{
	if (holds->n)
		unregister_in_rounds(holds->batch, holds->n, turn_ns);
	kvfree(holds->batch);
	kvfree(holds->kp);
}

/* Measures the longest of a few such turns, by disabling kprobes that are to be unregistered
 * anyway. */
static u64 try_turns(struct kprobe **batch, u32 n)
{
	u64 longest = 0, start;
	u32 i;

	for (i = 0; i < n && i < PRT_JUMPS_TURNS && n > PRT_JUMPS_HELD; i++) {
		start = ktime_get_ns();
		disable_kprobe(batch[i]);
		longest = max(longest, ktime_get_ns() - start);
	}
	return longest;
}

static bool goes(const struct prt_point *p, prt_point_wanted *wanted)
{
	return is_registered(p) && (!wanted || wanted(p));
}

/* Unregisters those of @points for which @wanted is true (NULL: all). */
static void unregister(struct prt_point *points, u32 n, prt_point_wanted *wanted)
{
	struct kprobe **batch;
	u32 found = 0, all = 0, i;

	for (i = 0; i < n; i++)
		all += goes(&points[i], wanted);
	if (!all)
		return;
	batch = prt_alloc(all, sizeof(*batch), NUMA_NO_NODE);
	for (i = 0; i < n; i++) {
		struct entry_kprobe *probe = points[i].probe;

		if (!goes(&points[i], wanted))
			continue;
		if (batch)
			batch[found++] = &probe->kp;
		else
			unregister_kprobe(&probe->kp);
	}
	if (found)
		unregister_in_rounds(batch, found, try_turns(batch, found));
	for (i = 0; i < n; i++)
		if (goes(&points[i], wanted))
			((struct entry_kprobe *)points[i].probe)->registered = false;
	kvfree(batch);
}

/* Returns whether some of @points will be breakpoints, and records this for their probes. */
static bool expect_breakpoints(const struct prt_point *points, u32 n)
{
	bool ret = false;
	u32 i, k;

	for (i = 0; i < n; i++) {
		const struct entry_kprobe *probe = points[i].probe;

		if (!is_prepared(&points[i]) || probe->kp.flags & KPROBE_FLAG_FTRACE)
			continue;
		for (k = 0; k < points[i].n; k++)
			prt_budget_by_breakpoint(points[i].pairs[k].probe, 0);
		ret = true;
	}
	return ret;
}

void prt_kprobe_enable(struct prt_point *points, u32 n)
{
	struct holds holds = {};
	u32 enabled = 0, i;
	u64 start;

	if (expect_breakpoints(points, n))
		prt_breakpoint_measure();
	hold_jumps(&holds, points, n);
	start = ktime_get_ns();
	for (i = 0; i < n && !READ_ONCE(prt_session.stop); i++) {
		struct entry_kprobe *probe = points[i].probe;

		if (!is_prepared(&points[i]))
			continue;
		points[i].error = prt_form_enable(&probe->kp);
		prt_point_set_armed(&points[i], !points[i].error);
		enabled++;
	}
	release_jumps(&holds, (ktime_get_ns() - start) / max(enabled, 1U));
	unregister(points, n, is_off);
}

void prt_kprobe_disarm(struct prt_point *points, u32 n, prt_point_wanted *wanted)
{
	unregister(points, n, wanted);
}

u64 prt_kprobe_recursed(const struct prt_point *point)
{
	const struct entry_kprobe *probe = READ_ONCE(point->probe);

	return prt_compat_missed(&probe->kp, &probe->faults);
}
