/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Brings the memory of a process that a handler reads into memory before the handler runs.
 * compiler/emit/rehearse.c explains how.
 *
 * A rehearsal runs as a hit does, with interrupts off and on this processor's context, and leaves
 * no trace of itself: an error, a lock that it did not get and a call that is too deep are
 * forgotten, since the handler meets them again. Its time counts as the probe's.
 *
 * An attempt is a hit of a handler that reads before it has effects (PRT_READS_FIRST). Where a read
 * failed, it is taken back: nothing is left of it but the time that it took.
 */
#include <linux/uaccess.h>

#include "budget.h"
#include "context.h"
#include "rehearse.h"
#include "user_memory.h"

/* Memory that a rehearsal could not read. */
struct absent {
	u64 addr;
	u32 size;                /* 0: nothing */
	bool written;
};

static void rehearse_begin(struct prt_ctx *c, const struct prt_pair *pair, const void *regs,
			   u64 *saved, s64 retval)
{
	prt_context_begin(c, &prt_script.probes[pair->probe], pair->site, regs,
			  prt_session.hot_steps);
	c->saved = saved;
	c->retval = retval;
	c->absent_size = 0;
	barrier();
}

static void rehearse_end(struct prt_ctx *c, const struct prt_probe_counts *before,
			 struct prt_probe_counts *counts)
{
	prt_error_clear(c);
	c->nesting = 0;
	prt_arch_add_here(&prt_cpu_of(c)->skipped, before->locked_out - counts->locked_out);
	counts->locked_out = before->locked_out;
	prt_context_finish(c);
	barrier();
	WRITE_ONCE(c->busy, 0);
}

/* Interrupts are off. */
static struct absent rehearse_once(const struct prt_pair *pair, const void *regs, u64 *saved,
				   s64 retval, bool entry)
{
	const struct prt_probe *probe = &prt_script.probes[pair->probe];
	struct prt_ctx *c = this_cpu_read(prt_contexts);
	struct prt_cpu *cpu = prt_cpu_of(c);
	struct prt_tally *tally = &c->tally[pair->probe];
	struct prt_probe_counts before = tally->counts;
	struct absent absent;
	u64 start = 0;

	/* The handler will be refused as well, or not run. */
	if (READ_ONCE(c->busy) | READ_ONCE(c->shut) || prt_switched_off(pair->probe))
		return (struct absent){ 0 };
	rehearse_begin(c, pair, regs, saved, retval);
	if (tally->until == 1)
		start = prt_clock_now();
	if (entry) {
		c->level = PRT_LEVEL_CALL;
		probe->entry(c);
		c->level = PRT_LEVEL_HOT;
	} else {
		probe->rehearse(c);
	}
	if (start)
		prt_budget_entered(cpu, tally, prt_clock_now() - start);
	absent = (struct absent){ cpu->absent, c->absent_size, cpu->absent_written };
	rehearse_end(c, &before, &tally->counts);
	return absent;
}

/* Brings the memory in. May sleep. false: the process has no such memory. */
static bool bring_in(const struct absent *absent)
{
	u64 at = absent->addr, last = at + absent->size - 1;
	u8 byte __maybe_unused;

	if (absent->written)
		return prt_user_writable(at);
	for (; at <= last; at = (at | (PAGE_SIZE - 1)) + 1)
		if (get_user(byte, (const u8 __user *)at))
			return false;
	return true;
}

bool prt_rehearse_now(const struct prt_pair *pair, const void *regs)
{
	return !rehearse_once(pair, regs, NULL, 0, false).size;
}
NOKPROBE_SYMBOL(prt_rehearse_now);

/* Takes the hit back if its handler could not read everything. Otherwise ends it, except for its
 * release. */
static bool attempt_ended(struct prt_ctx *c)
{
	if (likely(c->err != PRT_E_BAD_ADDRESS || !c->absent_size)) {
		if (c->left)
			prt_hit_publish(c);
		return true;
	}
	prt_error_clear(c);
	c->nesting = 0;
	c->tally[prt_probe_nr(c)].until++;
	return false;
}
NOKPROBE_SYMBOL(attempt_ended);

bool prt_attempt_refuse(struct prt_ctx *c, u32 nr)
{
	prt_hit_refused(c, nr, NULL);
	return true;
}
NOKPROBE_SYMBOL(prt_attempt_refuse);

bool prt_attempt_left(struct prt_ctx *c)
{
	bool ended = attempt_ended(c);

	prt_context_finish(c);
	PRT_CONTEXT_RELEASE(c);
	return ended;
}
NOKPROBE_SYMBOL(prt_attempt_left);

static noinline bool attempt_timed(struct prt_ctx *c)
{
	u64 start = prt_clock_now();
	bool ended;

	c->probe->handler(c);
	ended = attempt_ended(c);
	if (ended)
		prt_budget_timed(c, start);
	prt_context_finish(c);
	return ended;
}
NOKPROBE_SYMBOL(attempt_timed);

bool prt_attempt_time(struct prt_ctx *c, const struct prt_probe *probe,
		      const struct prt_site *site, const void *regs)
{
	bool ended;

	prt_context_fill(c, probe, site, regs, prt_session.hot_steps);
	c->absent_size = 0;
	ended = attempt_timed(c);
	PRT_CONTEXT_RELEASE(c);
	return ended;
}
NOKPROBE_SYMBOL(prt_attempt_time);

static __always_inline bool attempt_handle(struct prt_ctx *c)
{
	bool ended;

	c->probe->handler(c);
	if (likely(!c->left))
		return true;
	ended = attempt_ended(c);
	prt_context_finish(c);
	return ended;
}

bool prt_attempt(const struct prt_pair *pair, const void *regs)
{
	struct prt_ctx *c = this_cpu_read(prt_contexts);
	u32 nr = pair->probe;
	bool ended = true;

	PRT_HIT_BODY(c, READ_ONCE(c->unavailable), prt_hit_refused(c, nr, pair->site),
		     prt_context_fill(c, &prt_script.probes[nr], pair->site, regs,
				      prt_session.hot_steps); c->absent_size = 0,
		     !--c->tally[nr].until, ended = attempt_timed(c), ended = attempt_handle(c));
	return ended;
}
NOKPROBE_SYMBOL(prt_attempt);

unsigned long prt_rehearse(const struct prt_pair *pair, const void *regs, u64 *saved, s64 retval,
			   bool entry)
{
	unsigned long flags;
	struct absent absent;
	u32 pages;

	for (pages = 0;; pages++) {
		raw_local_irq_save(flags);
		absent = rehearse_once(pair, regs, saved, retval, entry);
		if (!absent.size || pages == PRT_USER_PAGES)
			return flags;
		raw_local_irq_restore(flags);
		if (!bring_in(&absent))
			break;
	}
	raw_local_irq_save(flags);
	return flags;
}
