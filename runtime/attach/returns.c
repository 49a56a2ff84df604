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
	struct prt_cpu *cpu;
	bool wants = false;
	u64 start = 0;

	raw_local_irq_save(flags);
	cpu = this_cpu_read(prt_cpus);
	tally = &cpu->tally[pair->probe];
	if (unlikely(READ_ONCE(cpu->ctx.busy))) {
		tally->counts.busy++;
		cpu->busy++;
		goto out;
	}
	prt_context_begin(cpu, pair->probe, tally, probe, pair->site, regs, PRT_LEVEL_HOT,
			  prt_session.hot_steps);
	cpu->ctx.saved = data;
	cpu->ctx.retval = 0;
	barrier();
	if (tally->until == 1)
		start = prt_clock_now();
	wants = probe->entry(&cpu->ctx);
	if (unlikely(cpu->ctx.err))
		prt_context_report(&cpu->ctx);
	if (cpu->ctx.out)
		prt_out_publish(&cpu->ctx);
	if (start)
		prt_budget_entered(cpu, tally, prt_clock_now() - start);
	barrier();
	WRITE_ONCE(cpu->ctx.busy, 0);
out:
	raw_local_irq_restore(flags);
	return wants;
}
NOKPROBE_SYMBOL(prt_returns_enter_full);

noinline void prt_returns_missed(const struct prt_point *p, const void *regs)
{
	unsigned long flags;
	struct prt_cpu *cpu;
	u32 i;

	raw_local_irq_save(flags);
	cpu = this_cpu_read(prt_cpus);
	for (i = 0; i < p->n; i++) {
		if (!prt_returns_cond(&p->pairs[i], regs))
			continue;
		cpu->tally[p->pairs[i].probe].counts.missed++;
		cpu->missed++;
	}
	raw_local_irq_restore(flags);
}
NOKPROBE_SYMBOL(prt_returns_missed);
