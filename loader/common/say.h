/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The messages of proberun on standard error, in the format of the compiler's diagnostics:
 *
 *   probec: error: text [E_NAME]
 *       = a next step
 *
 * The state here (verbosity, counts) belongs to the process: there is one session in it.
 */
#ifndef LOADER_SAY_H
#define LOADER_SAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/escape.h"

/* A position in the text of the script. */
struct position {
	const char *file;            /* NULL: the module knows no such position */
	uint32_t line, col, end_col; /* from 1; end_col is one past the last column */
	const char *text;            /* the source line */
};

/* One message. In text it is
 *   PLACE: kind: text [ID]
 *   the line of the script and what of it is meant
 *       = in probe PROBE
 *       = hint
 * and "WARNING: text" without an id: the script's own warn(). */
struct say_message {
	const char *kind; /* "error" or "warning" */
	const char *id;   /* of compiler/base/errors.def, or NULL */
	const char *text;
	size_t len;
	const char *hint;               /* the next step, or NULL */
	const struct position *srcloc;  /* source location in the script, or NULL */
	/* the calls that an error has left, innermost first; NULL in it: not known */
	const struct position *const *called;
	unsigned ncalled;
	const char *probe;              /* the probe whose handler caused it, or NULL */
	bool brief;                      /* text output shows the first line only */
	bool bare;                       /* without an id: text output has no word before it */
};

/** say_set - @verbose: steps are shown with their times; @quiet: warnings are not shown. */
void say_set(int verbose, int quiet);
/** say_escape - escape the text of warn() and log() as --escape says; the texts of errors and
 *  warnings are always escaped. */
void say_escape(enum escape_when when);
/** say_before - call @flush before each message, so that messages stay in order with standard
 * output. */
void say_before(void (*flush)(void *), void *arg);
/** say_to - write all messages by @write from now on, instead of to standard error. */
void say_to(void (*write)(void *, const char *, size_t), void *arg);
/** say_sink - pass messages to @sink instead of standard error, except for those for which it
 * returns false; NULL ends this. */
void say_sink(bool (*sink)(void *, const struct say_message *), void *arg);

/** say_message - report @m; warnings are not shown under -w. */
void say_message(const struct say_message *m);
/** say_error / say_warn - a message with an id of compiler/base/errors.def; @hint: the next step or
 * NULL. */
void say_error(const char *id, const char *hint, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void say_warn(const char *id, const char *hint, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/** say_is_verbose - whether say_step() shows anything. */
bool say_is_verbose(void);
/** say_step - under -v, show what was done, and the milliseconds since the start of the program. */
void say_step(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/** say_text - write bytes to standard error unchanged. */
void say_text(const char *text, size_t len);
/** say_errors - return the number of errors so far. */
unsigned say_errors(void);

/* ---- words that depend on a number ---- */

/** plural_s - the ending of a noun of which there are @n: "" or "s". */
static inline const char *plural_s(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/** plural_are - "is" or "are". */
static inline const char *plural_are(uint64_t n)
{
	return n == 1 ? "is" : "are";
}

/** plural_were - "was" or "were". */
static inline const char *plural_were(uint64_t n)
{
	return n == 1 ? "was" : "were";
}

#endif
