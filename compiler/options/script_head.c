/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the description of a script and its "#:" comments. This needs no parser: a comment is found
 * by skipping strings, other comments and embedded C, and the code to the left of it must be the
 * declaration of one global.
 */
#include <ctype.h>
#include <string.h>

#include "base/words.h"
#include "options/private.h"

#define DECLARE "global NAME = 0  #: -n, --name=VALUE  what it does"

struct head_reader {
	struct state *s;
	struct script_head *head;
	const char *end;      /* of the text */
	const char **help;    /* of the declaration above, which the next line may continue */
	uint32_t help_line;   /* the line of its last comment */
};

static struct range range_of(const struct head_reader *r, const char *from, const char *to)
{
	struct source *src = r->head->src;

	return (struct range){ .src = src, .start = (uint32_t)(from - src->text),
			       .end = (uint32_t)(to - src->text) };
}

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

static const char *skip_word(const char *p, const char *end)
{
	while (p < end && *p != ' ' && *p != '\t')
		p++;
	return p;
}

static const char *skip_name(const char *p, const char *end)
{
	while (p < end && words_is_part(*p))
		p++;
	return p;
}

/* The end of the string that begins at @p; it ends with its line in any case. */
static const char *skip_string(const char *p, const char *end)
{
	for (p++; p < end && *p != '\n' && *p != '"'; p++)
		if (*p == '\\' && p + 1 < end && p[1] != '\n')
			p++;
	return p < end && *p == '"' ? p + 1 : p;
}

/* ---- the global ---- */

/* "-12", "0x1f", "1K" are left to the parser: here a number is a word that begins like one. */
static const char *skip_value(const char *p, const char *end, bool *is_string)
{
	*is_string = p < end && *p == '"';
	if (*is_string)
		return skip_string(p, end);
	if (p < end && *p == '-')
		p++;
	return p < end && isdigit((unsigned char)*p) ? skip_name(p, end) : NULL;
}

static bool take_word(const char **p, const char *end, const char *word)
{
	size_t len = strlen(word);

	if ((size_t)(end - *p) < len || strncmp(*p, word, len) != 0 ||
	    (*p + len < end && words_is_part((*p)[len])))
		return false;
	*p = skip_blanks(*p + len, end);
	return true;
}

/* Reads "global NAME = VALUE" between @p and @end. */
static bool read_global(struct head_reader *r, const char *p, const char *end,
			struct script_option *ret)
{
	const char *name;

	p = skip_blanks(p, end);
	take_word(&p, end, "private");
	if (!take_word(&p, end, "global"))
		return false;
	name = p;
	p = skip_name(p, end);
	if (p == name || isdigit((unsigned char)*name))
		return false;
	ret->global = arena_strndup(r->s->arena, name, (size_t)(p - name));
	p = skip_blanks(p, end);
	if (p == end || *p != '=')
		return false;
	p = skip_value(skip_blanks(p + 1, end), end, &ret->is_string);
	if (!p)
		return false;
	p = skip_blanks(p, end);
	if (p < end && *p == ';')
		p = skip_blanks(p + 1, end);
	return p == end;
}

/* ---- declarations ---- */

/* Reports that the text from @p to @end declares nothing; the caller adds the next step. */
static void malformed(struct head_reader *r, const char *p, const char *end, const char *what)
{
	diag_error(r->s->diag, range_of(r, p, end), E_SCRIPT_OPTION, "%s", what);
}

static const char *trimmed(struct head_reader *r, const char *p, const char *end)
{
	while (end > p && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
		end--;
	return arena_strndup(r->s->arena, p, (size_t)(end - p));
}

/* The name of a value in capitals that follows a letter: "-n NUMBER  text". */
static const char *skip_capitals(const char *p, const char *end)
{
	const char *from = p;

	while (p < end && (isupper((unsigned char)*p) || isdigit((unsigned char)*p) ||
			   (p > from && strchr("-_", *p))))
		p++;
	return end - p >= 2 && (*p == '\t' || (*p == ' ' && p[1] == ' ')) ? p : from;
}

static const char *read_value(struct head_reader *r, const char *p, const char *end,
			      struct script_option *o)
{
	const char *from = p + 1, *to = from;

	if (p < end && *p == '=')
		to = skip_word(from, end);
	else if (p < end && *p == ' ' && !o->name)
		to = skip_capitals(from, end);
	if (to <= from)
		return p;
	o->value = arena_strndup(r->s->arena, from, (size_t)(to - from));
	return to;
}

/* Reads "-n, --name=VALUE" and returns its end, or NULL if it is malformed. */
static const char *read_names(struct head_reader *r, const char *p, const char *end,
			      struct script_option *o)
{
	const char *from;

	if (end - p >= 2 && p[0] == '-' && isalpha((unsigned char)p[1])) {
		o->letter = p[1];
		p += 2;
		if (p < end && *p == ',')
			p = skip_blanks(p + 1, end);
		else
			return read_value(r, p, end, o);
	}
	if (end - p < 3 || p[0] != '-' || p[1] != '-' || !isalnum((unsigned char)p[2]))
		return NULL;
	from = p += 2;
	while (p < end && (words_is_part(*p) || *p == '-'))
		p++;
	o->name = arena_strndup(r->s->arena, from, (size_t)(p - from));
	return read_value(r, p, end, o);
}

static const char *shown_name(struct head_reader *r, const struct script_option *o)
{
	return o->name ? arena_printf(r->s->arena, "--%s", o->name) :
			 arena_printf(r->s->arena, "-%c", o->letter);
}

/* Reports a name that is taken: by probec itself, or by an option above. */
static bool is_taken(struct head_reader *r, const struct script_option *o)
{
	static const char *const own[] = { "help", "color", "colour", "no-config" };
	const char *name = shown_name(r, o), *what = NULL;

	if (o->name && strncmp(o->name, OPTION_RESERVED, strlen(OPTION_RESERVED)) == 0) {
		diag_error(r->s->diag, o->at, E_SCRIPT_OPTION, "--" OPTION_RESERVED "NAME is "
			   "probec's own option --NAME for all scripts");
		diag_hint(r->s->diag, "give it another name");
		return true;
	}
	if (o->letter == 'h' || (o->name && words_has(own, 4, o->name))) {
		malformed(r, o->at.src->text + o->at.start, o->at.src->text + o->at.end,
			  arena_printf(r->s->arena, "%s is an option of probec for all scripts",
				       o->letter == 'h' ? "-h" : name));
		diag_hint(r->s->diag, "give it another name");
		return true;
	}
	vec_each(it, &r->head->options) {
		if (o->letter && it->letter == o->letter)
			what = arena_printf(r->s->arena, "the option -%c", o->letter);
		else if (o->name && it->name && strcmp(o->name, it->name) == 0)
			what = arena_printf(r->s->arena, "the option --%s", o->name);
		else if (strcmp(o->global, it->global) == 0)
			what = arena_printf(r->s->arena, "an option for '%s'", o->global);
		if (!what)
			continue;
		diag_error(r->s->diag, o->at, E_REDEFINED, "%s is declared twice", what);
		diag_note(r->s->diag, it->at, "it is first declared here");
		return true;
	}
	return false;
}

static void declared(struct head_reader *r, const char **help, struct range at)
{
	r->help = help;
	r->help_line = source_linecol(at.src, at.start).line;
}

static void read_option(struct head_reader *r, struct script_option *o, const char *p,
			const char *end)
{
	const char *from = p;

	p = read_names(r, p, end, o);
	if (!p || (p < end && *p != ' ' && *p != '\t')) {
		malformed(r, from, end, "this does not declare an option");
		diag_hint(r->s->diag, "write " DECLARE);
		return;
	}
	p = skip_blanks(p, end);
	o->help = trimmed(r, p, end);
	if (!*o->help) {
		malformed(r, from, end, arena_printf(r->s->arena, "%s has no description",
						     shown_name(r, o)));
		diag_hint(r->s->diag, "add what it does, which --help shows");
	} else if (!o->value && o->is_string) {
		malformed(r, from, end, arena_printf(r->s->arena, "%s has no value, but '%s' is a "
						     "string", shown_name(r, o), o->global));
		diag_hint(r->s->diag, "name the value, --%s=VALUE; or begin with 0, and the option "
			  "sets 1", o->name ? o->name : "name");
	} else if (!is_taken(r, o)) {
		vec_push(r->s->arena, &r->head->options, *o);
		declared(r, &r->head->options.v[r->head->options.n - 1].help, o->at);
	}
}

/* Reads the kind of an argument, ":number". Returns its end, or NULL. */
static const char *read_kind(const char *p, const char *end, struct script_argument *a)
{
	static const char *const kinds[] = {
		[ARGUMENT_NUMBER] = ":number", [ARGUMENT_POINT] = ":point",
		[ARGUMENT_FUNCTION] = ":function",
	};

	if (p == end || *p != ':')
		return p;
	for (int i = ARGUMENT_NUMBER; i <= ARGUMENT_FUNCTION; i++) {
		size_t len = strlen(kinds[i]);

		if ((size_t)(end - p) < len || strncmp(p, kinds[i], len) != 0)
			continue;
		a->kind = (enum argument_kind)i;
		return p + len;
	}
	return NULL;
}

/* Reads "NAME", "[NAME]" or one of them with "..." between @p and @end. */
static bool read_argument_name(struct head_reader *r, const char *p, const char *end,
			       struct script_argument *a)
{
	const char *name, *past;

	a->is_optional = *p == '[';
	name = p += a->is_optional;
	while (p < end && (isupper((unsigned char)*p) ||
			   (p > name && (isdigit((unsigned char)*p) || strchr("-_", *p)))))
		p++;
	past = p;
	p = read_kind(p, end, a);
	if (!p)
		return false;
	for (int i = 0; i < 2; i++) {
		if (end - p >= 3 && strncmp(p, "...", 3) == 0) {
			a->repeats = true;
			p += 3;
		}
		if (!i && a->is_optional && (p == end || *p++ != ']'))
			return false;
	}
	a->name = arena_strndup(r->s->arena, name, (size_t)(past - name));
	return past > name && p == end;
}

static void read_argument(struct head_reader *r, struct script_argument *a, const char *p,
			  const char *end)
{
	const struct script_argument *last = r->head->arguments.n ?
		&r->head->arguments.v[r->head->arguments.n - 1] : NULL;
	const char *to = skip_word(p, end), *what = NULL;

	if (!read_argument_name(r, p, to, a)) {
		malformed(r, p, end, "this declares neither an option nor an argument");
		diag_hint(r->s->diag, "an option follows its global: " DECLARE "; an "
			  "argument is a word in capitals: #: NAME  what it is; it may have a "
			  "kind, :number, :point or :function");
		return;
	}
	a->help = trimmed(r, skip_blanks(to, end), end);
	vec_each(it, &r->head->arguments)
		if (strcmp(it->name, a->name) == 0) {
			diag_error(r->s->diag, a->at, E_REDEFINED,
				   "the argument %s is declared twice", a->name);
			diag_note(r->s->diag, it->at, "it is first declared here");
			return;
		}
	if (!*a->help)
		what = "%s has no description";
	else if (last && last->repeats)
		what = "%s follows an argument that takes all the remaining words";
	else if (last && last->is_optional && !a->is_optional)
		what = "%s must be given, but the argument before it may be left out";
	if (what) {
		diag_error(r->s->diag, a->at, E_SCRIPT_OPTION, what, a->name);
		diag_hint(r->s->diag, "write #: NAME  what it is, or #: [NAME] for an argument "
			  "that may be left out");
		return;
	}
	vec_push(r->s->arena, &r->head->arguments, *a);
	declared(r, &r->head->arguments.v[r->head->arguments.n - 1].help, a->at);
}

/* Takes the comment from @at to @end, to the left of which its line begins at @line. */
static void take_comment(struct head_reader *r, const char *line, const char *at, const char *end)
{
	const char *text = skip_blanks(at + 2, end);
	struct range range = range_of(r, at, end);
	struct script_option o = { .at = range };
	struct script_argument a = { .at = range };

	if (skip_blanks(line, at) != at) {
		if (read_global(r, line, at, &o)) {
			read_option(r, &o, text, end);
			return;
		}
		malformed(r, skip_blanks(line, at), at,
			  "an option belongs to one global with a number or a string");
		diag_hint(r->s->diag, "write " DECLARE ", or #, not #:, before an ordinary "
						       "comment");
		return;
	}
	if (text - at >= 6 && *text && r->help &&
	    source_linecol(range.src, range.start).line == r->help_line + 1) {
		*r->help = arena_printf(r->s->arena, "%s\n%s", *r->help, trimmed(r, text, end));
		r->help_line++;
	} else {
		read_argument(r, &a, text, end);
	}
}

/* The end of what begins at @p and is no "#:" comment. */
static const char *skip_other(const char *p, const char *end)
{
	const char *close = NULL;

	if (*p == '"')
		return skip_string(p, end);
	if (*p == '#' || strncmp(p, "//", 2) == 0)
		return p + strcspn(p, "\n");
	if ((*p == '$' || *p == '@') && p[1] == '#')
		return p + 2;
	if (strncmp(p, "/*", 2) == 0)
		close = "*/";
	else if (strncmp(p, "%{", 2) == 0)
		close = "%}";
	if (!close)
		return p + 1;
	p = strstr(p + 2, close);
	return p ? p + 2 : end;
}

static void read_comments(struct head_reader *r)
{
	const char *p = r->head->src->text, *line = p;

	while (p < r->end) {
		if (*p == '#' && p[1] == ':' && strchr(" \t\n", p[2])) {
			const char *end = p + strcspn(p, "\n");

			take_comment(r, line, p, end);
			p = end;
		} else if (*p == '\n') {
			line = ++p;
		} else {
			const char *from = p;

			/* The code on a line begins after a comment of several lines. */
			for (p = skip_other(p, r->end); from < p; from++)
				if (*from == '\n')
					line = from + 1;
		}
	}
}

/* ---- the description ---- */

/* "NAME - TITLE" */
static void read_title(struct head_reader *r, const char *line)
{
	size_t len = strcspn(line, " \t");

	if (!len || strncmp(line + len, " - ", 3) != 0 || !line[len + 3])
		return;
	r->head->name = arena_strndup(r->s->arena, line, len);
	r->head->title = line + len + 3;
}

static void read_description(struct head_reader *r)
{
	struct script_head *head = r->head;
	const char *p = head->src->text;
	bool began = false;

	head->is_executable = strncmp(p, "#!", 2) == 0;
	if (head->is_executable)
		p += strcspn(p, "\n");
	for (; p < r->end; p += strcspn(p, "\n")) {
		const char *line, *end;

		p += *p == '\n';
		end = p + strcspn(p, "\n");
		if (p == end && !began && p < r->end)
			continue;
		if (*p != '#' || p[1] == ':')
			break;
		line = trimmed(r, p + (p[1] == ' ' ? 2 : 1), end);
		if (strncmp(line, "SPDX-License-Identifier:", 24) == 0)
			continue;
		if (!began)
			read_title(r, line);
		if ((began || !head->title) && (*line || head->text.n))
			vec_push(r->s->arena, &head->text, line);
		began = true;
	}
	while (head->text.n && !*head->text.v[head->text.n - 1])
		head->text.n--;
}

struct script_head *script_head_read(struct state *s, struct source *src)
{
	struct script_head *head = NEW(s->arena, struct script_head);
	struct head_reader r = { .s = s, .head = head, .end = src->text + src->len };

	head->src = src;
	if (!memchr(src->text, '\0', src->len)) {
		read_description(&r);
		read_comments(&r);
	}
	return head;
}
