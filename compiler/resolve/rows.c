/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables of aliases (tapsets/NAME.rows). Aliases that differ only in a name and in the kinds of
 * their arguments are rows of such a file:
 *
 *     openat  dfd:dfd filename:str flags:open_flags mode:open_mode
 *
 * Lines that begin with "probe" or "kind" come before the rows. A "probe" is the alias that each
 * row is inserted into; a kind line has a name, the format and the text of an argument of that kind
 * in argstr ("-": not shown; a "+" before the format: without a comma), and the variables that such
 * an argument has. The file explains the words in braces. A line that begins with a blank continues
 * the one before it.
 *
 * A row becomes text in the language when a script uses its name, so that a script which probes one
 * of 360 system calls parses one of them.
 */
#include "resolve/rows.h"

#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

#include "base/buf.h"
#include "parse/parse.h"

/* A piece of the text of the file. */
struct piece {
	const char *s;
	size_t len;
};

struct row_kind {
	struct piece name, format, text, variables;
};

struct alias_row {
	const char *name;
	struct piece text;  /* after the name */
	bool loaded;
};

struct rows {
	struct source *src;
	VEC(struct piece) aliases;
	VEC(struct row_kind) kinds;
	VEC(struct alias_row) rows;
};

/* A word in braces and the text that replaces it. */
struct filling {
	const char *word;
	struct piece text;
};

static struct piece piece(const char *s)
{
	return (struct piece){ s, strlen(s) };
}

static bool same(struct piece a, struct piece b)
{
	return a.len == b.len && memcmp(a.s, b.s, a.len) == 0;
}

/* Takes the next word of @from; an empty one at the end. */
static struct piece take_word(struct piece *from)
{
	struct piece ret;

	for (; from->len && isspace((unsigned char)*from->s); from->len--)
		from->s++;
	ret = (struct piece){ from->s, 0 };
	for (; from->len && !isspace((unsigned char)*from->s); from->len--) {
		from->s++;
		ret.len++;
	}
	return ret;
}

/* Takes what stands before @separator; everything if it is not there. */
static struct piece take_until(struct piece *from, char separator)
{
	const char *at = memchr(from->s, separator, from->len);
	struct piece ret = { from->s, at ? (size_t)(at - from->s) : from->len };

	from->s += ret.len + (at ? 1 : 0);
	from->len -= ret.len + (at ? 1 : 0);
	return ret;
}

/* Takes the next line and those that continue it. */
static struct piece take_line(struct piece *from)
{
	struct piece ret = { from->s, 0 };

	do {
		const char *end = memchr(from->s, '\n', from->len);
		size_t n = end ? (size_t)(end + 1 - from->s) : from->len;

		from->s += n;
		from->len -= n;
		ret.len += n;
	} while (from->len && (*from->s == ' ' || *from->s == '\t'));
	return ret;
}

struct rows *rows_read(struct arena *a, struct source *src)
{
	struct piece rest = { src->text, src->len };
	struct rows *ret = NEW(a, struct rows);

	ret->src = src;
	while (rest.len) {
		struct piece line = take_line(&rest), word = take_word(&line);

		if (!word.len || *word.s == '#')
			continue;
		if (same(word, piece("probe"))) {
			vec_push(a, &ret->aliases, line);
		} else if (same(word, piece("kind"))) {
			struct row_kind kind = { .name = take_word(&line) };

			kind.format = take_word(&line);
			kind.text = take_word(&line);
			kind.variables = line;
			vec_push(a, &ret->kinds, kind);
		} else {
			struct alias_row row = { arena_strndup(a, word.s, word.len), line, false };

			vec_push(a, &ret->rows, row);
		}
	}
	return ret;
}

void rows_names(const struct rows *rows, void (*note)(const char *name, size_t len, void *data),
		void *data)
{
	vec_each(it, &rows->aliases) {
		struct piece text = *it, name = take_word(&text), first = take_until(&name, '.');

		note(first.s, first.len, data);
	}
}

/* Appends @text with @fillings, which end with one without a word, in place of words in braces. */
static void fill(struct buf *b, struct piece text, const struct filling *fillings)
{
	while (text.len) {
		struct piece plain = take_until(&text, '{'), rest = text, word;
		const struct filling *f = fillings;

		buf_write(b, plain.s, plain.len);
		word = take_until(&rest, '}');
		while (f->word && !same(piece(f->word), word))
			f++;
		if (f->word) {
			buf_write(b, f->text.s, f->text.len);
			text = rest;
		} else if (plain.s[plain.len] == '{') {
			buf_putc(b, '{');
		}
	}
}

static const struct row_kind *find_kind(const struct rows *rows, struct piece name)
{
	vec_each(it, &rows->kinds)
		if (same(it->name, name))
			return it;
	return NULL;
}

struct row_text {
	struct buf variables, format, values;
};

/* Adds the argument with the number @n, "NAME:KIND" or "NAME:KIND(PARAMETER)". */
static void add_argument(const struct rows *rows, struct row_text *t, struct piece arg, int n)
{
	struct piece name = take_until(&arg, ':'), kind_name = take_until(&arg, '('),
		     param = take_until(&arg, ')');
	const struct row_kind *kind = find_kind(rows, kind_name);
	char number[2] = { (char)('0' + n), 0 }, next[2] = { (char)('1' + n), 0 };
	const struct filling fillings[] = {
		{ "v", name }, { "n", piece(number) }, { "next", piece(next) },
		{ "p", kind ? param : kind_name }, { NULL, { NULL, 0 } },
	};

	if (!kind)
		kind = find_kind(rows, piece("words"));
	if (!kind)
		return;
	fill(&t->variables, kind->variables, fillings);
	if (same(kind->format, piece("-")))
		return;
	if (*kind->format.s == '+')
		buf_write(&t->format, kind->format.s + 1, kind->format.len - 1);
	else
		buf_printf(&t->format, "%s%.*s", t->values.len ? ", " : "", (int)kind->format.len,
			   kind->format.s);
	buf_puts(&t->values, ", ");
	fill(&t->values, kind->text, fillings);
}

/* Appends the aliases of a row: "NAME[=SYMBOL,...] [-> RESULT] ARGUMENT...". */
static void add_row(const struct rows *rows, struct buf *b, const struct alias_row *row)
{
	struct piece symbols = piece(row->name), name = take_until(&symbols, '='), text = row->text,
		     result = piece("1"), word;
	struct row_text t = { 0 };
	int n = 0;

	if (!symbols.len)
		symbols = name;
	while ((word = take_word(&text)).len) {
		if (same(word, piece("->"))) {
			result = take_word(&text);
		} else {
			n++;
			if (!same(word, piece("-")))
				add_argument(rows, &t, word, n);
		}
	}
	buf_write(&t.format, "", 0);
	buf_write(&t.values, "", 0);
	buf_write(&t.variables, "", 0);
	while (symbols.len) {
		struct piece symbol = take_until(&symbols, ',');
		const struct filling fillings[] = {
			{ "name", name }, { "symbol", symbol }, { "result", result },
			{ "variables", { t.variables.s, t.variables.len } },
			{ "format", { t.format.s, t.format.len } },
			{ "values", { t.values.s, t.values.len } }, { NULL, { NULL, 0 } },
		};

		vec_each(it, &rows->aliases) {
			buf_puts(b, "probe");
			fill(b, *it, fillings);
		}
	}
	buf_deinit(&t.variables);
	buf_deinit(&t.format);
	buf_deinit(&t.values);
}

static bool matches(const char *pattern, const struct alias_row *row)
{
	size_t len = strcspn(row->name, "=");
	char name[64];

	if (!pattern)
		return true;
	if (len >= sizeof(name))
		return false;
	memcpy(name, row->name, len);
	name[len] = 0;
	return !fnmatch(pattern, name, 0);
}

struct script *rows_load(struct state *s, struct rows *rows, const char *pattern)
{
	struct source *src;
	struct buf b;
	bool any = false;

	vec_each(it, &rows->rows)
		any |= matches(pattern, it);
	buf_init(&b);
	vec_each(it, &rows->rows) {
		if (it->loaded || (any && !matches(pattern, it)))
			continue;
		it->loaded = true;
		add_row(rows, &b, it);
	}
	if (!b.len) {
		buf_deinit(&b);
		return NULL;
	}
	src = source_from_text(s->arena, rows->src->name, b.s, b.len);
	buf_deinit(&b);
	src->in_tapset = rows->src->in_tapset;
	src->library_order = rows->src->library_order;
	return parse_source(s, src);
}
