/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What proberun says to people, on standard error, in the shape of the compiler's diagnostics:
 *
 *   probec: error: text [E_NAME]
 *       = a next step
 *
 * The state here (verbosity, counts) belongs to the process: there is one session in it.
 */
#ifndef LOADER_SAY_H
#define LOADER_SAY_H

#include <stddef.h>

/** say_set - @verbose: steps are shown with their times; @quiet: warnings are not shown. */
void say_set(int verbose, int quiet);
/** say_before - @flush is called before anything is said, so that standard output keeps its order.
 */
void say_before(void (*flush)(void *), void *arg);
/** say_to - @write takes it all from now on, instead of standard error. */
void say_to(void (*write)(void *, const char *, size_t), void *arg);

/** say_error / say_warn - a message with an id of compiler/base/errors.def; @hint: the next step or
 * NULL. */
void say_error(const char *id, const char *hint, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void say_warn(const char *id, const char *hint, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/** say_step - with -v: what was done, and the milliseconds since the start of the program. */
void say_step(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/** say_text - bytes of a script's own message, as they are. */
void say_text(const char *text, size_t len);
/** say_warnings_shown - false under -w. */
int say_warnings_shown(void);
/** say_errors - errors said so far. */
unsigned say_errors(void);

#endif
