/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entry probes at addresses that ftrace does not know: a kprobe each.
 *
 * The kernel makes jumps of kprobes after a while, and takes a jump back some time after its last
 * kprobe was unregistered. When a module goes in between, the kernel forgets to free what stood for
 * that address, and warns when the next module is probed there. A kprobe with a post_handler never
 * becomes a jump, so those in modules have one.
 *
 * Neither may what other code jumps into: form.c.
 *
 * A probe that leaves the function without running it changes where the processor goes on, which a
 * jump does not obey either. Where the address is ftrace's there are no jumps, and a post_handler
 * there would ask for the sole right to do so.
 */
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "attach.h"
#include "context.h"
#include "memory.h"

struct entry_kprobe {
	struct kprobe kp;
	const struct prt_point *point;
};

static int kprobe_hit(struct kprobe *kp, struct pt_regs *regs)
{
	const struct prt_point *p = container_of(kp, struct entry_kprobe, kp)->point;
	unsigned long ip = regs->ip;
	u32 i;

	for (i = 0; i < p->n; i++)
		prt_context_hit(p->pairs[i].probe, p->pairs[i].site, regs, NULL, 0);
	return regs->ip != ip;
}
NOKPROBE_SYMBOL(kprobe_hit);

/* The script's own function for that, where there is one. */
static kprobe_pre_handler_t hit_of_kprobe(const struct prt_point *point)
{
	const struct prt_probe *own = prt_point_own(point);

	if (!own || !own->hit_place || own->flags & PRT_OVERRIDES)
		return kprobe_hit;
	return (kprobe_pre_handler_t)own->hit_place;
}

static void kprobe_after(struct kprobe *kp, struct pt_regs *regs, unsigned long flags)
{
}
NOKPROBE_SYMBOL(kprobe_after);

void prt_kprobe_plain(struct kprobe *kp, struct prt_point *point)
{
	if (point->pairs[0].site->module || !prt_form_may_jump(point))
		kp->post_handler = kprobe_after;
}

static int register_overriding(struct entry_kprobe *probe)
{
	struct kprobe again = probe->kp;
	int err = prt_form_register(&probe->kp);

	if (err || (probe->kp.flags & KPROBE_FLAG_FTRACE))
		return err;
	unregister_kprobe(&probe->kp);
	probe->kp = again;
	probe->kp.post_handler = kprobe_after;
	return prt_form_register(&probe->kp);
}

void prt_kprobe_arm(struct prt_point *point)
{
	struct entry_kprobe *probe = point->probe;

	point->mechanism = PRT_MECH_KPROBE;
	if (!probe)
		probe = prt_alloc(1, sizeof(*probe), NUMA_NO_NODE);
	WRITE_ONCE(point->probe, probe);
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
	if (prt_point_flags(point) & PRT_OVERRIDES) {
		point->error = register_overriding(probe);
	} else {
		prt_kprobe_plain(&probe->kp, point);
		point->error = prt_form_register(&probe->kp);
	}
	point->armed = !point->error;
}

void prt_kprobe_disarm(struct prt_point *points, u32 n)
{
	struct kprobe **batch = prt_alloc(n + 1, sizeof(*batch), NUMA_NO_NODE);
	u32 i, armed = 0;

	for (i = 0; i < n; i++) {
		struct entry_kprobe *probe = points[i].probe;

		if (!points[i].armed || points[i].mechanism != PRT_MECH_KPROBE)
			continue;
		if (batch)
			batch[armed++] = &probe->kp;
		else
			unregister_kprobe(&probe->kp);
	}
	if (armed)
		unregister_kprobes(batch, armed);
	kvfree(batch);
}

void prt_kprobe_free(struct prt_point *points, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		kvfree(points[i].probe);
}

u64 prt_kprobe_missed(const struct prt_point *point)
{
	const struct entry_kprobe *probe = point->probe;

	return READ_ONCE(probe->kp.nmissed);
}
