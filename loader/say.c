/* SPDX-License-Identifier: GPL-2.0 */
/* One message is built in full and written at once, so that messages of two processes do not mix.
 */
#include "say.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct {
	int verbose, quiet;
	unsigned errors;
	void (*flush)(void *);
	void *flush_arg;
	void (*write)(void *, const char *, size_t);
	void *write_arg;
	struct timespec start;
} say;

void say_set(int verbose, int quiet)
{
	say.verbose = verbose;
	say.quiet = quiet;
	clock_gettime(CLOCK_MONOTONIC, &say.start);
}

void say_before(void (*flush)(void *), void *arg)
{
	say.flush = flush;
	say.flush_arg = arg;
}

void say_to(void (*write)(void *, const char *, size_t), void *arg)
{
	say.write = write;
	say.write_arg = arg;
}

int say_warnings_shown(void)
{
	return !say.quiet;
}

unsigned say_errors(void)
{
	return say.errors;
}

void say_text(const char *text, size_t len)
{
	if (say.flush)
		say.flush(say.flush_arg);
	if (say.write) {
		say.write(say.write_arg, text, len);
		return;
	}
	while (len > 0) {
		ssize_t n = write(STDERR_FILENO, text, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		text += n;
		len -= (size_t)n;
	}
}

static void message(const char *kind, const char *id, const char *hint, const char *fmt, va_list ap)
{
	char text[4096];
	size_t n = (size_t)snprintf(text, sizeof(text), "probec: %s: ", kind);
	int len = vsnprintf(text + n, sizeof(text) / 2, fmt, ap);

	if (len > 0)
		n += (size_t)len < sizeof(text) / 2 ? (size_t)len : sizeof(text) / 2 - 1;
	len = snprintf(text + n, sizeof(text) - n, " [%s]\n", id);
	n += (size_t)len;
	if (hint && n < sizeof(text)) {
		len = snprintf(text + n, sizeof(text) - n, "      = %s\n", hint);
		n += (size_t)len;
	}
	if (n >= sizeof(text)) {
		n = sizeof(text) - 1;
		text[n - 1] = '\n';
	}
	say_text(text, n);
}

void say_error(const char *id, const char *hint, const char *fmt, ...)
{
	va_list ap;

	say.errors++;
	va_start(ap, fmt);
	message("error", id, hint, fmt, ap);
	va_end(ap);
}

void say_warn(const char *id, const char *hint, const char *fmt, ...)
{
	va_list ap;

	if (say.quiet)
		return;
	va_start(ap, fmt);
	message("warning", id, hint, fmt, ap);
	va_end(ap);
}

void say_step(const char *fmt, ...)
{
	char text[1024];
	struct timespec now;
	va_list ap;
	int n, m;

	if (!say.verbose)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	n = snprintf(text, sizeof(text), "proberun: %7.1f ms: ",
		     (double)(now.tv_sec - say.start.tv_sec) * 1e3 +
			     (double)(now.tv_nsec - say.start.tv_nsec) / 1e6);
	va_start(ap, fmt);
	m = vsnprintf(text + n, sizeof(text) - (size_t)n - 1, fmt, ap);
	va_end(ap);
	n += m < (int)sizeof(text) - n - 1 ? m : (int)sizeof(text) - n - 2;
	text[n++] = '\n';
	say_text(text, (size_t)n);
}
