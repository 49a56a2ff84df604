/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The session's thread: begin probes, arming, timers, disarming, end probes, in this order and one
 * at a time. Only this thread arms and disarms at the start and at the end of a session. To end the
 * session, others set a flag and wake the thread, so that a dying process does not wait until a
 * thousand probes are disarmed.
 */
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/module.h>

#include "attach/attach.h"
#include "attach/procfs.h"
#include "budget.h"
#include "context.h"
#include "flight.h"
#include "global.h"
#include "grow.h"
#include "memory.h"
#include "output.h"
#include "session.h"
#include "spaces.h"

struct prt_session prt_session;

static void kicked(struct irq_work *work)
{
	wake_up(&prt_session.thread_wait);
	wake_up(&prt_session.reader_wait);
	prt_procfs_wake();
	prt_spaces_wake();
	prt_grow_kicked();
}

void prt_session_init(void)
{
	init_waitqueue_head(&prt_session.thread_wait);
	init_waitqueue_head(&prt_session.reader_wait);
	init_irq_work(&prt_session.kick, kicked);
	prt_session.quiet = true;
	prt_session.since = U64_MAX;
}

void prt_session_kick(void)
{
	if (!prt_context_later(PRT_LATER_KICK))
		irq_work_queue(&prt_session.kick);
}
NOKPROBE_SYMBOL(prt_session_kick);

void prt_session_look(void)
{
	smp_store_release(&prt_session.look, true);
	prt_session_kick();
}

void prt_session_stop(void)
{
	WRITE_ONCE(prt_session.stop, true);
	WRITE_ONCE(prt_session.running, false);
	prt_context_shut(true);
	prt_session_kick();
}
NOKPROBE_SYMBOL(prt_session_stop);

void prt_session_stop_by_error(u32 err)
{
	cmpxchg(&prt_session.error, 0, err);
	prt_session_stop();
}
NOKPROBE_SYMBOL(prt_session_stop_by_error);

static void set_state(u32 state)
{
	smp_store_release(&prt_session.state, state);
	/* Pairs with STATUS, which reads them in the other order: no change is missed. */
	smp_store_release(&prt_session.events, prt_session.events + 1);
	wake_up(&prt_session.reader_wait);
}

static bool stopping(void)
{
	return READ_ONCE(prt_session.stop);
}

/* ---- process-context handlers ---- */

void prt_session_run(u32 nr)
{
	struct prt_ctx *c = &prt_thread_cpu.ctx;
	struct prt_tally *tally = &c->tally[nr];
	u64 start = prt_clock_now();

	if (READ_ONCE(prt_session.closed) || prt_switched_off(nr))
		return;
	prt_context_begin(c, &prt_script.probes[nr], NULL, NULL, prt_session.process_steps);
	tally->counts.hits++;
	if (c->probe->flags & PRT_READS_PERCPU)
		prt_global_collect(c);
	prt_perf_collect();
	if (!c->err)
		c->probe->handler(c);
	prt_hit_left(c);
	prt_out_flush(c);
	prt_global_settle();
	prt_budget_took(tally, prt_clock_now() - start);
}

bool prt_session_ask(u32 nr)
{
	struct prt_ctx *c = &prt_thread_cpu.ctx;
	bool ret;

	prt_context_begin(c, &prt_script.probes[nr], NULL, NULL, prt_session.process_steps);
	ret = prt_script.probes[nr].gate(c);
	ret |= c->err != PRT_OK;
	prt_error_clear(c);
	return ret;
}

/* Runs all probes of @kind by ascending order, equal ones in the script's order, until @stop. Only
 * probes run that have all flags of @with and none of @without. */
static void run_kind(u16 kind, bool until_stop, u16 with, u16 without)
{
	const struct prt_probe *p = prt_script.probes;
	s64 order = S64_MIN, next;
	bool more = true;
	u32 i;

	while (more && !(until_stop && stopping())) {
		more = false;
		next = S64_MAX;
		for (i = 0; i < prt_script.nprobes && !(until_stop && stopping()); i++) {
			if (p[i].kind != kind || p[i].order < order ||
			    (p[i].flags & with) != with || p[i].flags & without)
				continue;
			if (p[i].order == order) {
				prt_session_run(i);
			} else if (p[i].order <= next) {
				next = p[i].order;
				more = true;
			}
		}
		order = next;
	}
}

/*
 * Chooses the last probes so that collected values are shown however the session ended. Neither an
 * overload nor a lack of memory for a processor is an error of the script, so end probes run as
 * after ^C, and error probes run as well, as they may report it. After any other error only error
 * probes run, as in SystemTap, and the end probe that shows unread globals. If a site could not be
 * armed, nothing was collected. A target that has other rights is gone for the session, and its end
 * is no error.
 */
static void run_last(bool failed)
{
	u32 error = READ_ONCE(prt_session.error);

	if (!failed && (!error || error == PRT_E_OTHER_RIGHTS)) {
		run_kind(PRT_END, false, 0, 0);
	} else if (error == PRT_E_OVERLOAD || error == PRT_E_STARVED ||
		   error == PRT_E_PROCESSOR) {
		run_kind(PRT_END, false, 0, 0);
		run_kind(PRT_ERROR, false, 0, PRT_END_TOO);
	} else {
		run_kind(PRT_ERROR, false, 0, 0);
		if (!failed)
			run_kind(PRT_END, false, PRT_ALWAYS, 0);
	}
}

int prt_session_ask_timers(const struct prt_run *run)
{
	u64 asked = (u64)run->first << 32 | run->n;
	u32 i;

	if (!run->n || run->n > prt_script.nprobes || run->first > prt_script.nprobes - run->n)
		return -EINVAL;
	for (i = 0; i < run->n; i++)
		if (prt_script.probes[run->first + i].kind != PRT_TIMER)
			return -EINVAL;
	if (run->at_end) {
		if (READ_ONCE(prt_session.state) != PRT_STATE_READY)
			return -EINVAL;
		prt_session.asked_last = asked;
		return 0;
	}
	if (READ_ONCE(prt_session.state) != PRT_STATE_RUNNING)
		return -ESHUTDOWN;
	if (cmpxchg(&prt_session.asked, 0, asked))
		return -EBUSY;
	prt_session_kick();
	return 0;
}

static void run_asked(u64 asked, bool until_stop)
{
	u32 first = asked >> 32, n = (u32)asked, i;

	for (i = 0; i < n && !(until_stop && stopping()); i++)
		prt_session_run(first + i);
}

/* ---- the thread ---- */

static bool called(void)
{
	return stopping() || READ_ONCE(prt_session.look) || READ_ONCE(prt_session.asked) ||
	       prt_gate_stale() || prt_procfs_pending() || prt_flight_read();
}

static void sleep_until_due(s64 ns)
{
	wait_queue_head_t *wait = &prt_session.thread_wait;

	if (ns < 0)
		wait_event_idle(*wait, called());
	else if (ns > 0)
		wait_event_interruptible_hrtimeout(*wait, called(), ns_to_ktime(ns));
	else
		cond_resched();
}

static void look_around(void)
{
	struct prt_ctx *c = &prt_thread_cpu.ctx;
	char text[80];
	int err;

	if (!xchg(&prt_session.look, false))
		return;
	err = prt_attach_look();
	if (!err)
		return;
	prt_context_begin(c, prt_script.probes, NULL, NULL, prt_session.process_steps);
	prt_warn(c, (struct prt_str){ text, snprintf(text, sizeof(text), "not all events could "
						     "be made: error %d", err) });
	prt_hit_left(c);
	prt_out_flush(c);
}

static void run_armed(void)
{
	prt_timer_start();
	/* A hit tests its context by a plain load, and goes on to read what was armed after its own
	 * point. Each processor has an interrupt in between, which no hit spans: session.h. */
	prt_global_grace();
	WRITE_ONCE(prt_session.since, ktime_get_ns());
	smp_store_release(&prt_session.running, true);
	prt_context_shut(false);
	WRITE_ONCE(prt_session.ran, true);
	set_state(PRT_STATE_RUNNING);
	while (!stopping()) {
		look_around();
		run_asked(xchg(&prt_session.asked, 0), true);
		if (prt_flight_take_read())
			run_kind(PRT_SNAPSHOT, true, 0, 0);
		prt_gate_run();
		prt_procfs_run();
		sleep_until_due(prt_gate_due(prt_timer_run()));
	}
}

/* Raises the priority of the session thread while it arms and disarms: hits may leave little time
 * for it. */
static void hurry(bool on)
{
	set_user_nice(current, on ? MIN_NICE : 0);
}

static bool arm_all(void)
{
	bool ok;

	hurry(true);
	ok = prt_attach_arm();
	hurry(false);
	return ok;
}

static void disarm_all(void)
{
	hurry(true);
	prt_attach_disarm();
	prt_global_grace();
	hurry(false);
}

static int session_thread(void *unused)
{
	bool failed = false;

	set_state(PRT_STATE_BEGIN);
	run_kind(PRT_BEGIN, true, 0, 0);
	if (!stopping()) {
		set_state(PRT_STATE_ARMING);
		prt_gate_start();
		prt_global_quiet(false);
		failed = !arm_all();
		if (!failed && !stopping())
			run_armed();
	}
	WRITE_ONCE(prt_session.running, false);
	prt_context_shut(true);
	prt_procfs_end();
	set_state(PRT_STATE_ENDING);
	disarm_all();
	prt_global_quiet(true);
	if (!failed)
		run_asked(prt_session.asked_last, false);
	/* The reader comes to a last one in its own time. */
	if (!failed && (prt_flight_take_read() || prt_flight_asked()))
		run_kind(PRT_SNAPSHOT, false, 0, 0);
	run_last(failed);
	set_state(PRT_STATE_DONE);
	wait_event_idle(prt_session.thread_wait, kthread_should_stop());
	return 0;
}

int prt_session_start(void)
{
	struct task_struct *thread;

	if (prt_fails())
		return -ENOMEM;
	thread = kthread_create(session_thread, NULL, "%s", THIS_MODULE->name);
	if (IS_ERR(thread))
		return PTR_ERR(thread);
	/* Handlers read it, and begin probes run as soon as the thread does. */
	WRITE_ONCE(prt_session.thread, thread);
	wake_up_process(thread);
	return 0;
}

void prt_session_end(void)
{
	if (prt_session.thread)
		kthread_stop(prt_session.thread);
	prt_session.thread = NULL;
	irq_work_sync(&prt_session.kick);
}
