/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One report is built in full and written at once, so that reports of two processes on one terminal
 * do not mix. Suppressed reports (warnings under -w, repetitions, what comes after the 20th error
 * or warning, anything while held) take their notes with them: `muted` says so until the next
 * report.
 */
#include "base/diag.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"

#define NOTE_COLOUR "\033[1;36m"

enum {
	ERRORS_SHOWN = 20,
	FLOOD = 1000,
	CHAIN_SHOWN = 8,
	LINE_SHOWN = 400,  /* bytes; longer lines are cut */
	LINE_BEFORE = 60,  /* of what is shown: before the place */
	LINE_CUT = 160,    /* ... and in all */
};

struct seen {
	enum diag_id id;
	const struct source *src;
	uint32_t start;
	bool error; /* a warning never swallows an error */
};

struct diag {
	struct arena *arena;
	VEC(struct seen) seen;
	unsigned errors, warnings, held, hold_depth;
	const char *held_text, *held_hint; /* of the first that was held */
	int colour, quiet, werror, muted;
	bool silenced[DIAG_ID_COUNT];
};

static const char *const id_names[] = {
#define ERR(name, text, todo) #name,
#include "base/errors.def"
#undef ERR
};

static const struct {
	const char *text, *todo;
	bool warns;
} id_words[] = {
#define ERR(name, text, todo) { text, todo, false },
#define WARN(name, text, todo) { text, todo, true },
#include "base/errors.def"
#undef ERR
#undef WARN
};

static bool terminal_has_colour(void)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(2) && !(no && *no) && !(term && !strcmp(term, "dumb"));
}

struct diag *diag_create(struct arena *a, int colour)
{
	struct diag *d = NEW(a, struct diag);

	d->arena = a;
	d->colour = colour == 2 ? terminal_has_colour() : colour;
	return d;
}

void diag_set_quiet(struct diag *d, int quiet)
{
	d->quiet = quiet;
}

void diag_set_werror(struct diag *d, int on)
{
	d->werror = on;
}

static const char *warning_name(struct arena *a, int id)
{
	char *name = arena_strdup(a, id_names[id] + strlen("E_"));

	for (char *c = name; *c; c++)
		*c = *c == '_' ? '-' : (char)tolower((unsigned char)*c);
	return name;
}

bool diag_silence(struct diag *d, const char *name)
{
	for (int id = 0; id < DIAG_ID_COUNT; id++) {
		if (!id_words[id].warns || strcmp(name, warning_name(d->arena, id)))
			continue;
		d->silenced[id] = true;
		return true;
	}
	return false;
}

const char *diag_warning_names(struct arena *a)
{
	const char *all = "";

	for (int id = 0; id < DIAG_ID_COUNT; id++)
		if (id_words[id].warns)
			all = arena_printf(a, "%s%s%s", all, *all ? " " : "", warning_name(a, id));
	return all;
}

const char *diag_nearest_warning(struct arena *a, const char *name)
{
	const char *names[DIAG_ID_COUNT];
	size_t n = 0;

	for (int id = 0; id < DIAG_ID_COUNT; id++)
		if (id_words[id].warns)
			names[n++] = warning_name(a, id);
	return diag_nearest(name, names, n);
}

const char *diag_explain(struct arena *a, const char *id)
{
	char *text = NULL, *to;

	for (int i = 0; i < DIAG_ID_COUNT; i++) {
		if (strcmp(id, id_names[i]))
			continue;
		text = arena_printf(a, "%s: %s\nWhat to do: %s\n", id, id_words[i].text,
				    id_words[i].todo);
		if (id_words[i].warns)
			text = arena_printf(a, "%sAs a warning it is silenced by -Wno-%s.\n", text,
					    warning_name(a, i));
	}
	to = text;
	for (const char *from = text; from && (*to = *from); from++)
		to += *from != '`';
	return text;
}

const char *diag_nearest_id(const char *id)
{
	return diag_nearest(id, id_names, DIAG_ID_COUNT);
}

unsigned diag_errors(const struct diag *d)
{
	return d->errors;
}

bool diag_shown(const struct diag *d)
{
	return !d->muted;
}

bool diag_flooded(const struct diag *d)
{
	return d->errors >= FLOOD;
}

void diag_hold(struct diag *d)
{
	if (d->hold_depth++ > 0)
		return;
	d->held = 0;
	d->held_text = d->held_hint = NULL;
}

const char *diag_held_text(const struct diag *d)
{
	return d->held_text;
}

const char *diag_held_hint(const struct diag *d)
{
	return d->held_hint;
}

unsigned diag_release(struct diag *d)
{
	d->hold_depth--;
	return d->held;
}

static const char *paint(const struct diag *d, const char *code)
{
	return d->colour ? code : "";
}

/* What a terminal may be shown as it is: no bytes that it would obey. */
static bool is_shown(char c)
{
	return c == '\t' || ((unsigned char)c >= ' ' && c != 127);
}

/* The second and later bytes of a UTF-8 character have no column of their own. */
static bool has_column(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

/* What is shown of a line: all of it, or of a long one what is around column @col. */
static void cut_line(const char *line, size_t col, size_t *from, size_t *to)
{
	if (*to <= LINE_SHOWN)
		return;
	*from = col > LINE_BEFORE ? col - LINE_BEFORE : 0;
	while (*from < *to && !has_column(line[*from]))
		++*from;
	if (*to - *from > LINE_CUT)
		*to = *from + LINE_CUT;
}

static void put_line(struct buf *b, const char *line, size_t from, size_t to, size_t len)
{
	buf_puts(b, from ? "..." : "");
	for (size_t i = from; i < to; i++)
		buf_putc(b, is_shown(line[i]) ? line[i] : '?');
	buf_printf(b, "%s\n      | %s", to < len ? "..." : "", from ? "   " : "");
}

/* The source line and the underline; tabs are kept in both, so that they stay aligned. */
static void put_excerpt(const struct diag *d, struct buf *b, struct range r)
{
	struct linecol at = source_linecol(r.src, r.start), to = source_linecol(r.src, r.end);
	size_t len, last, from = 0, end;
	const char *line = source_line(r.src, at.line, &len);

	if (len && line[len - 1] == '\r')
		len--;
	end = len;
	cut_line(line, at.col, &from, &end);
	buf_printf(b, "%5u | ", at.line);
	put_line(b, line, from, end, len);
	for (size_t i = from; i + 1 < at.col; i++)
		if (i >= len || has_column(line[i]))
			buf_putc(b, i < len && line[i] == '\t' ? '\t' : ' ');
	last = to.line == at.line ? to.col : len + 1;
	if (end < len && last > end + 1)
		last = end + 1;
	buf_puts(b, paint(d, "\033[32m"));
	buf_putc(b, '^');
	for (size_t i = at.col; i + 1 < last; i++)
		if (i >= len || has_column(line[i]))
			buf_putc(b, '~');
	buf_printf(b, "%s\n", paint(d, "\033[0m"));
}

static void put_place(struct buf *b, struct range r)
{
	struct linecol at, to;

	if (!r.src) {
		buf_puts(b, "probec: ");
		return;
	}
	at = source_linecol(r.src, r.start);
	to = source_linecol(r.src, r.end);
	buf_printf(b, "%s:%u:%u", r.src->name, at.line, at.col);
	if (to.line == at.line && to.col > at.col + 1)
		buf_printf(b, "-%u", to.col - 1);
	buf_puts(b, ": ");
}

/* The chain of macros, aliases and calls that a text came through, innermost first; of a long one
 * both ends. */
static void put_expansions(const struct diag *d, struct buf *b, struct range r)
{
	unsigned all = 0, n = 0;

	for (const struct expansion *x = r.via; x; x = x->outer)
		all++;
	for (const struct expansion *x = r.via; x; x = x->outer, n++) {
		struct range at = { x->src, x->start, x->end, NULL };

		if (all > CHAIN_SHOWN && n >= CHAIN_SHOWN - 2 && n < all - 2) {
			if (n == CHAIN_SHOWN - 2)
				buf_printf(b, "      = through %u more\n", all - CHAIN_SHOWN);
			continue;
		}
		put_place(b, at);
		if (!strcmp(x->what, "function"))
			buf_printf(b, "note: '%s' is called here\n", x->name);
		else
			buf_printf(b, "note: in the expansion of %s '%s'\n", x->what, x->name);
		put_excerpt(d, b, at);
	}
}

static void put_report(const struct diag *d, struct range r, const char *severity, const char *code,
		       const char *id, const char *fmt, va_list ap)
{
	struct buf b;

	buf_init(&b);
	put_place(&b, r);
	buf_printf(&b, "%s%s:%s ", paint(d, code), severity, paint(d, "\033[0m"));
	buf_vprintf(&b, fmt, ap);
	if (id)
		buf_printf(&b, " [%s]", id);
	buf_putc(&b, '\n');
	if (r.src)
		put_excerpt(d, &b, r);
	put_expansions(d, &b, r);
	fflush(stdout);
	fwrite(b.s, 1, b.len, stderr);
	buf_deinit(&b);
}

static int seen_before(struct diag *d, struct range r, enum diag_id id, bool error)
{
	vec_each(it, &d->seen)
		if (r.src && it->id == id && it->src == r.src && it->start == r.start &&
		    it->error >= error)
			return 1;
	vec_push(d->arena, &d->seen, ((struct seen){ id, r.src, r.start, error }));
	return 0;
}

static void report_error(struct diag *d, struct range r, enum diag_id id, const char *fmt,
			 va_list ap)
{
	d->muted = 1;
	if (d->hold_depth) {
		if (d->held++ == 0)
			d->held_text = arena_vprintf(d->arena, fmt, ap);
		return;
	}
	if (d->errors <= ERRORS_SHOWN && seen_before(d, r, id, true))
		return;
	if (++d->errors > ERRORS_SHOWN) {
		if (d->errors == ERRORS_SHOWN + 1)
			fprintf(stderr, "probec: more than %d errors, the others are not shown\n",
				ERRORS_SHOWN);
		return;
	}
	d->muted = 0;
	put_report(d, r, "error", "\033[1;31m", id_names[id], fmt, ap);
}

void diag_error(struct diag *d, struct range r, enum diag_id id, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	report_error(d, r, id, fmt, ap);
	va_end(ap);
}

/* Warnings and remarks: what a user may silence. They are counted together. */
static void report_advice(struct diag *d, struct range r, enum diag_id id, const char *severity,
			  const char *code, const char *fmt, va_list ap)
{
	d->muted = d->silenced[id] || d->quiet || d->hold_depth || d->warnings > ERRORS_SHOWN ||
		   seen_before(d, r, id, false);
	if (d->muted)
		return;
	if (++d->warnings > ERRORS_SHOWN) {
		d->muted = 1;
		fprintf(stderr, "probec: more than %d warnings, the others are not shown\n",
			ERRORS_SHOWN);
		return;
	}
	put_report(d, r, severity, code, id_names[id], fmt, ap);
}

void diag_warn(struct diag *d, struct range r, enum diag_id id, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (d->silenced[id])
		d->muted = 1;
	else if (d->werror)
		report_error(d, r, id, fmt, ap);
	else
		report_advice(d, r, id, "warning", "\033[1;35m", fmt, ap);
	va_end(ap);
}

void diag_remark(struct diag *d, struct range r, enum diag_id id, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	report_advice(d, r, id, "note", NOTE_COLOUR, fmt, ap);
	va_end(ap);
}

void diag_note(struct diag *d, struct range r, const char *fmt, ...)
{
	va_list ap;

	if (d->muted)
		return;
	va_start(ap, fmt);
	put_report(d, r, "note", NOTE_COLOUR, NULL, fmt, ap);
	va_end(ap);
}

void diag_hint(struct diag *d, const char *fmt, ...)
{
	bool first = d->hold_depth && d->held == 1 && !d->held_hint;
	const char *text;
	va_list ap;

	if (d->muted && !first)
		return;
	va_start(ap, fmt);
	text = arena_vprintf(d->arena, fmt, ap);
	va_end(ap);
	if (first)
		d->held_hint = text;
	else
		fprintf(stderr, "      = %s\n", text);
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Edit distance (insert, delete, replace, swap neighbours), given up above @limit. */
static size_t distance(const char *a, const char *b, size_t limit)
{
	size_t rows[3][65], la = strlen(a), lb = strlen(b);

	if (la > 64 || lb > 64 || (la > lb ? la - lb : lb - la) > limit)
		return limit + 1;
	for (size_t j = 0; j <= lb; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= la; i++) {
		size_t *row = rows[i % 3], *above = rows[(i - 1) % 3], *two = rows[(i + 1) % 3];

		row[0] = i;
		for (size_t j = 1; j <= lb; j++) {
			row[j] = least(above[j - 1] + (a[i - 1] != b[j - 1]),
				       least(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], two[j - 2] + 1);
		}
	}
	return rows[la % 3][lb];
}

/* Of two that are as near: @a begins like @name for longer, or is as long where letters swapped. */
static bool begins_nearer(const char *name, const char *a, const char *b)
{
	size_t na = 0, nb = 0, len = strlen(name);

	while (name[na] && name[na] == a[na])
		na++;
	while (name[nb] && name[nb] == b[nb])
		nb++;
	return na > nb || (na == nb && strlen(a) == len && strlen(b) != len);
}

/* Who knows only how a name begins. */
static const char *shortest_beginning(const char *with, const char *const *names, size_t n)
{
	size_t len = strlen(with);
	const char *found = NULL;

	for (size_t i = 0; len >= 4 && i < n; i++)
		if (!strncmp(names[i], with, len) && (!found || strlen(names[i]) < strlen(found)))
			found = names[i];
	return found;
}

const char *diag_nearest(const char *name, const char *const *names, size_t n)
{
	/* One letter is near to every other. */
	size_t len = strlen(name), best = len / 3 + (len == 2), limit = best;
	const char *found = NULL;

	for (size_t i = 0; i < n; i++) {
		size_t d = distance(name, names[i], limit);

		if (d > best || (found && d == best && !begins_nearer(name, names[i], found)))
			continue;
		best = d;
		found = names[i];
	}
	return found ? found : shortest_beginning(name, names, n);
}
