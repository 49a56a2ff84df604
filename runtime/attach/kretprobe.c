/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Return probes: one kretprobe a function, whatever number of our probes is on it.
 *
 * What the probes save at entry (argument registers, stack slots) lies in the instance, one run
 * of u64 for each probe, in the order of the point's list. Outside of the running session the
 * entry handler takes no instance. The pool holds the largest maxactive that a probe asks for;
 * else an instance for every thread of the system and a margin, within PRT_POOL_BUDGET for all
 * functions together.
 */
#include <linux/cpumask.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "arch/x86.h"
#include "attach.h"
#include "compat/rethook.h"
#include "context.h"
#include "memory.h"

struct return_kprobe {
	struct kretprobe rp;
	struct kprobe plain;        /* keeps it from becoming a jump (kprobe.c); a kretprobe can't */
	bool is_plain;              /* that is registered */
	const struct prt_point *point;
};

static const struct return_kprobe *probe_of(struct kretprobe_instance *ri)
{
	return container_of(get_kretprobe(ri), struct return_kprobe, rp);
}

static u64 saved_value(const struct prt_saved *saved, const struct pt_regs *regs)
{
	u64 v = 0;

	if (!saved->on_stack)
		return prt_arch_arg(regs, saved->n);
	if (copy_from_kernel_nofault(&v, prt_arch_slot(regs, saved->n), sizeof(v)))
		return 0;
	return v;
}
NOKPROBE_SYMBOL(saved_value);

/* Any context; interrupts may be on: it touches nothing but the registers and the instance. */
static int hit_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct prt_point *p;
	u64 *to = (u64 *)ri->data;
	u32 i, k;

	if (unlikely(!READ_ONCE(prt_session.running)))
		return 1;
	p = probe_of(ri)->point;
	for (i = 0; i < p->n; i++) {
		const struct prt_probe *probe = &prt_script.probes[p->pairs[i].probe];

		for (k = 0; k < probe->nsaved; k++)
			*to++ = saved_value(&probe->saved[k], regs);
	}
	return 0;
}
NOKPROBE_SYMBOL(hit_entry);

static int hit_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct prt_point *p = probe_of(ri)->point;
	const u64 *saved = (const u64 *)ri->data;
	s64 value = prt_arch_retval(regs);
	u32 i;

	for (i = 0; i < p->n; i++) {
		prt_context_hit(p->pairs[i].probe, p->pairs[i].site, regs, saved, value);
		saved += prt_script.probes[p->pairs[i].probe].nsaved;
	}
	return 0;
}
NOKPROBE_SYMBOL(hit_return);

/* Instances of one function, of @n in all; 0: the script asks for more than the machine should
 * give. The kernel allocates them one by one, and would kill for the last one. */
static s64 pool_size(const struct prt_point *p, size_t data_size, u32 n)
{
	u64 most = (u64)totalram_pages() * PAGE_SIZE / PRT_POOL_SHARE;
	s64 own = 0, size;
	u32 i;

	data_size = n * kmalloc_size_roundup(data_size + sizeof(struct kretprobe_instance));
	for (i = 0; i < p->n; i++)
		own = max(own, prt_script.probes[p->pairs[i].probe].maxactive);
	if (own)
		return own <= min_t(u64, most / data_size, INT_MAX / 2) ? own : 0;
	size = (s64)prt_session.setup.threads + 2 * num_possible_cpus() + PRT_POOL_MARGIN;
	most = PRT_POOL_BUDGET / data_size;
	return max_t(s64, min_t(u64, size, most), PRT_POOL_MIN);
}

/* At addresses in modules that are not ftrace's. */
static int make_plain(struct return_kprobe *probe, struct prt_point *point)
{
	int err;

	probe->plain.addr = (kprobe_opcode_t *)point->addr;
	prt_kprobe_plain(&probe->plain, point);
	if (!probe->plain.post_handler || (probe->rp.kp.flags & KPROBE_FLAG_FTRACE))
		return 0;
	err = prt_register(register_kprobe(&probe->plain));
	if (err)
		unregister_kretprobe(&probe->rp);
	probe->is_plain = !err;
	return err;
}

void prt_kretprobe_arm(struct prt_point *point, u32 n)
{
	struct return_kprobe *probe = point->probe;
	size_t saved = 0;
	u32 i;

	point->mechanism = PRT_MECH_KRETPROBE;
	if (!probe)
		probe = prt_alloc(1, sizeof(*probe), NUMA_NO_NODE);
	WRITE_ONCE(point->probe, probe);
	if (!probe || prt_compat_in_each_return(point->addr)) {
		point->error = probe ? -EINVAL : -ENOMEM;
		return;
	}
	*probe = (struct return_kprobe){ .point = point };
	for (i = 0; i < point->n; i++)
		saved += prt_script.probes[point->pairs[i].probe].nsaved;
	probe->rp.kp.addr = (kprobe_opcode_t *)point->addr;
	probe->rp.handler = hit_return;
	probe->rp.entry_handler = hit_entry;
	probe->rp.data_size = saved * sizeof(u64);
	probe->rp.maxactive = pool_size(point, probe->rp.data_size, n);
	point->error = probe->rp.maxactive ? prt_register(register_kretprobe(&probe->rp)) : -ENOMEM;
	if (!point->error)
		point->error = make_plain(probe, point);
	point->armed = !point->error;
}

void prt_kretprobe_disarm(struct prt_point *points, u32 n)
{
	struct kretprobe **batch = prt_alloc(n + 1, sizeof(*batch), NUMA_NO_NODE);
	u32 i, armed = 0;

	for (i = 0; i < n; i++) {
		struct return_kprobe *probe = points[i].probe;

		if (!points[i].armed)
			continue;
		if (batch)
			batch[armed++] = &probe->rp;
		else
			unregister_kretprobe(&probe->rp);
	}
	if (armed)
		unregister_kretprobes(batch, armed);
	kvfree(batch);
	for (i = 0; i < n; i++) {
		struct return_kprobe *probe = points[i].probe;

		if (!points[i].armed || !probe->is_plain)
			continue;
		unregister_kprobe(&probe->plain);
		probe->is_plain = false;
	}
}

void prt_kretprobe_free(struct prt_point *points, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		kvfree(points[i].probe);
}

u64 prt_kretprobe_missed(const struct prt_point *point, u64 *recursed)
{
	const struct return_kprobe *probe = point->probe;

	*recursed = READ_ONCE(probe->rp.kp.nmissed);
	return *recursed + READ_ONCE(probe->rp.nmissed);
}
