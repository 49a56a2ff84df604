/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The work of return probes when a function is entered and when it returns, whichever mechanism
 * leads there.
 *
 * The probes of a point share the memory that travels with a call (`data`). At a point by system
 * calls, it begins with the number of the call's first pair, and what follows is for the probes of
 * that system call. If there are several probes, a bit for each follows that wants this call; then
 * for each probe the time of the entry, if the probe asks for it, and its entry values (struct
 * prt_probe.data_size).
 *
 * A script's functions for the entry run in one of two ways. Most of them only read registers: they
 * are given the registers and their memory and nothing else, so interrupts may stay on. The others
 * (PRT_ENTRY_FULL) run as handlers do, on this CPU's context, and are refused as handlers are.
 */
#ifndef PRT_RETURNS_H
#define PRT_RETURNS_H

#include <linux/bitops.h>

#include "abi/call.h"
#include "attach.h"
#include "clock.h"
#include "context.h"

/* Lays out the data of a point; returns its bytes. Process context. */
u32 prt_returns_layout(struct prt_point *p);

/* ---- the room for calls; process context, prt_attach_lock held while probes are armed ---- */

/* Bytes that all return probes need for calls at least: prt_hello.calls. */
u64 prt_returns_least(void);
/* Whether struct prt_setup limits the room. Then each probe may have the least that it needs, and
 * the following is about what it takes beyond that. */
bool prt_returns_limited(void);
/* Computes the following from prt_session.setup, at SETUP. */
void prt_returns_setup(void);
/* The most bytes that one of @n return probes may take at first. */
u64 prt_returns_share(u32 n);
/* Bytes that nobody has taken. */
u64 prt_returns_room(void);
/* Notes that @bytes more are taken, or fewer if that is negative. */
void prt_returns_take(s64 bytes);

/* The entry function of pair @pair, on a context. false: the call is not wanted. Any context. */
bool prt_returns_enter_full(const struct prt_pair *pair, const void *regs, void *data);
/* Counts a call for which there was no memory. Any context, preemption off. */
void prt_returns_missed(const struct prt_point *p, const void *regs);
/* Counts a call whose memory went to another one while it was under way. The same; the point is not
 * one by system calls. */
void prt_returns_lost(const struct prt_point *p);
/* Counts a return in a forked process from a call that its parent entered, for those probes that
 * want every call. The same. */
void prt_returns_inherited(const struct prt_point *p);
/* Counts a hit of pair @i that can't be seen. The same. */
void prt_returns_count_missed(const struct prt_point *p, u32 i);

static __always_inline bool prt_returns_cond(const struct prt_pair *pair, const void *regs)
{
	const struct prt_probe *probe = &prt_script.probes[pair->probe];

	return !probe->cond || prt_call_light(probe->cond, regs, NULL);
}

/* Whether any probe wants the call, as far as this can be decided without its memory. */
static __always_inline bool prt_returns_wanted(const struct prt_point *p, const void *regs)
{
	struct prt_span span = prt_point_span(p, regs);
	u32 i;

	for (i = span.from; i < span.to; i++)
		if (prt_returns_cond(&p->pairs[i], regs))
			return true;
	return false;
}

static __always_inline bool prt_returns_enter_one(const struct prt_pair *pair, const void *regs,
						  void *data)
{
	const struct prt_probe *probe = &prt_script.probes[pair->probe];
	u64 *to = data + pair->data;

	if (probe->entry) {
		if (unlikely(probe->flags & PRT_ENTRY_FULL)) {
			if (!prt_returns_enter_full(pair, regs, to))
				return false;
		} else if (!prt_call_light(probe->entry, regs, to)) {
			return false;
		}
	}
	if (probe->flags & PRT_ENTRY_TIME)
		to[-1] = prt_clock_now();
	return true;
}

/* Fills in @data; false: no probe wants the call. prt_returns_wanted() was true. */
static __always_inline bool prt_returns_enter(const struct prt_point *p, const void *regs,
					      void *data)
{
	struct prt_span span = prt_point_span(p, regs);
	unsigned long *bits = data;
	bool any = false;
	u32 i;

	if (unlikely(p->by_syscall))
		*bits++ = span.from;
	if (likely(span.to - span.from == 1))
		return prt_returns_enter_one(&p->pairs[span.from], regs, data);
	for (i = span.from; i < span.to; i++) {
		bool wants = prt_returns_cond(&p->pairs[i], regs) &&
			     prt_returns_enter_one(&p->pairs[i], regs, data);

		if (wants)
			__set_bit(i - span.from, bits);
		else
			__clear_bit(i - span.from, bits);
		any |= wants;
	}
	return any;
}

/* The pairs to which the call with the memory @data belongs. */
static __always_inline struct prt_span prt_returns_span(const struct prt_point *p,
							const void *data)
{
	struct prt_span span = { 0, p->n };

	if (unlikely(p->by_syscall)) {
		span.from = *(const unsigned long *)data;
		span.to = prt_syscall_end(p, span.from);
	}
	return span;
}

/* Whether the probe of pair @i, one of @span, wants the call whose memory is @data. */
static __always_inline bool prt_returns_wants(const struct prt_point *p, struct prt_span span,
					      u32 i, const void *data)
{
	const unsigned long *bits = data;

	return likely(span.to - span.from == 1) ||
	       test_bit(i - span.from, bits + p->by_syscall);
}

static __always_inline void prt_returns_hit(const struct prt_point *p, const void *regs,
					    void *data, s64 value)
{
	struct prt_span span = prt_returns_span(p, data);
	u32 i;

	for (i = span.from; i < span.to; i++) {
		const struct prt_pair *pair = &p->pairs[i];

		if (prt_returns_wants(p, span, i, data))
			prt_context_hit(pair->probe, pair->site, regs, data + pair->data, value);
	}
}

#endif
