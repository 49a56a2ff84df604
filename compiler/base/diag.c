/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A report is built in full and written at once, so that reports of two processes on one terminal
 * do not mix. If a report is suppressed (warnings under -w, repetitions, everything after the 20th
 * error or warning, everything while reports are held), its notes are suppressed as well: `muted`
 * says so until the next report.
 *
 * Reports are built with colours, which are removed if they are not wanted. While recording,
 * warnings and notes are stored even if this run does not show them, because another run may.
 */
#include "base/diag.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared/buf.h"

#define ERROR_COLOUR "\033[1;31m"
#define WARNING_COLOUR "\033[1;35m"
#define NOTE_COLOUR "\033[1;36m"
#define MARK_COLOUR "\033[32m"
#define NO_COLOUR "\033[0m"

enum {
	ERRORS_SHOWN = 20,
	FLOOD = 1000,
	CHAIN_SHOWN = 8,
	LINE_SHOWN = 400,  /* bytes; longer lines are cut */
	LINE_BEFORE = 60,  /* ... of these, bytes before the range */
	LINE_CUT = 160,    /* ... and in all */
};

struct seen {
	enum diag_id id;
	const struct source *src;
	uint32_t start;
	bool error; /* a warning never swallows an error */
};

/* A report that users may silence: a warning or a remark. */
struct advice {
	enum diag_id id;
	bool warning;
	const char *text; /* with its notes and hints, with colours */
};

struct diag {
	struct arena *arena;
	VEC(struct seen) seen;
	unsigned errors, warnings, held, hold_depth;
	const char *held_text, *held_hint; /* of the first report that was held */
	int colour, quiet, werror, muted;
	bool silenced[DIAG_ID_COUNT];
	bool recording;
	VEC(struct advice) recorded;
	/* the last report, if it is being recorded; otherwise NULL */
	struct advice *kept;
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

	return isatty(2) && !(no && *no) && !(term && strcmp(term, "dumb") == 0);
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
		if (!id_words[id].warns || strcmp(name, warning_name(d->arena, id)) != 0)
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
		if (strcmp(id, id_names[i]) != 0)
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
	return !d->muted || d->kept;
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

/* The length of the escape sequence of a colour at the beginning of @s, or 0. */
static size_t colour_length(const char *s)
{
	static const char *const colours[] = { ERROR_COLOUR, WARNING_COLOUR, NOTE_COLOUR,
					       MARK_COLOUR, NO_COLOUR };

	for (size_t i = 0; i < sizeof(colours) / sizeof(colours[0]); i++)
		if (strncmp(s, colours[i], strlen(colours[i])) == 0)
			return strlen(colours[i]);
	return 0;
}

/* Shows a finished report, or a hint. */
static void show(const struct diag *d, const char *text)
{
	struct buf b;

	buf_init(&b);
	for (size_t n; *text; text += n) {
		size_t colour = d->colour ? 0 : colour_length(text);

		n = colour ? colour : 1 + strcspn(text + 1, "\033");
		if (!colour)
			buf_write(&b, text, n);
	}
	fflush(stdout);
	fwrite(b.s, 1, b.len, stderr);
	buf_deinit(&b);
}

/* The same for something that belongs to the last report. */
static void show_more(struct diag *d, const char *text)
{
	if (!d->muted)
		show(d, text);
	if (d->kept)
		d->kept->text = arena_printf(d->arena, "%s%s", d->kept->text, text);
}

/* Whether a terminal shows the character as it is and does not interpret it. */
static bool is_shown(char c)
{
	return c == '\t' || ((unsigned char)c >= ' ' && c != 127);
}

/* The second and later bytes of a UTF-8 character have no column of their own. */
static bool has_column(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

/* Chooses the part of a line that is shown: all of it, or the surroundings of column @col if it is
 * long. */
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

/* Puts the source line and the underline; both have the same tabs, so that they stay aligned. */
static void put_excerpt(struct buf *b, struct range r)
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
	buf_puts(b, MARK_COLOUR);
	buf_putc(b, '^');
	for (size_t i = at.col; i + 1 < last; i++)
		if (i >= len || has_column(line[i]))
			buf_putc(b, '~');
	buf_puts(b, NO_COLOUR "\n");
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

/* Puts the macros, aliases and calls through which a text came, innermost first; of a long chain
 * both ends. */
static void put_expansions(struct buf *b, struct range r)
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
		if (strcmp(x->what, "function") == 0)
			buf_printf(b, "note: '%s' is called here\n", x->name);
		else
			buf_printf(b, "note: in the expansion of %s '%s'\n", x->what, x->name);
		put_excerpt(b, at);
	}
}

static void put_report(struct diag *d, struct range r, const char *severity, const char *code,
		       const char *id, const char *fmt, va_list ap)
{
	struct buf b;

	buf_init(&b);
	put_place(&b, r);
	buf_printf(&b, "%s%s:" NO_COLOUR " ", code, severity);
	buf_vprintf(&b, fmt, ap);
	if (id)
		buf_printf(&b, " [%s]", id);
	buf_putc(&b, '\n');
	if (r.src)
		put_excerpt(&b, r);
	put_expansions(&b, r);
	show_more(d, b.s);
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
	d->kept = NULL;
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
	put_report(d, r, "error", ERROR_COLOUR, id_names[id], fmt, ap);
}

void diag_error(struct diag *d, struct range r, enum diag_id id, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	report_error(d, r, id, fmt, ap);
	va_end(ap);
}

/* Reports that there are more instead of the 21st. */
static bool may_show(struct diag *d)
{
	if (d->warnings > ERRORS_SHOWN)
		return false;
	if (++d->warnings <= ERRORS_SHOWN)
		return true;
	fprintf(stderr, "probec: more than %d warnings, the others are not shown\n", ERRORS_SHOWN);
	return false;
}

/* Warnings and notes that users may silence. They are counted together. */
static void report_advice(struct diag *d, struct range r, enum diag_id id, bool warning,
			  const char *fmt, va_list ap)
{
	bool hidden = d->silenced[id] || d->quiet || d->warnings > ERRORS_SHOWN;
	bool records = d->recording && d->recorded.n < FLOOD;

	d->muted = 1;
	d->kept = NULL;
	if (d->hold_depth || (hidden && !records) || seen_before(d, r, id, false))
		return;
	d->muted = hidden || !may_show(d);
	if (records) {
		vec_push(d->arena, &d->recorded, ((struct advice){ id, warning, "" }));
		d->kept = &d->recorded.v[d->recorded.n - 1];
	}
	if (!d->muted || d->kept)
		put_report(d, r, warning ? "warning" : "note",
			   warning ? WARNING_COLOUR : NOTE_COLOUR, id_names[id], fmt, ap);
}

void diag_warn(struct diag *d, struct range r, enum diag_id id, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (d->werror && !d->quiet && !d->silenced[id])
		report_error(d, r, id, fmt, ap);
	else
		report_advice(d, r, id, true, fmt, ap);
	va_end(ap);
}

void diag_remark(struct diag *d, struct range r, enum diag_id id, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	report_advice(d, r, id, false, fmt, ap);
	va_end(ap);
}

void diag_note(struct diag *d, struct range r, const char *fmt, ...)
{
	va_list ap;

	if (!diag_shown(d))
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

	if (!diag_shown(d) && !first)
		return;
	va_start(ap, fmt);
	text = arena_vprintf(d->arena, fmt, ap);
	va_end(ap);
	if (first)
		d->held_hint = text;
	else
		show_more(d, arena_printf(d->arena, "      = %s\n", text));
}

/* ---- storing the advice of a run ---- */

void diag_record(struct diag *d)
{
	d->recording = true;
}

void diag_recorded(const struct diag *d, struct buf *b)
{
	buf_puts(b, "");
	vec_each(it, &d->recorded)
		buf_printf(b, "%s %d %zu\n%s", id_names[it->id], it->warning, strlen(it->text),
			   it->text);
}

static int id_named(const char *name)
{
	for (int id = 0; id < DIAG_ID_COUNT; id++)
		if (strcmp(name, id_names[id]) == 0)
			return id;
	return -1;
}

/* Reads the next one of @text. Returns NULL if there is none, or if it is incomplete. */
static const char *read_advice(struct diag *d, const char *text, struct advice *ret)
{
	char name[64];
	int id, warning, head = 0;
	size_t len;

	if (sscanf(text, "%63s %d %zu%n", name, &warning, &len, &head) != 3 || text[head] != '\n')
		return NULL;
	id = id_named(name);
	text += head + 1;
	if (id < 0 || strnlen(text, len) != len)
		return NULL;
	*ret = (struct advice){ (enum diag_id)id, warning, arena_strndup(d->arena, text, len) };
	return text + len;
}

int diag_replay(struct diag *d, const char *text)
{
	VEC(struct advice) all = { 0 };

	while (*text) {
		struct advice one;

		text = read_advice(d, text, &one);
		if (!text || (one.warning && d->werror && !d->quiet &&
			      !d->silenced[one.id]))
			return -1;
		vec_push(d->arena, &all, one);
	}
	vec_each(it, &all)
		if (!d->silenced[it->id] && !d->quiet && may_show(d))
			show(d, it->text);
	return 0;
}
