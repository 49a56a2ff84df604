/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables of aliases (tapsets/NAME.rows). Aliases that differ only in a name and in the kinds of
 * their arguments are rows of such a file:
 *
 *     openat  dfd:dfd filename:str flags:open_flags mode:open_mode
 *
 * Lines that begin with "probe", "kind" or "with" come before the rows. A "probe" is the alias
 * that each row is inserted into; a kind line has a name, the format and the text of an argument of
 * that kind in argstr ("-": not shown; a "+" before the format: without a comma), and the variables
 * that such an argument has; "with" gives a word in braces its text. The file explains the other
 * words in braces. A line that begins with a blank continues the one before it.
 *
 * A line "family" ends a family of aliases and begins the next one, which has kinds and rows of its
 * own, and those of the family before it whose names it does not use itself; "without" names rows
 * that it does not have.
 *
 * A row becomes text in the language when a script uses its name, so that a script which probes one
 * of 360 system calls parses one of them.
 */
#include "analyse/resolve/rows.h"

#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

#include "shared/buf.h"
#include "target/arch/names.h"
#include "base/words.h"
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

/* A word in braces and the text that replaces it. */
struct filling {
	const char *word;
	struct piece text;
};

struct row_family {
	const struct row_family *before;
	VEC(struct piece) aliases;
	VEC(struct row_kind) kinds;
	VEC(struct filling) words;
	struct piece without;
	VEC(struct alias_row) rows; /* the first @inherited are those of @before */
	size_t inherited;
};

struct rows {
	struct source *src;
	VEC(struct row_family *) families;
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

static struct piece trimmed(struct piece p)
{
	words_trim(&p.s, &p.len);
	return p;
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

static struct row_family *new_family(struct arena *a, struct rows *rows)
{
	struct row_family *ret = NEW(a, struct row_family);

	if (rows->families.n) {
		ret->before = rows->families.v[rows->families.n - 1];
		vec_each(it, &ret->before->rows)
			vec_push(a, &ret->rows, *it);
		ret->inherited = ret->rows.n;
	}
	vec_push(a, &rows->families, ret);
	return ret;
}

static void read_kind(struct arena *a, struct row_family *f, struct piece line)
{
	struct row_kind kind = { .name = take_word(&line) };

	kind.format = take_word(&line);
	kind.text = take_word(&line);
	kind.variables = line;
	vec_push(a, &f->kinds, kind);
}

static void read_with(struct arena *a, struct row_family *f, struct piece line)
{
	struct piece word = take_word(&line);
	struct filling filling = { arena_strndup(a, word.s, word.len), trimmed(line) };

	vec_push(a, &f->words, filling);
}

struct rows *rows_read(struct arena *a, struct source *src)
{
	struct piece rest = { src->text, src->len };
	struct rows *ret = NEW(a, struct rows);
	struct row_family *f = new_family(a, ret);

	ret->src = src;
	while (rest.len) {
		struct piece line = take_line(&rest), word = take_word(&line);

		if (!word.len || *word.s == '#')
			continue;
		if (same(word, piece("probe"))) {
			vec_push(a, &f->aliases, line);
		} else if (same(word, piece("kind"))) {
			read_kind(a, f, line);
		} else if (same(word, piece("with"))) {
			read_with(a, f, line);
		} else if (same(word, piece("without"))) {
			f->without = line;
		} else if (same(word, piece("family"))) {
			f = new_family(a, ret);
		} else {
			struct alias_row row = { arena_strndup(a, word.s, word.len), line, false };

			vec_push(a, &f->rows, row);
		}
	}
	return ret;
}

/* The first component of an alias. */
static struct piece first_component(struct piece alias)
{
	struct piece name = take_word(&alias);

	return take_until(&name, '.');
}

void rows_names(const struct rows *rows, void (*note)(const char *name, size_t len, void *data),
		void *data)
{
	vec_each(f, &rows->families) {
		vec_each(it, &(*f)->aliases) {
			struct piece first = first_component(*it);

			note(first.s, first.len, data);
		}
	}
}

static const struct filling *find_word(const struct row_family *f, const struct filling *fillings,
				       struct piece word)
{
	for (; fillings->word; fillings++)
		if (same(piece(fillings->word), word))
			return fillings;
	vec_each(it, &f->words)
		if (same(piece(it->word), word))
			return it;
	return NULL;
}

/* Appends @text with the words in braces replaced by @fillings, which end with one without a word,
 * and by the words of the family. */
static void fill(const struct row_family *f, struct buf *b, struct piece text,
		 const struct filling *fillings)
{
	while (text.len) {
		struct piece plain = take_until(&text, '{'), rest = text;
		const struct filling *found;

		buf_write(b, plain.s, plain.len);
		found = find_word(f, fillings, take_until(&rest, '}'));
		if (found) {
			buf_write(b, found->text.s, found->text.len);
			text = rest;
		} else if (plain.s[plain.len] == '{') {
			buf_putc(b, '{');
		}
	}
}

static const struct row_kind *find_kind(const struct row_family *f, struct piece name)
{
	for (; f; f = f->before)
		vec_each(it, &f->kinds)
			if (same(it->name, name))
				return it;
	return NULL;
}

static struct piece row_name(const struct alias_row *row)
{
	struct piece text = piece(row->name);

	return take_until(&text, '=');
}

static const struct alias_row *find_row(const struct row_family *f, struct piece name)
{
	vec_each(it, &f->rows)
		if (same(row_name(it), name))
			return it;
	return NULL;
}

struct row_text {
	struct buf variables, format, values;
};

/* Adds the argument with the number @n, "NAME:KIND" or "NAME:KIND(PARAMETER)". */
static void add_argument(const struct row_family *f, struct row_text *t, struct piece arg, int n)
{
	struct piece name = take_until(&arg, ':'), kind_name = take_until(&arg, '('),
		     param = take_until(&arg, ')');
	const struct row_kind *kind = find_kind(f, kind_name);
	char number[2] = { (char)('0' + n), 0 }, next[2] = { (char)('1' + n), 0 };
	const struct filling fillings[] = {
		{ "v", name }, { "n", piece(number) }, { "next", piece(next) },
		{ "p", kind ? param : kind_name }, { NULL, { NULL, 0 } },
	};

	if (!kind)
		kind = find_kind(f, piece("words"));
	if (!kind)
		return;
	fill(f, &t->variables, kind->variables, fillings);
	if (same(kind->format, piece("-")))
		return;
	if (*kind->format.s == '+')
		buf_write(&t->format, kind->format.s + 1, kind->format.len - 1);
	else
		buf_printf(&t->format, "%s%.*s", t->values.len ? ", " : "", (int)kind->format.len,
			   kind->format.s);
	buf_puts(&t->values, ", ");
	fill(f, &t->values, kind->text, fillings);
}

/* Adds the result and the arguments of a row; with "as NAME", those of another row. */
static void add_arguments(const struct row_family *f, struct row_text *t, struct piece text,
			  struct piece *result)
{
	struct piece word = { NULL, 0 }, rest = text;
	int n = 0;

	if (same(take_word(&rest), piece("as"))) {
		const struct alias_row *row = find_row(f->before ? f->before : f, trimmed(rest));

		text = row ? row->text : word;
	}
	while ((word = take_word(&text)).len) {
		if (same(word, piece("->"))) {
			*result = take_word(&text);
		} else {
			n++;
			if (!same(word, piece("-")))
				add_argument(f, t, word, n);
		}
	}
}

/* Appends the aliases of a row: "NAME[=SYMBOL,...] [-> RESULT] ARGUMENT..." or
 * "NAME[=SYMBOL,...] as NAME". */
static void add_row(const struct row_family *f, struct buf *b, const struct alias_row *row)
{
	struct piece symbols = piece(row->name), name = take_until(&symbols, '='),
		     result = piece("1");
	struct row_text t = { 0 };

	if (!symbols.len)
		symbols = name;
	buf_write(&t.format, "", 0);
	buf_write(&t.values, "", 0);
	buf_write(&t.variables, "", 0);
	add_arguments(f, &t, row->text, &result);
	while (symbols.len) {
		struct piece symbol = take_until(&symbols, ',');
		const struct filling fillings[] = {
			{ "name", name }, { "symbol", symbol }, { "result", result },
			{ "variables", { t.variables.s, t.variables.len } },
			{ "format", { t.format.s, t.format.len } },
			{ "values", { t.values.s, t.values.len } },
			{ "calls", piece(arch_names->system_call) },
			{ "own", piece(arch_names->calls_shared ? "if (syscall_is_32bit()) next" :
								  "") },
			{ NULL, { NULL, 0 } },
		};

		vec_each(it, &f->aliases) {
			buf_puts(b, "probe");
			fill(f, b, *it, fillings);
		}
	}
	buf_deinit(&t.variables);
	buf_deinit(&t.format);
	buf_deinit(&t.values);
}

static bool matches(const char *pattern, struct piece text)
{
	char name[64];

	if (!pattern)
		return true;
	if (text.len >= sizeof(name))
		return false;
	memcpy(name, text.s, text.len);
	name[text.len] = 0;
	return !fnmatch(pattern, name, 0);
}

/* Whether the family has a row of its own with the name of the inherited @row, or no such row. */
static bool is_replaced(const struct row_family *f, const struct alias_row *row)
{
	struct piece name = row_name(row), names = f->without, word;

	for (size_t i = f->inherited; i < f->rows.n; i++)
		if (same(row_name(&f->rows.v[i]), name))
			return true;
	while ((word = take_word(&names)).len)
		if (same(word, name))
			return true;
	return false;
}

static bool has_alias(const struct row_family *f, const char *pattern)
{
	vec_each(it, &f->aliases)
		if (matches(pattern, first_component(*it)))
			return true;
	return false;
}

static void load_family(struct row_family *f, struct buf *b, const char *pattern)
{
	bool any = false;

	vec_each(it, &f->rows)
		any |= matches(pattern, row_name(it));
	for (size_t i = 0; i < f->rows.n; i++) {
		struct alias_row *row = &f->rows.v[i];

		if (row->loaded || (any && !matches(pattern, row_name(row))))
			continue;
		row->loaded = true;
		if (i >= f->inherited || !is_replaced(f, row))
			add_row(f, b, row);
	}
}

struct script *rows_load(struct state *s, struct rows *rows, const char *alias,
			 const char *pattern)
{
	struct source *src;
	struct buf b;

	buf_init(&b);
	vec_each(f, &rows->families)
		if (has_alias(*f, alias))
			load_family(*f, &b, pattern);
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
