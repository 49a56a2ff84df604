/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Conditions that only read globals arm and disarm their probes. Timers of the session's thread are
 * never armed; while their condition is false, they are skipped.
 *
 * A handler that wrote such a global reports it at its end (prt_gates_changed). The session's
 * thread checks this after each timer, and every few ms if hot handlers may write such globals. It
 * then evaluates each condition again, in its own context, and arms and disarms. The handler tests
 * the condition at each hit all the same, so a probe that stays armed for too long costs time but
 * changes nothing.
 *
 * Disarming waits for grace periods of the kernel, in which no timer runs. A condition must
 * therefore be false for a while before its probe is disarmed: if a timer toggles it all the time,
 * the probe stays armed.
 *
 * A condition that can't be evaluated (an error, a lock that is not free) counts as true: the next
 * hit reports the reason.
 *
 * A switch (PRT_IOC_SWITCH) is one more condition. It is false at once, because a user sets it, and
 * handlers test it at each hit as well.
 */
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/timekeeping.h>

#include "attach.h"
#include "memory.h"
#include "session.h"

struct gate {
	bool closed;
	u64 false_since;              /* ns of the monotonic clock; 0: it is true */
};

u8 prt_gates_stale;

static struct gate *gates;            /* by probe; NULL: there are no gates */
static bool waiting;                  /* a gate has to be false a little longer */

int prt_gate_setup(void)
{
	bool any = false;
	u32 i;

	for (i = 0; i < prt_script.nprobes; i++)
		any |= prt_script.probes[i].gate || prt_script.probes[i].has_switch;
	if (!any)
		return 0;
	gates = prt_alloc(prt_script.nprobes, sizeof(*gates), NUMA_NO_NODE);
	return gates ? 0 : -ENOMEM;
}

void prt_gate_free(void)
{
	kvfree(gates);
	gates = NULL;
}

bool prt_gate_any(void)
{
	return gates;
}

bool prt_gate_closed_probe(u32 nr)
{
	return gates && gates[nr].closed;
}

bool prt_gate_closed(const struct prt_point *p)
{
	u32 i;

	for (i = 0; gates && i < p->n; i++)
		if (!prt_gate_closed_probe(p->pairs[i].probe))
			return false;
	return gates;
}

/* Evaluates all gates; returns whether one opened or closed. */
static bool evaluate_gates(u64 rest)
{
	u64 now = ktime_get_ns();
	bool changed = false;
	u32 i;

	waiting = false;
	for (i = 0; i < prt_script.nprobes; i++) {
		struct gate *g = &gates[i];
		bool closed = prt_switched_off(i);

		if (closed || !prt_script.probes[i].gate || prt_session_ask(i))
			g->false_since = 0;
		else if (!g->false_since)
			g->false_since = now;
		if (g->false_since) {
			closed = g->closed || now - g->false_since >= rest;
			waiting |= !closed;
		}
		changed |= closed != g->closed;
		g->closed = closed;
	}
	return changed;
}

int prt_gate_switch(const struct prt_switch *set)
{
	if (set->probe >= prt_script.nprobes || set->off > 1)
		return -EINVAL;
	if (!prt_script.probes[set->probe].has_switch)
		return -EOPNOTSUPP;
	WRITE_ONCE(prt_script.switches[set->probe], set->off);
	prt_gates_changed();
	prt_session_kick();
	return 0;
}

bool prt_gate_stale(void)
{
	return gates && READ_ONCE(prt_gates_stale);
}

void prt_gate_start(void)
{
	if (gates)
		evaluate_gates(0);
}

void prt_gate_run(void)
{
	/* Clear the flag first: a write after this is seen the next time. */
	if (!gates || !(xchg(&prt_gates_stale, 0) | waiting))
		return;
	mutex_lock(&prt_attach_lock);
	if (evaluate_gates(PRT_GATE_REST_MS * NSEC_PER_MSEC) && !READ_ONCE(prt_session.stop)) {
		prt_attach_follow();
		prt_attach_changed();
	}
	mutex_unlock(&prt_attach_lock);
}

s64 prt_gate_due(s64 ns)
{
	s64 poll = PRT_GATE_POLL_MS * NSEC_PER_MSEC;

	if (!gates)
		return ns;
	if (prt_gate_stale())
		return 0;
	return (waiting || prt_script.hot_gates) && (ns < 0 || ns > poll) ? poll : ns;
}
