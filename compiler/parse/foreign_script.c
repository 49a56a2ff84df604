/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Recognises scripts of bpftrace, and reports them with one message for the whole script instead of
 * one about its first word. Only as much of that language is read as this needs: comments, strings,
 * braces, probe points, filters and words.
 */
#include "parse/foreign_script.h"

#include <string.h>

#include "base/words.h"
#include "parse/foreign.h"
#include "state.h"

enum { MOST_POINTS = 24, MOST_READ = 1000 };

#define GUIDE "doc/from-bpftrace.md"

static const struct word_row {
	const char *word, *here;
	bool call;
} rows[] = {
#define NAME(word, here) { word, here, false },
#define CALL(word, here) { word, here, true },
#include "parse/foreign_words.def"
};
#define COUNT(a) (sizeof(a) / sizeof(*(a)))

struct foreign_reader {
	struct state *s;
	const struct source *src;
	const char *at;                 /* next character */
	VEC(struct range) points;
	bool used[COUNT(rows)];         /* the words */
	bool has_map, has_local, has_filter;
	bool is_ours;                   /* a declaration of this language comes first */
};

static const char *skip_line(const char *p)
{
	return p + strcspn(p, "\n");
}

static const char *skip_string(const char *p)
{
	for (p++; *p && *p != '"' && *p != '\n'; p++)
		p += *p == '\\' && p[1];
	return p + (*p == '"');
}

static const char *skip_comment(const char *p)
{
	const char *end = strstr(p + 2, "*/");

	return end ? end + 2 : p + strlen(p);
}

/* Behind blanks, comments and, at the start of a line, what C's preprocessor reads. */
static const char *skip_blanks(const struct foreign_reader *r, const char *p)
{
	for (;;) {
		bool starts = p == r->src->text || p[-1] == '\n';

		if (*p == ' ' || (*p >= '\t' && *p <= '\r'))
			p++;
		else if (strncmp(p, "//", 2) == 0 || (*p == '#' && starts))
			p = skip_line(p);
		else if (strncmp(p, "/*", 2) == 0)
			p = skip_comment(p);
		else
			return p;
	}
}

/* ---- words ---- */

static bool is_word(const char *p, size_t len, const char *word)
{
	return strlen(word) == len && memcmp(p, word, len) == 0;
}

static size_t word_length(const char *p)
{
	size_t len = 0;

	while (words_is_part(p[len]))
		len++;
	return len;
}

static const char *take_word(struct foreign_reader *r, const char *p)
{
	size_t len = word_length(p);
	bool call = *skip_blanks(r, p + len) == '(';
	bool member = p > r->src->text && (p[-1] == '.' || (p[-1] == '>' && p[-2] == '-'));

	for (size_t i = 0; i < COUNT(rows) && !member; i++)
		if (rows[i].call == call && is_word(p, len, rows[i].word))
			r->used[i] = true;
	return p + len;
}

/* Takes one token of a handler or a filter. */
static const char *take_token(struct foreign_reader *r, const char *p)
{
	if (*p == '"')
		return skip_string(p);
	if (*p == '@' || *p == '$') {
		r->has_map |= *p == '@';
		r->has_local |= *p == '$';
		return p + 1 + word_length(p + 1);
	}
	return word_length(p) ? take_word(r, p) : p + 1;
}

/* A block: @p is its "{". */
static const char *take_block(struct foreign_reader *r, const char *p, bool words)
{
	int depth = 0;

	for (; *p; p = skip_blanks(r, p)) {
		if (*p == '{')
			depth++;
		if (*p == '}' && --depth == 0)
			return p + 1;
		p = words ? take_token(r, p) : *p == '"' ? skip_string(p) : p + 1;
	}
	return p;
}

/* ---- declarations ---- */

/* The text of a probe point at @p; a slash begins a filter, unless it belongs to a path. */
static size_t point_length(const char *p)
{
	size_t len = strcspn(p, " \t\r\n{},");
	const char *colon = memchr(p, ':', len);

	return colon && colon[1] == '/' ? len : strcspn(p, " \t\r\n{},/");
}

static bool is_ours(const char *p)
{
	static const char *const ours[] = { "probe", "global", "function", "private" };

	for (size_t i = 0; i < COUNT(ours); i++)
		if (is_word(p, word_length(p), ours[i]))
			return true;
	return *p == '%' || *p == '@';
}

static const char *take_filter(struct foreign_reader *r, const char *p)
{
	r->has_filter = true;
	for (; *p && *p != '{'; p = skip_blanks(r, p))
		p = take_token(r, p);
	return p;
}

static void take_point(struct foreign_reader *r)
{
	size_t len = point_length(r->at);
	uint32_t start = (uint32_t)(r->at - r->src->text);
	struct range at = { (struct source *)r->src, start, start + (uint32_t)len, NULL };

	if (len && r->points.n < MOST_READ)
		vec_push(r->s->arena, &r->points, at);
	r->at += len ? len : 1;
}

/* Reads a probe point, a filter, a handler or a definition. Returns false at the end. */
static bool read_item(struct foreign_reader *r)
{
	const char *p = r->at = skip_blanks(r, r->at);
	size_t len = word_length(p);

	if (!*p)
		return false;
	if (!r->points.n && is_ours(p))
		r->is_ours = true;
	if (r->is_ours)
		return false;
	if (*p == '{')
		r->at = take_block(r, p, true);
	else if (*p == '/')
		r->at = take_filter(r, p);
	else if (*p == ',' || *p == ';')
		r->at++;
	else if (is_word(p, len, "struct") || is_word(p, len, "union") || is_word(p, len, "enum") ||
		 is_word(p, len, "config"))
		r->at = take_block(r, p + strcspn(p, "{"), false);
	else
		take_point(r);
	return true;
}

/* ---- the report ---- */

static const char *translate(const struct foreign_reader *r, const struct range *at)
{
	return foreign_translate(r->s->arena, r->src->text + at->start, at->end - at->start);
}

static void hint_points(const struct foreign_reader *r)
{
	size_t left = 0;

	vec_each(at, &r->points) {
		const char *here = translate(r, at), *text = r->src->text;
		bool again = false;

		for (const struct range *old = r->points.v; old < at && !again; old++)
			again = old->end - old->start == at->end - at->start &&
				memcmp(text + old->start, text + at->start,
				       at->end - at->start) == 0;
		if (again)
			continue;
		if (at - r->points.v >= MOST_POINTS) {
			left++;
			continue;
		}
		diag_hint(r->s->diag, "line %u, %.*s: %s%s", source_linecol(r->src, at->start).line,
			  (int)(at->end - at->start), text + at->start, here ? "probe " : "",
			  here ? here : "there is no equivalent");
	}
	if (left)
		diag_hint(r->s->diag, "%zu more probe point%s", left, left == 1 ? "" : "s");
}

static void hint_words(const struct foreign_reader *r)
{
	if (r->has_map)
		diag_hint(r->s->diag, "@NAME: NAME, a global; @ alone needs a name");
	if (r->has_local)
		diag_hint(r->s->diag, "$NAME of a variable: NAME");
	if (r->has_filter)
		diag_hint(r->s->diag, "/FILTER/: probe POINT if (FILTER) { ... }");
	for (size_t i = 0; i < COUNT(rows); i++)
		if (r->used[i])
			diag_hint(r->s->diag, "%s%s: %s", rows[i].word, rows[i].call ? "()" : "",
				  rows[i].here);
	diag_hint(r->s->diag, GUIDE " has more equivalents");
}

/* Whether the name or the first line of the script says that it is for bpftrace. */
static bool is_declared_foreign(const struct source *src)
{
	const char *dot = strrchr(src->name, '.'), *line = src->text;
	size_t len = strcspn(line, "\n");

	return (dot && strcmp(dot, ".bt") == 0) ||
	       (strncmp(line, "#!", 2) == 0 && memmem(line, len, "bpftrace", 8));
}

/* Whether the first probe point shows that the script is for bpftrace: "begin" and "end" may also
 * be ours, without the word "probe". */
static bool is_evidence(const struct foreign_reader *r)
{
	const struct range *first = &r->points.v[0];
	const char *text = r->src->text + first->start;
	size_t len = first->end - first->start;

	return translate(r, first) && !is_word(text, len, "begin") && !is_word(text, len, "end");
}

int foreign_script(struct state *s, const struct source *src)
{
	struct foreign_reader r = { .s = s, .src = src, .at = src->text };
	bool declared = is_declared_foreign(src);
	struct range at;

	while (read_item(&r))
		if (r.points.n == 1 && !declared && !is_evidence(&r))
			return 0;
	if (r.is_ours || !r.points.n)
		return 0;
	at = r.points.v[0];
	diag_error(s->diag, at, E_BPFTRACE, "this is a script for bpftrace");
	hint_points(&r);
	hint_words(&r);
	return -1;
}
