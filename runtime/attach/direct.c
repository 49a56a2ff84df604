/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Return probes by direct calls: each function gets a trampoline of the module probec_direct
 * (direct/direct.h). Only --direct selects them, because a function can have one direct call only,
 * and another user of ftrace may need it. A kretprobe is used instead for functions whose
 * parameters may not all lie in registers, functions of modules, handlers that need or set other
 * registers, too many entry values, a function that already has a direct call, and kernels without
 * direct calls.
 */
#include <linux/ftrace.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "attach.h"
#include "compat/ftrace.h"
#include "direct/direct.h"
#include "global.h"
#include "memory.h"
#include "returns.h"

#ifdef PRT_COMPAT_DIRECT

struct direct_call {
	struct ftrace_ops ops;
	struct prt_direct_user user;
	const struct prt_point *point;
	int nr;                       /* of the trampoline */
};

static const struct prt_direct *trampolines; /* held while not NULL */

static bool hit_enter(struct prt_direct_user *u, struct pt_regs *regs, u64 *data)
{
	const struct prt_point *p = container_of(u, struct direct_call, user)->point;

	return likely(READ_ONCE(prt_session.running)) && prt_returns_wanted(p, regs) &&
	       prt_returns_enter(p, regs, data);
}
NOKPROBE_SYMBOL(hit_enter);

static void hit_leave(struct prt_direct_user *u, struct pt_regs *regs, u64 *data, s64 value)
{
	prt_returns_hit(container_of(u, struct direct_call, user)->point, regs, data, value);
}
NOKPROBE_SYMBOL(hit_leave);

/* Uses the functions of the script if that is possible. */
static struct prt_direct_user user_of(const struct prt_point *p)
{
	const struct prt_probe *own = prt_point_own(p);
	struct prt_direct_user user = { .enter = hit_enter, .leave = hit_leave };

	if (!own || !own->leave)
		return user;
	user.leave = own->leave;
	if (own->enter)
		user.enter = own->enter;
	else if (own->flags & PRT_BARE && !own->cond && !own->entry)
		user.enter = NULL;
	return user;
}

static bool is_suitable(struct prt_point *p)
{
	u32 i;

	for (i = 0; i < p->n; i++) {
		const struct prt_probe *probe = &prt_script.probes[p->pairs[i].probe];

		if (!p->pairs[i].site->direct ||
		    probe->flags & (PRT_NEED_REGS | PRT_SETS_REGS | PRT_OVERRIDES))
			return false;
	}
	return prt_returns_layout(p) <= PRT_DIRECT_DATA;
}

static bool get_trampolines(void)
{
	const struct prt_direct *found;

	if (trampolines)
		return true;
	found = symbol_get(probec_direct);
	if (!found)
		return false;
	if (found->version == PRT_DIRECT_VERSION)
		trampolines = found;
	else
		symbol_put(probec_direct);
	return trampolines;
}

/* Unregisters @call, waiting until no task is in the code of its ops, and releases its
 * trampoline. */
static void let_go(struct direct_call *call, bool registered)
{
	if (registered)
		prt_compat_direct_unregister(&call->ops, call->point->addr,
					     trampolines->address(call->nr));
	prt_compat_ftrace_free(&call->ops);
	trampolines->release(call->nr);
}

/* Makes a direct call at @point, which calls @user. Returns NULL if that is not possible. */
static struct direct_call *make_call(const struct prt_point *point, struct prt_direct_user user)
{
	struct direct_call *call = prt_alloc(1, sizeof(*call), NUMA_NO_NODE);
	int err;

	if (!call)
		return NULL;
	prt_compat_direct_share(&call->ops);
	call->point = point;
	call->user = user;
	call->nr = trampolines->take(&call->user);
	if (call->nr >= 0) {
		err = prt_register(ftrace_set_filter_ip(&call->ops, point->addr, 0, 1));
		if (!err)
			err = prt_register(prt_compat_direct_register(&call->ops, point->addr,
								trampolines->address(call->nr)));
		if (!err)
			return call;
		trampolines->gate(call->nr);
		let_go(call, false);
		prt_global_grace();
	}
	kvfree(call);
	return NULL;
}

/* ---- the cost within elapsed times ---- */

static bool cost_enter(struct prt_direct_user *u, struct pt_regs *regs, u64 *data)
{
	*data = prt_clock_read();
	return true;
}
NOKPROBE_SYMBOL(cost_enter);

static void cost_leave(struct prt_direct_user *u, struct pt_regs *regs, u64 *data, s64 value)
{
	prt_cost_returned(*data);
}
NOKPROBE_SYMBOL(cost_leave);

static u64 direct_measure_cost(void)
{
	static const struct prt_point traced = { .addr = (unsigned long)prt_traced };
	struct direct_call *call = make_call(&traced, (struct prt_direct_user){
		.enter = cost_enter, .leave = cost_leave });
	u64 ret;

	if (!call)
		return 0;
	ret = prt_cost_run();
	trampolines->gate(call->nr);
	let_go(call, true);
	prt_global_grace();
	kvfree(call);
	return ret;
}

bool prt_direct_arm(struct prt_point *point)
{
	static struct prt_cost of_calls;
	struct direct_call *call;
	u64 cost;

	if (!prt_script.direct || !is_suitable(point) || !get_trampolines())
		return false;
	cost = prt_cost_before(point, &of_calls, direct_measure_cost);
	call = make_call(point, user_of(point));
	if (!call)
		return false;
	kvfree(point->probe);
	smp_store_release(&point->probe, call);
	point->mechanism = PRT_MECH_DIRECT;
	prt_cost_set(point, cost);
	prt_point_set_armed(point, true);
	return true;
}

void prt_direct_disarm(struct prt_point *points, u32 n, prt_point_wanted *wanted)
{
	u32 i, any = 0;

	for (i = 0; i < n; i++) {
		struct direct_call *call = points[i].probe;

		if (!points[i].armed || points[i].mechanism != PRT_MECH_DIRECT ||
		    (wanted && !wanted(&points[i])))
			continue;
		trampolines->gate(call->nr);
		let_go(call, true);
		any++;
	}
	if (any)
		prt_global_grace();
}

void prt_direct_drop(struct prt_point *point)
{
	kvfree(point->probe);
	WRITE_ONCE(point->probe, NULL);
}

void prt_direct_settle(void)
{
	if (trampolines)
		symbol_put(probec_direct);
	trampolines = NULL;
}

#else

bool prt_direct_arm(struct prt_point *point)
{
	return false;
}

void prt_direct_disarm(struct prt_point *points, u32 n, prt_point_wanted *wanted)
{
}

void prt_direct_drop(struct prt_point *point)
{
}

void prt_direct_settle(void)
{
}

#endif
