/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracepoints. The kernel calls a function that is registered at a tracepoint with the pointer
 * given at registration and then with the tracepoint's own arguments. Their types are not known
 * here. By the calling convention, the first five of them or more are in registers and the others
 * on the caller's stack, 8 bytes each. So one function with as many integer parameters as possible
 * reads all of them; what it reads beyond the actual arguments is the caller's stack, and no
 * handler uses it.
 *
 * Kernels that check the types of indirect calls do not allow this. There, the script has a
 * function of each tracepoint's type, but for those whose type it does not know, which are refused.
 */
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/sort.h>
#include <linux/tracepoint.h>

#include "arch/arch.h"
#include "attach.h"
#include "context.h"
#include "memory.h"
#include "session.h"

enum { FEW_ARGUMENTS = 5, MOST_ARGUMENTS = 12 };

bool prt_trace_site(const struct prt_site *site)
{
	return prt_script.probes[site->probe].kind == PRT_TRACE;
}

/* ---- hits ---- */

static __always_inline void trace_hit(const struct prt_point *p, const struct pt_regs *regs,
				      u64 *args)
{
	u32 i;

	for (i = 0; i < p->n; i++)
		prt_context_hit(p->pairs[i].probe, p->pairs[i].site, regs, args, 0);
}

static void notrace hit_few(void *point, u64 a, u64 b, u64 c, u64 d, u64 e)
{
	u64 args[FEW_ARGUMENTS] = { a, b, c, d, e };

	trace_hit(point, NULL, args);
}
NOKPROBE_SYMBOL(hit_few);

static void notrace hit_many(void *point, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g, u64 h,
			     u64 i, u64 j, u64 k, u64 l)
{
	u64 args[MOST_ARGUMENTS] = { a, b, c, d, e, f, g, h, i, j, k, l };

	trace_hit(point, NULL, args);
}
NOKPROBE_SYMBOL(hit_many);

/* The same for probes that take the stack, which begins with the caller's registers. */
static void notrace hit_regs(void *point, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g, u64 h,
			     u64 i, u64 j, u64 k, u64 l)
{
	u64 args[MOST_ARGUMENTS] = { a, b, c, d, e, f, g, h, i, j, k, l };
	struct pt_regs regs;

	prt_arch_caller(&regs, __builtin_frame_address(0));
	trace_hit(point, &regs, args);
}
NOKPROBE_SYMBOL(hit_regs);

static __always_inline bool needs_regs(const struct prt_point *p)
{
	u32 flags = 0, i;

	for (i = 0; i < p->n; i++)
		flags |= prt_script.probes[p->pairs[i].probe].flags;
	return flags & PRT_NEED_REGS;
}

void prt_trace_hit(void *point, u64 *args, const void *frame)
{
	struct pt_regs regs;

	if (!needs_regs(point)) {
		trace_hit(point, NULL, args);
		return;
	}
	prt_arch_caller(&regs, frame);
	trace_hit(point, &regs, args);
}
NOKPROBE_SYMBOL(prt_trace_hit);

/* NULL: there is none. The option has two names: 7.x dropped the compiler from it. */
static void *receiver_of(const struct prt_point *p)
{
	u32 nargs = 0, i;

	if (IS_ENABLED(CONFIG_CFI_CLANG) || IS_ENABLED(CONFIG_CFI))
		return (void *)p->pairs[0].site->receiver;
	for (i = 0; i < p->n; i++)
		nargs = max(nargs, prt_script.probes[p->pairs[i].probe].nargs);
	if (needs_regs(p))
		return hit_regs;
	return nargs > FEW_ARGUMENTS ? (void *)hit_many : (void *)hit_few;
}

/* ---- arming ---- */

static void trace_arm(struct prt_point *p)
{
	struct tracepoint *tp = (struct tracepoint *)p->addr;
	void *receiver = receiver_of(p);

	p->mechanism = PRT_MECH_TRACEPOINT;
	p->error = receiver ? prt_register(tracepoint_probe_register(tp, receiver, p)) :
			      -EOPNOTSUPP;
	prt_point_set_armed(p, !p->error);
}

static void trace_disarm(struct prt_point *points, u32 n)
{
	bool any = false;
	u32 i;

	for (i = 0; i < n; i++) {
		if (!points[i].armed)
			continue;
		tracepoint_probe_unregister((struct tracepoint *)points[i].addr,
					    receiver_of(&points[i]), &points[i]);
		any = true;
	}
	if (any)
		tracepoint_synchronize_unregister();
}

const struct prt_family prt_trace_family = {
	.kind = PRT_TRACE, .arm = trace_arm, .disarm = trace_disarm,
};

/* ---- where they are ---- */

/* A search for the sites of the kernel's own tracepoints, by name. */
struct tracepoint_search {
	u32 *order;
	u32 n;
};

static int by_name(const void *x, const void *y)
{
	return strcmp(prt_script.sites[*(const u32 *)x].symbol,
		      prt_script.sites[*(const u32 *)y].symbol);
}

static void found_in_kernel(struct tracepoint *tp, void *data)
{
	const struct tracepoint_search *s = data;
	u32 low = 0, high = s->n;

	while (low < high) {
		u32 mid = (low + high) / 2;

		if (strcmp(prt_script.sites[s->order[mid]].symbol, tp->name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < s->n && strcmp(prt_script.sites[s->order[low]].symbol, tp->name) == 0; low++) {
		prt_site_infos[s->order[low]].addr = (unsigned long)tp;
		prt_site_infos[s->order[low]].error = 0;
	}
}

/* Sets @modules if some tracepoints are in modules. */
static int find_in_kernel(bool *modules)
{
	struct tracepoint_search s = {
		prt_alloc(prt_script.nsites + 1, sizeof(u32), NUMA_NO_NODE),
	};
	u32 i;

	if (!s.order)
		return -ENOMEM;
	for (i = 0; i < prt_script.nsites; i++) {
		if (!prt_trace_site(&prt_script.sites[i]))
			continue;
		if (prt_script.sites[i].module) {
			*modules = true;
			continue;
		}
		prt_site_infos[i].error = -ENOENT;
		s.order[s.n++] = i;
	}
	sort(s.order, s.n, sizeof(*s.order), by_name, NULL);
	if (s.n)
		for_each_kernel_tracepoint(found_in_kernel, &s);
	kvfree(s.order);
	return 0;
}

void prt_trace_of_module(const struct module *mod, void *data,
			 void (*found)(void *data, const char *name, unsigned long addr))
{
	u32 i;

	for (i = 0; i < mod->num_tracepoints; i++) {
		struct tracepoint *tp = tracepoint_ptr_deref(&mod->tracepoints_ptrs[i]);

		found(data, tp->name, (unsigned long)tp);
	}
}

/* Also called for each module that is loaded when the notifier is registered. */
static int see_module(struct notifier_block *nb, unsigned long what, void *data)
{
	const struct tp_module *tp_mod = data;

	if (what != MODULE_STATE_COMING)
		return NOTIFY_DONE;
	mutex_lock(&prt_attach_lock);
	prt_module_tracepoints(tp_mod->mod);
	mutex_unlock(&prt_attach_lock);
	return NOTIFY_DONE;
}

int prt_trace_setup(void)
{
	static struct notifier_block once = { .notifier_call = see_module };
	bool modules = false;
	int err = find_in_kernel(&modules);

	if (err || !modules)
		return err;
	err = prt_register(register_tracepoint_module_notifier(&once));
	if (!err)
		unregister_tracepoint_module_notifier(&once);
	return err;
}
