/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of return probes that are not inline. */
#include <linux/kprobes.h>

#include "budget.h"
#include "returns.h"

u32 prt_returns_layout(struct prt_point *p)
{
	u32 at = p->n > 1 ? BITS_TO_LONGS(p->n) * sizeof(long) : 0, i;

	for (i = 0; i < p->n; i++) {
		const struct prt_probe *probe = &prt_script.probes[p->pairs[i].probe];

		if (probe->flags & PRT_ENTRY_TIME)
			at += sizeof(u64);
		p->pairs[i].data = at;
		at += probe->data_size;
	}
	return at;
}

/* As prt_context_hit(); of a hit that will be timed at the return, the entry is timed, too. */
noinline bool prt_returns_enter_full(const struct prt_pair *pair, const void *regs, void *data)
{
	const struct prt_probe *probe = &prt_script.probes[pair->probe];
	struct prt_tally *tally;
	unsigned long flags;
	struct prt_ctx *c;
	bool wants = false;
	u64 start = 0;

	raw_local_irq_save(flags);
	c = this_cpu_read(prt_contexts);
	tally = &c->tally[pair->probe];
	if (unlikely(READ_ONCE(c->busy) | READ_ONCE(c->shut))) {
		prt_hit_refused(c, pair->probe, pair->site);
		goto out;
	}
	prt_context_begin(c, probe, pair->site, regs, prt_session.hot_steps);
	c->saved = data;
	c->retval = 0;
	c->level = PRT_LEVEL_CALL;
	barrier();
	if (tally->until == 1)
		start = prt_clock_now();
	wants = probe->entry(c);
	if (unlikely(c->left))
		prt_hit_left(c);
	c->level = PRT_LEVEL_HOT;
	if (start)
		prt_budget_entered(prt_cpu_of(c), tally, prt_clock_now() - start);
	barrier();
	WRITE_ONCE(c->busy, 0);
out:
	raw_local_irq_restore(flags);
	return wants;
}
NOKPROBE_SYMBOL(prt_returns_enter_full);

noinline void prt_returns_missed(const struct prt_point *p, const void *regs)
{
	unsigned long flags;
	struct prt_ctx *c;
	u32 i;

	raw_local_irq_save(flags);
	c = this_cpu_read(prt_contexts);
	for (i = 0; i < p->n; i++) {
		if (!prt_returns_cond(&p->pairs[i], regs))
			continue;
		c->tally[p->pairs[i].probe].counts.missed++;
		prt_cpu_of(c)->lost++;
	}
	raw_local_irq_restore(flags);
}
NOKPROBE_SYMBOL(prt_returns_missed);
