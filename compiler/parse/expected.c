/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Syntax errors in words. The grammar knows every token that would have fitted, which may be half
 * of the language, so well-known sets are named as a whole.
 */
#include <stdio.h>
#include <string.h>

#include "grammar/script.tab.h"
#include "parse/foreign.h"
#include "parse/hash_lines.h"
#include "parse/parser.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static const char *const expression_words[] = {
	"a name", "a $variable", "a number", "a string", "%{", "a print function",
	"an aggregate function", "an @operator", "'('", "'['", "'-'", "'+'", "'!'", "'~'", "'&'",
	"++", "--",
};

static const char *const operator_words[] = {
	"<<<", ">>>", "<<=", ">>=", "==", "!=", "<=", ">=", "=~", "!~", "+=", "-=", "*=", "/=",
	"%=", "&=", "^=", "|=", ".=", "&&", "||", "++", "--", "->", "<<", ">>", "'='", "'?'",
	"'|'", "'^'", "'&'", "'<'", "'>'", "'.'", "'+'", "'-'", "'*'", "'/'", "'%'", "in", "'('",
	"'['", "$",
};

static const char *const keywords[] = {
#define KEYWORD(token, text) text,
#define PRINT_WORD(kind, text) text,
#include "ast/words.def"
};

struct expected_names {
	const char *v[256];
	size_t n;
};

static bool has(const struct expected_names *s, const char *name)
{
	for (size_t i = 0; i < s->n; i++)
		if (strcmp(s->v[i], name) == 0)
			return true;
	return false;
}

static void drop(struct expected_names *s, const char *const *what, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->n; i++) {
		bool found = false;

		for (size_t j = 0; j < n && !found; j++)
			found = strcmp(s->v[i], what[j]) == 0;
		if (!found)
			s->v[kept++] = s->v[i];
	}
	s->n = kept;
}

static void add(struct expected_names *s, const char *name)
{
	if (s->n < COUNT(s->v))
		s->v[s->n++] = name;
}

/* Replaces the members of well-known sets by the name of the set. */
static void summarise(struct expected_names *s)
{
	/* Where a fraction may be, an integer may be as well. */
	drop(s, (const char *const[]){ "a number with a fraction" }, 1);
	if (has(s, "limit") && has(s, "probe")) {
		s->n = 0;
		add(s, "the name of a member");
		return;
	}
	if (has(s, "'?'") && !has(s, "||")) {
		bool braces = has(s, "'}'");

		s->n = 0;
		add(s, "'.'");
		add(s, "','");
		if (!braces)
			add(s, "'='");
		add(s, braces ? "'}'" : "'{'");
		return;
	}
	if (has(s, "global") && has(s, "function")) {
		s->n = 0;
		add(s, "a declaration (probe, global, function)");
		return;
	}
	if (has(s, "if") && has(s, "while")) {
		bool after_expression = has(s, "||"), else_too = has(s, "else");
		bool close = has(s, "'}'");

		s->n = 0;
		if (after_expression) {
			add(s, "';'");
			add(s, "an operator");
		} else {
			add(s, "a statement");
		}
		if (else_too)
			add(s, "else");
		if (close)
			add(s, "'}'");
		return;
	}
	if (has(s, "a number") && has(s, "'('") && has(s, "a string")) {
		drop(s, expression_words, COUNT(expression_words));
		add(s, "an expression");
	} else if (has(s, "a number")) {
		drop(s, (const char *const[]){ "'+'", "'-'" }, 2);
	}
	if (has(s, "||")) {
		drop(s, operator_words, COUNT(operator_words));
		add(s, "an operator");
	}
}

static void append(char *text, size_t size, const char *name, bool quote)
{
	size_t len = strlen(text);

	snprintf(text + len, size - len, quote ? "'%s'" : "%s", name);
}

static bool is_description(const char *name)
{
	return strncmp(name, "a ", 2) == 0 || strncmp(name, "an ", 3) == 0 ||
	       strncmp(name, "the ", 4) == 0 || *name == '\'';
}

/* "'x'", cut to fit into a line. */
static void describe(char *text, size_t size, const struct token *t)
{
	int len = (int)(t->range.end - t->range.start);
	const char *s = t->range.src->text + t->range.start, *nl = memchr(s, '\n', (size_t)len);

	if (!t->kind || !len) {
		snprintf(text, size, "the end of the file");
		return;
	}
	if (nl)
		len = (int)(nl - s);
	snprintf(text, size, "'%.*s%s'", len > 40 ? 37 : len, s, len > 40 ? "..." : "");
}

/* Kinds of tokens are characters or greater numbers; 0 is the end. */
static bool is_one_of(int kind, const char *characters)
{
	return kind > 0 && kind < 128 && strchr(characters, kind);
}

/* A probe point in the syntax of bpftrace or perf that begins with the word at @at. */
static bool hint_foreign_point(struct parser *p, struct range at, const char *probe)
{
	const char *text = at.src->text + at.start;
	size_t len = strcspn(text, " \t\n{},"), kind = strcspn(text, ":");
	bool has_path = kind < len && text[kind + 1] == '/';
	/* A slash begins a filter, unless it belongs to a path. */
	const char *point = foreign_translate(p->arena, text, has_path ? len :
					      strcspn(text, " \t\n{},/"));

	if (!point)
		point = foreign_event(p->arena, text, len);

	if (point)
		diag_hint(p->diag, "in this language: %s%s", probe, point);
	return point;
}

/* @last is where a declaration was expected. */
static void hint_declaration(struct parser *p, const struct token *last)
{
	static const char *const declarations[] = { "probe", "global", "function", "private" };
	const char *near;

	if (last->kind == '}')
		diag_hint(p->diag, "no '{' is open here");
	if (p->previous.kind == TOK_NUMBER && is_one_of(last->kind, "+-*/%|&^"))
		diag_hint(p->diag, "a global's initial value is a literal: compute others in probe "
				   "begin");
	if (last->kind != TOK_IDENT)
		return;
	if (hint_foreign_point(p, last->range, "probe "))
		return;
	near = foreign_point(last->s);
	if (!near)
		near = diag_nearest(last->s, declarations, COUNT(declarations));
	if (near)
		diag_hint(p->diag, "did you mean '%s'?", near);
	else if (is_one_of(last->range.src->text[last->range.end], ".({"))
		diag_hint(p->diag, "a probe point follows the word 'probe': probe %s", last->s);
}

static bool is_type(const struct token *t)
{
	return t->kind == TOK_STRING_TYPE || t->kind == TOK_LONG_TYPE;
}

/* "/pid == 1/", "when (...)": a filter between a probe point and its handler. */
static bool is_filter(const struct token *t)
{
	return t->kind == '/' ||
	       (t->kind == TOK_PP_WORD &&
		(strcmp(t->s, "when") == 0 || strcmp(t->s, "where") == 0));
}

static bool is_word_operator(const struct token *t)
{
	return t->kind == TOK_IDENT &&
	       (strcmp(t->s, "and") == 0 || strcmp(t->s, "or") == 0 || strcmp(t->s, "not") == 0);
}

/* Whether @t is something that C's preprocessor would have read or replaced. */
static bool note_hash_line(struct parser *p, const struct token *t)
{
	const char *line = NULL;
	struct range at;

	if (t->kind == TOK_IDENT || t->kind == TOK_PP_WORD)
		line = hash_lines_define(p->arena, t->range.src, t->s, &at);
	if (!line && t == &p->last)
		line = hash_lines_continued(t->range.src, t->range.start, &at);
	if (line)
		diag_note(p->diag, at, "%s", line);
	return line;
}

/* Suggests the likely mistake. */
static void hint(struct parser *p, const struct token *last, const struct expected_names *wanted)
{
	const struct token *previous = &p->previous;

	if (note_hash_line(p, last) || note_hash_line(p, previous))
		return;
	if (previous->kind == TOK_PP_WORD && last->kind == ':' &&
	    hint_foreign_point(p, previous->range, ""))
		return;
	if (p->foreign && (last->kind == ':' || last->kind == TOK_ELSE))
		diag_hint(p->diag, "%s", foreign_word(p->foreign));
	else if (has(wanted, "a declaration (probe, global, function)"))
		hint_declaration(p, last);
	else if (last->kind == TOK_IDENT && wanted->n == 3 && has(wanted, "a string") &&
		 has(wanted, "a number"))
		diag_hint(p->diag, "names are written in quotes here: \"%s\"", last->s);
	else if (previous->kind == TOK_IDENT && foreign_type(previous->s) &&
		 (last->kind == TOK_IDENT || is_type(last)))
		diag_hint(p->diag, "%s", foreign_type(previous->s));
	else if (is_type(last) && has(wanted, "a statement"))
		diag_hint(p->diag, "%s", foreign_type(last->s));
	else if (is_filter(last) && has(wanted, "'{'") && has(wanted, "'.'"))
		diag_hint(p->diag, "a condition is written: probe POINT if (CONDITION) { ... }");
	else if (is_word_operator(previous) || is_word_operator(last))
		diag_hint(p->diag, "%s", foreign_word("and"));
	else if (last->kind == '{' && previous->kind == '=')
		diag_hint(p->diag, "there are no lists: an array is filled by NAME[KEY] = VALUE");
	else if (last->kind == '*' && last->range.src->text[last->range.end] == '$')
		diag_hint(p->diag, "$NAME[0] is the value that a kernel pointer points to");
	else if (last->kind == ',' && wanted->n == 4 && has(wanted, "in"))
		diag_hint(p->diag, "several keys are written in brackets, after the value: "
			  "foreach (value = [a, b] in ARRAY)");
	else if (wanted->n == 2 && has(wanted, "';'") &&
		 (last->kind == ')' || last->kind == ','))
		diag_hint(p->diag, "for has three parts, (i = 0; i < 5; i++); foreach iterates "
			  "over an array");
	else if (previous->kind == TOK_FOR && last->kind == TOK_IDENT)
		diag_hint(p->diag, "foreach (key in ARRAY) iterates over an array");
}

void expected_report(struct parser *p, const struct token *last, const char *const *names, int n)
{
	struct expected_names s = { .n = 0 };
	char found[64], text[512] = "";
	bool reserved = false;

	/* Text that an unclosed string or comment contains is not missing. */
	if ((p->cut_short && !last->kind) || p->after_bad)
		return;
	for (int i = 0; i < n; i++)
		add(&s, names[i]);
	for (size_t i = 0; i < COUNT(keywords) && has(&s, "a name") && !has(&s, "while"); i++)
		reserved |= last->s && last->kind != TOK_STRING &&
			    strcmp(last->s, keywords[i]) == 0;
	summarise(&s);
	describe(found, sizeof(found), last);
	for (size_t i = 0; i < s.n; i++) {
		if (i)
			append(text, sizeof(text), i + 1 == s.n ? " or " : ", ", false);
		append(text, sizeof(text), s.v[i], !is_description(s.v[i]));
	}
	if (*text)
		parser_error(p, last->range, E_SYNTAX, "expected %s before %s", text, found);
	else
		parser_error(p, last->range, E_SYNTAX, "%s does not fit here", found);
	if (reserved)
		diag_hint(p->diag, "'%s' is a reserved word", last->s);
	else
		hint(p, last, &s);
}
