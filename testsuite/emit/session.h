/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A script's emitted C on the runtime itself, in user space: testsuite/twin/machine.c stands for
 * the kernel, and session.c for the loader.
 */
#ifndef EMIT_SESSION_H
#define EMIT_SESSION_H

/** bug - Ends the test because the emitted C broke a rule. */
void bug(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

/** session_open - Reads the script's self-description and makes its globals and rings. */
void session_open(void);
/** session_show - Prints what the rings have got, as the loader does, and each error with its
 * place. */
void session_show(void);
/** session_close - Ends the test if a handler has left locks, calls, iterators or workspace behind,
 * on any processor. */
void session_close(void);

#endif
