/* SPDX-License-Identifier: GPL-2.0 */
/* A message is built in full and written at once, so that messages of two processes do not mix. */
#include "common/say.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "records.h"
#include "shared/buf.h"
#include "shared/clock.h"
#include "shared/file.h"

static struct {
	int verbose, quiet;
	enum escape_when escape; /* for the text of warn() and log() */
	unsigned errors;
	void (*flush)(void *);
	void *flush_arg;
	void (*write)(void *, const char *, size_t);
	void *write_arg;
	bool (*sink)(void *, const struct say_message *);
	void *sink_arg;
	int64_t start; /* ns */
} say;

void say_set(int verbose, int quiet)
{
	say.verbose = verbose;
	say.quiet = quiet;
	say.start = clock_ns();
}

void say_escape(enum escape_when when)
{
	say.escape = when;
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

void say_sink(bool (*sink)(void *, const struct say_message *), void *arg)
{
	say.sink = sink;
	say.sink_arg = arg;
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
	file_write_all(STDERR_FILENO, text, len);
}

static void add_srcloc(struct buf *t, const struct position *p)
{
	if (!p) {
		buf_puts(t, "probec: ");
		return;
	}
	escape_add(t, p->file, strlen(p->file));
	buf_printf(t, ":%u:%u", p->line, p->col);
	if (p->end_col > p->col + 1)
		buf_printf(t, "-%u", p->end_col - 1);
	buf_puts(t, ": ");
}

/* The source line and its underline; both keep tabs, so that they stay aligned. */
static void add_excerpt(struct buf *t, const struct position *p)
{
	size_t len = p ? strlen(p->text) : 0;

	if (len == 0 || len > PRT_EXCERPT_MAX)
		return;
	buf_printf(t, "%5u | ", p->line);
	escape_add(t, p->text, len);
	buf_puts(t, "\n      | ");
	for (size_t i = 0; i + 1 < p->col && i < len; i++)
		buf_puts(t, p->text[i] == '\t' ? "\t" : " ");
	buf_puts(t, "^");
	for (size_t i = p->col; i + 1 < p->end_col && i < len; i++)
		buf_puts(t, "~");
	buf_puts(t, "\n");
}

static void add_line(struct buf *t, const char *what, const char *s)
{
	buf_puts(t, "      = ");
	buf_puts(t, what);
	escape_add(t, s, strlen(s));
	buf_puts(t, "\n");
}

static void add_call(struct buf *t, const struct position *p)
{
	char where[32];

	if (!p)
		return;
	snprintf(where, sizeof(where), ":%u:%u", p->line, p->col);
	buf_puts(t, "      = called at ");
	escape_add(t, p->file, strlen(p->file));
	buf_puts(t, where);
	buf_puts(t, "\n");
}

/* Messages that go to the clients of a background session may end on a terminal. */
static bool escapes_script(void)
{
	return say.escape == ESCAPE_ALWAYS ||
	       (say.escape == ESCAPE_AUTO && (say.write || isatty(STDERR_FILENO)));
}

static void add_message(struct buf *t, const struct say_message *m)
{
	if (!m->id) {
		size_t len = m->len && m->text[m->len - 1] == '\n' ? m->len - 1 : m->len;

		buf_puts(t, m->bare ? "" : "WARNING: ");
		if (escapes_script())
			escape_add(t, m->text, len);
		else
			buf_write(t, m->text, len);
		buf_puts(t, "\n");
		return;
	}
	add_srcloc(t, m->srcloc);
	buf_puts(t, m->kind);
	buf_puts(t, ": ");
	escape_add(t, m->text, m->len);
	buf_puts(t, " [");
	buf_puts(t, m->id);
	buf_puts(t, "]\n");
	if (m->brief)
		return;
	add_excerpt(t, m->srcloc);
	for (unsigned i = 0; i < m->ncalled; i++)
		add_call(t, m->called[i]);
	if (m->probe)
		add_line(t, "in probe ", m->probe);
	if (m->hint)
		add_line(t, "", m->hint);
}

void say_message(const struct say_message *m)
{
	struct buf t = { 0 };

	if (say.quiet && strcmp(m->kind, "warning") == 0)
		return;
	if (say.sink && say.sink(say.sink_arg, m))
		return;
	add_message(&t, m);
	say_text(t.s, t.len);
	buf_deinit(&t);
}

static void message(const char *kind, const char *id, const char *hint, const char *fmt, va_list ap)
{
	char text[2048];
	int len = vsnprintf(text, sizeof(text), fmt, ap);
	struct say_message m = { .kind = kind, .id = id, .text = text, .hint = hint };

	if (len > 0)
		m.len = (size_t)len < sizeof(text) ? (size_t)len : sizeof(text) - 1;
	say_message(&m);
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

	va_start(ap, fmt);
	message("warning", id, hint, fmt, ap);
	va_end(ap);
}

bool say_is_verbose(void)
{
	return say.verbose;
}

void say_step(const char *fmt, ...)
{
	struct buf line = { 0 };
	char text[1024];
	va_list ap;
	int n, m;

	if (!say.verbose)
		return;
	n = snprintf(text, sizeof(text), "proberun: %7.1f ms: ",
		     (double)(clock_ns() - say.start) / 1e6);
	va_start(ap, fmt);
	m = vsnprintf(text + n, sizeof(text) - (size_t)n - 1, fmt, ap);
	va_end(ap);
	n += m < (int)sizeof(text) - n - 1 ? m : (int)sizeof(text) - n - 2;
	text[n++] = '\n';
	escape_add(&line, text, (size_t)n);
	say_text(line.s, line.len);
	buf_deinit(&line);
}
