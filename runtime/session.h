/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The session: one for each module, from open to close of its device. The session thread runs all
 * process-context handlers, and arms and disarms.
 *
 * Flags
 *   running  set by the thread when everything is armed; cleared by anyone at any time. Hits test a
 *            copy of it in the context of their CPU (`shut`), by a plain load: the thread waits for
 *            a grace period before it opens the contexts, so that a hit that finds its own open has
 *            what was written before
 *   stop     the end was requested: by exit(), STOP, an error or close. Never cleared
 *   closed   the descriptor was closed: no handler runs any more, not even end probes
 *   quiet no hot handler can run, because nothing is armed yet or everything is disarmed. Only the
 *            thread reads and writes it
 *   look     prt_session_look() was called. Stored by a release, after what there is to look at;
 *            the thread's exchange is the acquire
 *   ran      it has been in PRT_STATE_RUNNING. Never cleared
 *   asked    timers that prt_session_ask_timers() wants run: the number of the first one in the
 *            upper half, how many in the lower one; 0: none. asked_last: those to run when all
 *            probes are disarmed
 */
#ifndef PRT_SESSION_H
#define PRT_SESSION_H

#include <linux/irq_work.h>
#include <linux/sched.h>
#include <linux/wait.h>

#include "abi/script.h"
#include "limits.h"

/* Undefined and weak without a size, so that the runtime is a module of its own before it has a
 * script. The compiler does not know that it is weak: on arm64 it would look the address up in a
 * table that modules do not have. */
extern const struct prt_script prt_script;
asm(".weak prt_script");

struct prt_session {
	bool running;
	bool stop;
	bool closed;
	bool quiet;
	bool look;
	bool ran;
	u64 asked, asked_last;
	u32 state;                /* enum prt_state, stored by a release. Whoever reads READY or
				   * more by an acquire has what SETUP has made */
	u32 events;               /* changes of state, for poll: stored after the state, by a
				   * release */
	u32 error;                /* enum prt_err that ended the session, or 0 */
	atomic_t errors;          /* run-time errors reported */
	atomic_t exits;
	s64 hot_steps, process_steps; /* of one handler */
	u64 since;                /* ktime_get_ns() when hits began to run; U64_MAX: not yet */
	struct prt_setup setup;   /* `target` by its number in the first pid namespace */
	u32 loader;               /* the process that called SETUP, likewise */
	struct task_struct *thread;
	wait_queue_head_t thread_wait;
	wait_queue_head_t reader_wait;
	struct irq_work kick;     /* wakes both from any context */
};
extern struct prt_session prt_session;

/* Module init. */
void prt_session_init(void);
/* START: creates the session thread. Process context. -errno if that fails. */
int prt_session_start(void);
/* Runs the process-context probe @nr. The session thread. */
void prt_session_run(u32 nr);
/* PRT_IOC_RUN: makes the session thread run timers once. -errno as in struct prt_run. */
int prt_session_ask_timers(const struct prt_run *run);
/* Evaluates the gate of probe @nr; false: the probe need not be armed. The session thread. */
bool prt_session_ask(u32 nr);
/* Requests the orderly end; hot handlers stop at once. Any context, including NMIs. */
void prt_session_stop(void);
/* The same because of run-time error @err, which struct prt_status reports if it is the first. Any
 * context. */
void prt_session_stop_by_error(u32 err);
/* After close: waits until the session thread has disarmed and exited. May sleep for seconds. */
void prt_session_end(void);
/* Makes the session thread call prt_attach_look(), for callers that may not sleep. Any context. */
void prt_session_look(void);
/* Wakes the reader and the session thread. Any context. */
void prt_session_kick(void);

#endif
