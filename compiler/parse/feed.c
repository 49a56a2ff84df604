/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Turns preprocessed tokens into those of the grammar, using facts that a context-free grammar
 * can't know.
 *
 * In the head of a probe (from "probe" to the "{" of its body, outside of parentheses), words and
 * "*" without spaces between them are one PP_WORD, whatever they mean elsewhere. A "{" at the
 * beginning of a component begins a brace expansion, any other one the body.
 *
 * Adjacent strings are joined, numbers get their value, and invalid tokens are reported if they
 * come this far.
 *
 * After a syntax error, the grammar skips tokens up to ";" or "}". Here, whole {} blocks are
 * skipped and replaced by ");", the end of the statement whose head was wrong. The first word of
 * the next statement also ends the skipping, and that of a declaration ends all open blocks. So one
 * error seldom causes a second one.
 */
#include "parse/feed.h"
#include "shared/buf.h"
#include "state.h"

#include <errno.h>
#include <string.h>

#include "grammar/script.tab.h"
#include "parse/foreign.h"
#include "parse/literals.h"
#include "parse/preprocess.h"

struct feed {
	struct parser *p;
	struct preprocess pp;
	struct token ahead;         /* a token that was read and put back */
	bool have_ahead;
	int last, before;           /* kinds of the last two tokens that were returned */
	bool bad, last_bad;         /* a string that was part of the last token was reported */
	struct map unknown;         /* unknown macros that were reported: name -> any */
	VEC(struct range) braces;   /* open braces of blocks */
	bool in_head;
	bool at_component;          /* in_head: a component may begin here */
	int parens, choices;         /* in_head: open parentheses and brace expansions */
	/* the { of the last brace expansion in a head; no source: none */
	struct range choice;
	bool recovering;
	/* tokens of one character to be returned before the next one is read */
	const char *made;
	size_t closing;             /* the number of "}" to be returned after them */
};

void feed_init(struct parser *p)
{
	p->feed = NEW(p->arena, struct feed);
	p->feed->p = p;
	map_init(&p->feed->unknown, p->arena);
	preprocess_init(&p->feed->pp, p);
}

void feed_deinit(struct parser *p)
{
	preprocess_deinit(&p->feed->pp);
}

static void pull(struct feed *f, struct token *ret)
{
	if (f->have_ahead)
		*ret = f->ahead;
	else
		preprocess_next(&f->pp, ret);
	f->have_ahead = false;
}

static const struct token *peek(struct feed *f)
{
	if (!f->have_ahead)
		preprocess_next(&f->pp, &f->ahead);
	f->have_ahead = true;
	return &f->ahead;
}

static void put_back(struct feed *f, const struct token *t)
{
	f->ahead = *t;
	f->have_ahead = true;
}

static bool is_word(int kind)
{
	switch (kind) {
#define KEYWORD(token, text) case TOK_##token:
#include "ast/words.def"
	case TOK_IDENT:
	case TOK_PRINT:
	case TOK_NUMBER:
	case '*':
		return true;
	default:
		return false;
	}
}

static bool starts_declaration(int kind)
{
	return kind == TOK_PROBE || kind == TOK_FUNCTION || kind == TOK_GLOBAL ||
	       kind == TOK_PRIVATE || kind == TOK_PRINTER;
}

static bool starts_statement(int kind)
{
	return kind == TOK_IF || kind == TOK_FOR || kind == TOK_FOREACH || kind == TOK_WHILE ||
	       kind == TOK_TRY || kind == TOK_DELETE || kind == TOK_RETURN || kind == TOK_NEXT;
}

/* The beginning or end of @r; if a pasted argument reaches to it, in the text with that
 * argument. */
static struct range edge(struct range r, bool end)
{
	while (r.via && strcmp(r.via->what, "argument") == 0 &&
	       (end ? r.end == r.src->len : !r.start))
		r = (struct range){ r.via->src, r.via->start, r.via->end, r.via->outer };
	if (end)
		r.start = r.end;
	else
		r.end = r.start;
	return r;
}

static bool touch(struct range a, struct range b)
{
	a = edge(a, true);
	b = edge(b, false);
	return a.src == b.src && a.via == b.via && a.end == b.start;
}

static const char *word_text(const struct token *t)
{
	return t->kind == '*' ? "*" : t->s;
}

/* The alternative to a macro of SystemTap's library that has no meaning here; NULL for others. */
static const char *missing_macro(const char *name)
{
	if (strcmp(name, "@errno") == 0)
		return "errno is the program's; retval in syscall.NAME.return has the error";
	return NULL;
}

/* "@x = 5", "@x[key]": a variable in the syntax of other tracers. */
static bool is_written_to(const struct token *t)
{
	const char *next = t->range.src->text + t->range.end;

	next += strspn(next, " \t");
	return *next == '[' || (*next == '=' && next[1] != '=' && next[1] != '~') ||
	       strncmp(next, "++", 2) == 0 || strncmp(next, "+=", 2) == 0 ||
	       strncmp(next, "<<<", 3) == 0;
}

/* Reports each name once, and the alternative once in a file. */
static void report_macro(struct feed *f, const struct token *t)
{
	static const char *const operators[] = {
#define AGG_WORD(op, text) text,
#define AT_WORD(text) text,
#include "ast/words.def"
	};
	VEC(const char *) known = { 0 };
	const char *near, *hint;

	f->p->errors++;
	if (map_get(&f->unknown, t->s))
		return;
	hint = missing_macro(t->s);
	if (hint) {
		diag_error(f->p->diag, t->range, E_NOT_SUPPORTED, "the macro '%s' is not supported",
			   t->s);
		diag_hint(f->p->diag, "%s", hint);
		map_set(&f->unknown, t->s, f);
		return;
	}
	diag_error(f->p->diag, t->range, E_PREPROC, "there is no operator or macro '%s'", t->s);
	for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++)
		vec_push(f->p->arena, &known, operators[i]);
	map_each(it, &f->pp.macros)
		vec_push(f->p->arena, &known, it->key);
	if (f->p->state->library_macros)
		map_each(it, f->p->state->library_macros)
			vec_push(f->p->arena, &known, it->key);
	near = diag_nearest(t->s, known.v, known.n);
	if (near)
		diag_hint(f->p->diag, "did you mean '%s'?", near);
	else if (is_written_to(t))
		diag_hint(f->p->diag, "variables have no '@' here: %s", t->s + 1);
	else if (!f->unknown.n)
		diag_hint(f->p->diag, "@define it in the script, or in a .kpm file of a "
			  "directory that -I names");
	map_set(&f->unknown, t->s, f);
}

/* Reads the next token of something that is skipped. Returns false and leaves the token if it is
 * certainly after the end: a declaration shows that the closing bracket is missing. */
static bool skip_next(struct feed *f, struct token *t, int before)
{
	pull(f, t);
	if (t->kind && (!starts_declaration(t->kind) || before == TOK_ARROW || before == '.'))
		return true;
	put_back(f, t);
	return false;
}

/* Skips an unknown macro and its arguments, which may be any text. */
static void skip_macro(struct feed *f, const struct token *name)
{
	struct token t = { 0 };
	int depth = 0;

	report_macro(f, name);
	if (peek(f)->kind != '(')
		return;
	do {
		if (!skip_next(f, &t, t.kind))
			return;
		if (t.kind == TOK_AT_UNKNOWN)
			report_macro(f, &t);
		depth += (t.kind == '(') - (t.kind == ')');
	} while (depth);
}

/* Replaces an unknown macro by a token that the grammar accepts there. Returns false if there is
 * none. */
static bool replace_macro(struct feed *f, struct token *t)
{
	skip_macro(f, t);
	if (f->in_head ? !f->at_component && !f->parens :
	    !f->braces.n && f->last != '=' && f->last != '[')
		return false;
	t->s = "1";
	t->len = 1;
	if (f->last == TOK_MATCH || f->last == TOK_NOMATCH ||
	    (f->last == '(' && f->before == TOK_PRINT)) {
		t->kind = TOK_STRING;
	} else if (f->last == TOK_ARROW) {
		t->kind = TOK_IDENT;
	} else if (f->last == '&') {
		t->kind = TOK_AT;
		f->made = "()";
	} else {
		t->kind = TOK_NUMBER;
	}
	return true;
}

/* Reports an invalid token. Returns false if nothing is left of it. */
static bool repair(struct feed *f, struct token *t)
{
	if (t->bad) {
		parser_error(f->p, t->range, t->bad_id, "%s", t->bad);
		if (t->bad_id == E_ARG && !t->range.via)
			diag_hint(f->p->diag, "arguments follow the script; the first is $1 or @1");
		t->bad = NULL;
		f->p->cut_short |= t->kind == TOK_UNCLOSED;
		f->bad |= t->kind == TOK_STRING;
		return t->kind != TOK_JUNK && t->kind != TOK_UNCLOSED;
	}
	return t->kind != TOK_AT_UNKNOWN || replace_macro(f, t);
}

static bool is_gluable(const struct token *t)
{
	return (t->kind == TOK_STRING || t->kind == TOK_AT_UNKNOWN) && !t->bad;
}

/* Whether there is nothing but space between @a and @b: a comment kept strings apart once. */
static bool only_space_between(struct range a, struct range b)
{
	const char *text = a.src->text;

	return a.src != b.src || a.via != b.via || a.end > b.start ||
	       a.end + strspn(text + a.end, " \t\r\n") == b.start;
}

static bool is_glued(struct feed *f, const struct token *t)
{
	const struct token *next = peek(f);

	return is_gluable(next) && (!parser_before(f->p, "2.0") ||
				    only_space_between(t->range, next->range));
}

static void glue_strings(struct feed *f, struct token *t)
{
	struct buf b;

	if (!is_glued(f, t))
		return;
	buf_init(&b);
	buf_write(&b, t->s, t->len);
	while (is_glued(f, t)) {
		struct token more = f->ahead;

		f->have_ahead = false;
		if (more.kind == TOK_AT_UNKNOWN) {
			skip_macro(f, &more);
			continue;
		}
		buf_write(&b, more.s, more.len);
		t->range = tree_join(t->range, more.range);
	}
	t->len = b.len;
	t->s = arena_strndup(f->p->arena, b.len ? b.s : "", b.len);
	buf_deinit(&b);
}

static void read_number(struct feed *f, struct token *t)
{
	int err = literals_number(t->s, &t->num);

	f->bad |= err != 0;
	if (err == -ERANGE)
		parser_error(f->p, t->range, E_LEX, "the number %s does not fit in 64 bits", t->s);
	else if (err)
		parser_error(f->p, t->range, E_LEX, "'%s' is not a number%s", t->s,
			     t->s[strspn(t->s, "0123456789")] ? "" :
			     ": the leading 0 makes it octal, with digits up to 7");
}

/* Handles a token anywhere but between the components of a probe point. */
static void ordinary(struct feed *f, struct token *t)
{
	switch (t->kind) {
	case TOK_STRING:
		glue_strings(f, t);
		break;
	case TOK_NUMBER:
		read_number(f, t);
		break;
	case '(':
		f->parens += f->in_head;
		break;
	case ')':
		f->parens -= f->in_head;
		break;
	case '{':
		vec_push(f->p->arena, &f->braces, t->range);
		break;
	case '}':
		f->braces.n -= f->braces.n > 0;
		f->p->foreign = NULL;
		break;
	case TOK_IDENT:
		/* Nowhere else does a name follow a name outside of blocks. */
		if (!f->braces.n && strcmp(t->s, "printer") == 0 && peek(f)->kind == TOK_IDENT)
			t->kind = TOK_PRINTER;
		if (f->braces.n && !f->p->foreign && foreign_word(t->s))
			f->p->foreign = t->s;
		break;
	case TOK_PROBE:
		if (f->braces.n || f->last == TOK_ARROW)
			break;
		f->in_head = f->at_component = true;
		f->parens = f->choices = 0;
		break;
	}
}

/* Joins the rest of a component, whose first word is @t. */
static void join_words(struct feed *f, struct token *t)
{
	const char *text = word_text(t);

	while (is_word(peek(f)->kind) && touch(t->range, f->ahead.range)) {
		struct range from = t->range;

		text = arena_printf(f->p->arena, "%s%s", text, word_text(&f->ahead));
		*t = f->ahead;
		/* The last piece has the end; messages show the whole word. */
		if (t->range.src == from.src && t->range.via == from.via)
			t->range.start = from.start;
		f->have_ahead = false;
	}
	t->kind = TOK_PP_WORD;
	t->s = text;
	t->len = strlen(text);
}

/* Handles a token of a probe's head, outside of parentheses. */
static void head(struct feed *f, struct token *t)
{
	bool start = f->at_component;

	if (!start && starts_declaration(t->kind)) {
		f->in_head = false;
		ordinary(f, t);
		return;
	}
	if (is_word(t->kind) && (start || t->kind != TOK_IF)) {
		join_words(f, t);
		f->at_component = false;
		return;
	}
	f->at_component = t->kind == '.' || t->kind == ',' || t->kind == '=' ||
			  t->kind == TOK_ADD_EQ;
	switch (t->kind) {
	case '{':
		if (start) {
			f->choices++;
			f->choice = t->range;
			f->at_component = true;
			break;
		}
		f->in_head = false;
		f->choice.src = NULL;
		ordinary(f, t);
		break;
	case '}':
		f->choices--;
		break;
	default:
		ordinary(f, t);
	}
}

/* Skips to the "}" of a "{" that was read. */
static void skip_group(struct feed *f)
{
	struct token t = { .kind = '{' };
	int depth = 1;

	while (depth && skip_next(f, &t, t.kind))
		depth += (t.kind == '{') - (t.kind == '}');
}

/* Handles a token while recovering from a syntax error. Returns false if @t is to be skipped. */
static bool recover(struct feed *f, struct token *t)
{
	bool is_member = f->last == TOK_ARROW || f->last == '.';

	if (t->kind == '{') {
		skip_group(f);
		if (f->braces.n)
			f->made = ");";
		return false;
	}
	/* "kernel.function" does not begin a function, whatever the grammar expects. */
	if (is_member && starts_declaration(t->kind))
		t->kind = TOK_IDENT;
	if (is_member ||
	    !(starts_declaration(t->kind) || (f->braces.n && starts_statement(t->kind))))
		return true;
	put_back(f, t);
	f->recovering = f->in_head = false;
	if (f->braces.n)
		f->made = ");";
	if (starts_declaration(t->kind))
		f->closing = f->braces.n;
	return false;
}

static bool make_up(struct feed *f, struct token *ret)
{
	struct range at = f->p->last.range;

	if (f->made && *f->made) {
		*ret = (struct token){ .kind = *f->made++, .range = at };
		return true;
	}
	if (!f->closing)
		return false;
	f->closing--;
	f->braces.n--;
	*ret = (struct token){ .kind = '}', .range = at };
	return true;
}

void feed_next(struct parser *p, struct token *ret)
{
	struct feed *f = p->feed;
	bool after_junk = false;

	while (!make_up(f, ret)) {
		pull(f, ret);
		if (diag_flooded(p->diag))
			ret->kind = 0;
		if (f->recovering && !recover(f, ret))
			continue;
		if (!f->recovering && !repair(f, ret)) {
			after_junk = ret->kind == TOK_JUNK;
			continue;
		}
		if (f->in_head && !f->parens)
			head(f, ret);
		else
			ordinary(f, ret);
		break;
	}
	f->before = f->last;
	f->last = ret->kind;
	p->after_bad = f->last_bad || after_junk || (f->bad && ret->kind == TOK_NUMBER);
	f->last_bad = f->bad;
	f->bad = false;
}

/* Whether a declaration in a block is intended; otherwise the "}" before it is missing. */
static bool is_misplaced(const struct token *t)
{
	return t->kind != TOK_PROBE && source_linecol(t->range.src, t->range.start).col > 1;
}

/* Handles the token that began a declaration. Returns true if the open blocks end before it. */
static bool declaration_in_block(struct feed *f)
{
	struct parser *p = f->p;

	if (is_misplaced(&p->last)) {
		diag_hint(p->diag, "it is outside of probes and functions%s",
			  p->last.kind == TOK_FUNCTION ? "" : "; a local needs no declaration");
		return false;
	}
	if (!p->cut_short && !p->after_bad)
		diag_note(p->diag, f->braces.v[f->braces.n - 1], "this '{' is not closed");
	put_back(f, &p->last);
	f->closing = f->braces.n;
	f->made = ");";
	return true;
}

void feed_syntax_error(struct parser *p)
{
	struct feed *f = p->feed;
	bool declaration = starts_declaration(p->last.kind) && f->before != TOK_ARROW &&
			   f->before != '.';

	if (f->choice.src && !f->choices && (!p->last.kind || starts_declaration(p->last.kind)))
		diag_note(p->diag, f->choice,
			  "this '{' begins a list of alternatives, not a handler");
	f->choice.src = NULL;
	if (f->braces.n && !p->last.kind && !p->cut_short && !p->after_bad)
		diag_note(p->diag, f->braces.v[f->braces.n - 1], "this '{' is not closed");
	if (declaration && f->braces.n && declaration_in_block(f))
		return;
	if (declaration && !f->braces.n)
		return;
	f->recovering = true;
	if (p->last.kind == ':' && p->foreign && strcmp(p->foreign, "switch") == 0 && f->braces.n) {
		skip_group(f);
		f->recovering = false;
		f->closing = 1;
		f->made = ");";
		p->foreign = NULL;
	}
	if (p->last.kind == '{' && !f->in_head) {
		skip_group(f);
		f->braces.n--;
		if (f->braces.n)
			f->made = ");";
	}
	f->in_head = false;
}

void feed_recovered(struct parser *p)
{
	p->feed->recovering = false;
}
