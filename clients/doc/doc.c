/* SPDX-License-Identifier: GPL-2.0 */
/* Finds what is documented about a name or a pattern, and shows it as text or as JSON. */
#include "doc/doc.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "doc/private.h"
#include "list/list.h"
#include "parse/foreign.h"

enum { SUMMARY_COLUMN = 30, MOST_RELATED = 8, WIDTH = 90 };

#define NO_COMMENT "(no comment)"

static const char name_letters[] =
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@.";

/* ---- which entries are meant ---- */

const char *doc_plain_name(struct arena *a, const char *signature)
{
	char *name = arena_strdup(a, signature), *to = name;
	bool inside = false, text = false;

	for (const char *from = signature; *from; from++) {
		text ^= *from == '"';
		if (!text && *from == '(')
			inside = true;
		if (!inside)
			*to++ = *from;
		if (!text && *from == ')')
			inside = false;
	}
	*to = '\0';
	return *name ? name : signature;
}

static bool is_named(const struct doc_entry *e, const char *name)
{
	const char *own = *e->name == '@' && *name != '@' ? e->name + 1 : e->name;

	return strcmp(own, name) == 0 ||
	       (strncmp(name, "probe ", 6) == 0 && strcmp(own, name + 6) == 0) ||
	       (strcmp(e->kind, "tool") == 0 && strcmp(e->signature, name) == 0);
}

/* Orders entries; several with one signature, in different files, by their place. */
static int by_signature(const void *a, const void *b)
{
	const struct doc_entry *x = a, *y = b;
	int diff = strcmp(x->signature, y->signature);

	if (!diff)
		diff = strcmp(x->src ? x->src->name : "", y->src ? y->src->name : "");
	return diff ? diff : (x->line > y->line) - (x->line < y->line);
}

static void select_entries(struct state *s, const struct doc_entries *all, const char *what,
			   struct doc_entries *ret, bool *pattern)
{
	const char *name = doc_plain_name(s->arena, what);

	vec_each(e, &all->v)
		if (is_named(e, what) || is_named(e, name))
			vec_push(s->arena, &ret->v, *e);
	*pattern = !ret->v.n && strpbrk(what, "*?[");
	if (!*pattern)
		return;
	vec_each(e, &all->v)
		if (fnmatch(what, e->name, 0) == 0 || fnmatch(what, e->signature, 0) == 0)
			vec_push(s->arena, &ret->v, *e);
	if (ret->v.n)
		qsort(ret->v.v, ret->v.n, sizeof(*ret->v.v), by_signature);
}

/* ---- related names ---- */

struct related {
	VEC(const char *) v;
};

static void relate(struct state *s, struct related *r, const char *name, const char *own)
{
	if (r->v.n >= MOST_RELATED || strcmp(name, own) == 0)
		return;
	vec_each(it, &r->v)
		if (strcmp(*it, name) == 0)
			return;
	vec_push(s->arena, &r->v, name);
}

/* Whether the @len bytes at @word, followed by @next, mention the entry in a sentence. */
static bool mentions(const struct doc_entry *e, const char *word, size_t len, char next)
{
	if (len < 2 || strlen(e->name) != len || memcmp(e->name, word, len) != 0)
		return false;
	if (strcmp(e->kind, "function") == 0 || strcmp(e->kind, "print") == 0)
		return next == '(';
	if (strcmp(e->kind, "alias") == 0)
		return memchr(word, '.', len);
	return *word == '@' || strcmp(e->kind, "limit") == 0;
}

static void related_by_text(struct state *s, const struct doc_entries *all,
			    const struct doc_entry *of, struct related *r)
{
	for (const char *at = of->text; *at;) {
		size_t len = strspn(at, name_letters);

		if (!len) {
			at++;
			continue;
		}
		while (len > 1 && at[len - 1] == '.')
			len--;
		vec_each(e, &all->v)
			if (mentions(e, at, len, at[len]))
				relate(s, r, e->name, of->name);
		at += len;
	}
}

/* How many letters two names have in common at the beginning. */
static size_t common(const char *a, const char *b)
{
	size_t n = 0;

	while (a[n] && a[n] == b[n])
		n++;
	return n;
}

/* The names of the same file, those that begin most alike first. */
static void related_by_file(struct state *s, const struct doc_entries *all,
			    const struct doc_entry *of, struct related *r)
{
	size_t least = 3;

	if (!of->src || strcmp(of->kind, "tool") == 0)
		return;
	for (size_t n = strlen(of->name); n >= least; n--)
		vec_each(e, &all->v)
			if (e->src == of->src && common(e->name, of->name) == n)
				relate(s, r, e->name, of->name);
}

static const char *related_names(struct state *s, const struct doc_entries *all,
				 const struct doc_entry *of)
{
	struct related r = { 0 };
	const char *text = "";

	related_by_text(s, all, of, &r);
	related_by_file(s, all, of, &r);
	vec_each(it, &r.v)
		text = arena_printf(s->arena, "%s%s%s", text, *text ? ", " : "", *it);
	return text;
}

/* ---- as text ---- */

/* The first sentence, in one line. */
static const char *summary(struct arena *a, const char *text)
{
	char *line = arena_strdup(a, text);

	for (char *at = line; *at; at++) {
		bool ends = *at == '.' && (!at[1] || at[1] == '\n' ||
					   (at[1] == ' ' && at[2] >= 'A' && at[2] <= 'Z'));

		if (ends || (*at == '\n' && at[1] == '\n')) {
			at[ends] = '\0';
			break;
		}
		if (*at == '\n')
			*at = ' ';
	}
	return line;
}

/* Joins the lines of each paragraph; lines that begin with a blank stay as they are. */
static const char *joined(struct arena *a, const char *text)
{
	char *copy = arena_strdup(a, text);
	bool kept = *copy == ' ';

	for (char *at = copy; *at; at++) {
		if (*at != '\n')
			continue;
		if (!kept && at > copy && at[-1] != '\n' && at[1] && !strchr(" \t\n", at[1]))
			*at = ' ';
		else
			kept = at[1] == ' ' || at[1] == '\t';
	}
	return copy;
}

/* Lines that are longer than the width are broken at a space. */
static void put_indented(struct buf *out, const char *label, const char *text)
{
	size_t room = WIDTH - strlen(label);

	buf_printf(out, "%s%s", *text != '\n' ? "    " : "", label);
	while (*text) {
		size_t len = strcspn(text, "\n"), cut = len;

		if (len > room) {
			for (cut = room; cut && text[cut] != ' '; cut--)
				;
			cut = cut ? cut : len;
		}
		buf_printf(out, "%.*s\n", (int)cut, text);
		text += cut + (text[cut] == '\n' || text[cut] == ' ');
		if (*text && *text != '\n')
			buf_puts(out, "    ");
		room = WIDTH;
	}
}

static void put_entry(struct state *s, struct buf *out, const struct doc_entries *all,
		      const struct doc_entry *e)
{
	const char *related = related_names(s, all, e);

	buf_printf(out, "%s%s  (%s)\n", out->len ? "\n" : "", e->signature, e->kind);
	if (*e->text || !e->values)
		put_indented(out, "", *e->text ? joined(s->arena, e->text) : NO_COMMENT);
	if (e->values && *e->values)
		put_indented(out, "Variables: ", e->values);
	if (e->src)
		buf_printf(out, "    Defined in: %s:%u\n", e->src->name, e->line);
	if (*related)
		put_indented(out, "See also: ", related);
}

static void put_line(struct state *s, struct buf *out, const struct doc_entry *e)
{
	const char *text = *e->text ? summary(s->arena, e->text) : e->values ?
			   arena_printf(s->arena, "Has %s.", e->values) : NO_COMMENT;

	buf_printf(out, "%-*s %s\n", SUMMARY_COLUMN, e->signature, text);
}

/* ---- as JSON ---- */

static void put_member(struct buf *out, const char *key, const char *value)
{
	buf_printf(out, "%s\"%s\":", out->s[out->len - 1] == '{' ? "" : ",", key);
	list_json_text(out, value);
}

static void put_json(struct state *s, struct buf *out, const struct doc_entries *all,
		     const struct doc_entry *e, bool related)
{
	buf_putc(out, '{');
	put_member(out, "kind", e->kind);
	put_member(out, "name", e->name);
	put_member(out, "signature", e->signature);
	put_member(out, "text", e->text);
	if (e->values)
		put_member(out, "variables", e->values);
	if (e->src) {
		put_member(out, "file", e->src->name);
		buf_printf(out, ",\"line\":%u", e->line);
	}
	if (related)
		put_member(out, "see_also", related_names(s, all, e));
	buf_puts(out, "}\n");
}

/* ---- interface ---- */

static void report_nothing(struct state *s, const struct doc_entries *all, const char *what)
{
	const char **names = arena_alloc(s->arena, (all->v.n + 1) * sizeof(*names)), *near;
	const char *bare = doc_plain_name(s->arena, what), *point = foreign_point(what);
	const char *hint = foreign_name(bare);

	for (size_t i = 0; i < all->v.n; i++)
		names[i] = all->v.v[i].name;
	near = diag_nearest(bare, names, all->v.n);
	diag_error(s->diag, (struct range){ 0 }, E_OPTION,
		   strpbrk(what, "*?[") ? "--doc: no name matches '%s'" :
					  "--doc: nothing has the name '%s'", what);
	if (!hint)
		hint = foreign_call(bare);
	if (!hint)
		hint = missing_function(bare);
	if (hint)
		diag_hint(s->diag, "%s", hint);
	else if (near)
		diag_hint(s->diag, "did you mean '%s'?", near);
	else if (point)
		diag_hint(s->diag, "in this language: %s", point);
	else
		diag_hint(s->diag, "probec --doc '*WORD*' lists the names that contain a word");
}

int doc_run(struct state *s, struct buf *out)
{
	const char *what = s->opt.list_what;
	struct doc_entries all = { 0 }, found = { 0 };
	bool pattern, json = s->opt.format && strcmp(s->opt.format, "json") == 0;

	doc_library(s, &all);
	doc_points(s, &all);
	doc_words(s, &all);
	doc_tools(s, &all);
	if (diag_errors(s->diag))
		return 1;
	select_entries(s, &all, what, &found, &pattern);
	vec_each(e, &found.v) {
		if (json)
			put_json(s, out, &all, e, !pattern);
		else if (pattern)
			put_line(s, out, e);
		else
			put_entry(s, out, &all, e);
	}
	if (!found.v.n)
		report_nothing(s, &all, what);
	return !found.v.n;
}
