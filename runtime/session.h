/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The session: one per module, from open to close of its device. Its thread is the only one that
 * arms, disarms and runs process-context handlers.
 *
 * Flags and who writes them
 *   running  true: the thread, when all is armed; false: anybody, at any time. Every hit tests it,
 *            in its own CPU's context (shut), which follows
 *   stop     the end was requested: exit(), STOP, an error, close. Never taken back
 *   closed   the descriptor is gone: no handler runs any more, not even end probes
 *   quiet    no hot handler can run: before arming, after disarming. Only the thread writes and
 *   reads it
 *   look     prt_session_look()
 */
#ifndef PRT_SESSION_H
#define PRT_SESSION_H

#include <linux/irq_work.h>
#include <linux/sched.h>
#include <linux/wait.h>

#include "abi/script.h"
#include "limits.h"

/* Undefined and weak without a size, so that the runtime is a module of its own before it has a
 * script. */
extern const struct prt_script prt_script __weak;

struct prt_session {
	bool running;
	bool stop;
	bool closed;
	bool quiet;
	bool look;
	u32 state;                /* enum prt_state */
	u32 events;               /* changes of state, for poll */
	u32 error;                /* enum prt_err that ended the session, or 0 */
	atomic_t errors;          /* run-time errors reported */
	atomic_t exits;
	s64 hot_steps, process_steps; /* of one handler */
	struct prt_setup setup;
	struct task_struct *thread;
	wait_queue_head_t thread_wait;
	wait_queue_head_t reader_wait;
	struct irq_work kick;     /* wakes both from any context */
};
extern struct prt_session prt_session;

/* Module init. */
void prt_session_init(void);
/* START: creates the thread. Process context. -errno when it can't be made. */
int prt_session_start(void);
/* Runs process-context probe @nr. The session's thread only. */
void prt_session_run(u32 nr);
/* Whether probe @nr, which has a gate, may be wanted. The session's thread only. */
bool prt_session_ask(u32 nr);
/* Requests the orderly end; hot handlers stop at once. Any context, NMI included. */
void prt_session_stop(void);
/* The same because of a run-time error, of which the first is reported. Any context. */
void prt_session_stop_by_error(u32 err);
/* Close: waits until the thread has disarmed and is gone. May sleep for seconds. */
void prt_session_end(void);
/* Makes the thread do work that the caller cannot do: prt_attach_look(). Any context. */
void prt_session_look(void);
/* Wakes reader and thread. Any context. */
void prt_session_kick(void);

#endif
