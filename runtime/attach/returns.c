/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of return probes that are not inline. */
#include <linux/kprobes.h>

#include "budget.h"
#include "pools.h"
#include "returns.h"
#include "user.h"
#include "user_calls.h"

/* Bytes. Set by SETUP: */
static u64 calls_budget;                 /* without what the least takes, if it is limited */
static u64 calls_share;                  /* of each return probe at first, if it is limited */
/* Under prt_attach_lock: */
static u64 calls_taken;

static u64 least_of(const struct prt_site *site)
{
	const struct prt_probe *probe = &prt_script.probes[site->probe];
	u32 bytes = probe->data_size + (probe->flags & PRT_ENTRY_TIME ? sizeof(u64) : 0) +
		    (site->syscall ? sizeof(u64) : 0);

	switch (probe->kind) {
	case PRT_RETURN: return prt_pools_least(bytes);
	case PRT_USER_RETURN: return prt_user_calls_least(bytes);
	default: return 0;
	}
}

/* Probes that share a point take less than each for itself. */
u64 prt_returns_least(void)
{
	u64 ret = 0;
	u32 i;

	for (i = 0; i < prt_script.nsites; i++)
		ret += least_of(&prt_script.sites[i]);
	return ret;
}

static u32 count_returns(void)
{
	u32 n = 0, i;

	for (i = 0; i < prt_script.nsites; i++) {
		u16 kind = prt_script.probes[prt_script.sites[i].probe].kind;

		n += kind == PRT_RETURN || kind == PRT_USER_RETURN;
	}
	return n;
}

bool prt_returns_limited(void)
{
	return prt_session.setup.calls;
}

void prt_returns_setup(void)
{
	calls_budget = prt_returns_limited() ? prt_session.setup.calls - prt_returns_least() :
					       PRT_POOL_BUDGET;
	calls_share = calls_budget / max(count_returns(), 1u);
}

u64 prt_returns_room(void)
{
	return calls_taken < calls_budget ? calls_budget - calls_taken : 0;
}

/* Return probes of modules that come later, and those of programs, are not among the @n of the
 * kernel that are armed together. */
u64 prt_returns_share(u32 n)
{
	return prt_returns_limited() ? min(calls_share, prt_returns_room()) : calls_budget / n;
}

void prt_returns_take(s64 bytes)
{
	calls_taken += bytes;
}

static u32 layout_span(struct prt_point *p, struct prt_span span)
{
	u32 n = span.to - span.from, at = p->by_syscall ? sizeof(u64) : 0, i;

	if (n > 1)
		at += BITS_TO_LONGS(n) * sizeof(long);
	for (i = span.from; i < span.to; i++) {
		const struct prt_probe *probe = &prt_script.probes[p->pairs[i].probe];

		if (probe->flags & PRT_ENTRY_TIME)
			at += sizeof(u64);
		p->pairs[i].data = at;
		at += probe->data_size;
	}
	return at;
}

/* The data of a call is for the probes of one system call. */
u32 prt_returns_layout(struct prt_point *p)
{
	struct prt_span span = { 0, p->n };
	u32 most = 0;

	if (!p->by_syscall)
		return layout_span(p, span);
	for (; span.from < p->n; span.from = span.to) {
		span.to = prt_syscall_end(p, span.from);
		most = max(most, layout_span(p, span));
	}
	return most;
}

static __always_inline bool enter(struct prt_ctx *c)
{
	bool wants;

	c->level = PRT_LEVEL_CALL;
	barrier();
	wants = c->probe->entry(c);
	if (unlikely(c->left))
		prt_hit_publish(c);
	c->level = PRT_LEVEL_HOT;
	return wants;
}

static __always_inline bool enter_timed(struct prt_ctx *c, struct prt_tally *tally)
{
	u64 start = prt_clock_now();
	bool wants = enter(c);

	prt_budget_entered(prt_cpu_of(c), tally, prt_clock_now() - start);
	prt_context_finish(c);
	return wants;
}

/* If the hit at the return will be timed, the entry is timed as well. */
noinline bool prt_returns_enter_full(const struct prt_pair *pair, const void *regs, void *data)
{
	const struct prt_probe *probe = &prt_script.probes[pair->probe];
	struct prt_tally *tally;
	unsigned long flags;
	struct prt_ctx *c;
	bool wants = false;

	raw_local_irq_save(flags);
	c = this_cpu_read(prt_contexts);
	tally = &c->tally[pair->probe];
	PRT_HIT_BODY(c, READ_ONCE(c->unavailable), prt_hit_refused(c, pair->probe, pair->site),
		     prt_context_prepare(c, probe, pair->site, regs, prt_session.hot_steps,
					 data, 0),
		     tally->until == 1, wants = enter_timed(c, tally), wants = enter(c);
		     prt_context_finish(c));
	raw_local_irq_restore(flags);
	return wants;
}
NOKPROBE_SYMBOL(prt_returns_enter_full);

/* @offset: of the count in struct prt_probe_counts. */
static void count_unseen(const struct prt_point *p, u32 i, size_t offset)
{
	struct prt_ctx *c = this_cpu_read(prt_contexts);
	void *counts = &c->tally[p->pairs[i].probe].counts;

	if (prt_switched_off(p->pairs[i].probe))
		return;
	prt_arch_add_here((prt_u64 *)(counts + offset), 1);
	prt_arch_add_here(&prt_cpu_of(c)->skipped, 1);
}
NOKPROBE_SYMBOL(count_unseen);

void prt_returns_count_missed(const struct prt_point *p, u32 i)
{
	count_unseen(p, i, offsetof(struct prt_probe_counts, missed));
}
NOKPROBE_SYMBOL(prt_returns_count_missed);

noinline void prt_returns_missed(const struct prt_point *p, const void *regs)
{
	unsigned long flags;
	struct prt_span span = prt_point_span(p, regs);
	u32 i;

	raw_local_irq_save(flags);
	for (i = span.from; i < span.to; i++)
		if (prt_returns_cond(&p->pairs[i], regs))
			prt_returns_count_missed(p, i);
	raw_local_irq_restore(flags);
}
NOKPROBE_SYMBOL(prt_returns_missed);

/* Nobody knows any more which of the probes wanted the call. */
noinline void prt_returns_lost(const struct prt_point *p)
{
	unsigned long flags;
	u32 i;

	raw_local_irq_save(flags);
	for (i = 0; i < p->n; i++)
		prt_returns_count_missed(p, i);
	raw_local_irq_restore(flags);
}
NOKPROBE_SYMBOL(prt_returns_lost);

noinline void prt_returns_inherited(const struct prt_point *p)
{
	unsigned long flags;
	u32 i;

	raw_local_irq_save(flags);
	for (i = 0; i < p->n; i++) {
		const struct prt_probe *probe = &prt_script.probes[p->pairs[i].probe];

		if (!probe->cond && !probe->entry_tests)
			count_unseen(p, i, offsetof(struct prt_probe_counts, overruns));
	}
	raw_local_irq_restore(flags);
}
NOKPROBE_SYMBOL(prt_returns_inherited);
