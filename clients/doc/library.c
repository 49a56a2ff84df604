/* SPDX-License-Identifier: GPL-2.0 */
/* The definitions of scripts and tapsets. */
#include <stdlib.h>
#include <string.h>

#include "ast/print.h"
#include "doc/private.h"
#include "parse/preprocess.h"
#include "analyse/resolve/resolve.h"

/* Where something is written: for the body of a macro, where the macro is used. */
static uint32_t written_at(struct range r, const struct source **src)
{
	uint32_t at = r.start;

	*src = r.src;
	for (const struct expansion *via = r.via; via; via = via->outer) {
		*src = via->src;
		at = via->start;
	}
	return source_linecol(*src, at).line;
}

static const char *taken(struct state *s, struct buf *b)
{
	const char *text = arena_strndup(s->arena, b->len ? b->s : "", b->len);

	buf_deinit(b);
	return text;
}

/* ---- functions ---- */

static void put_type(struct buf *b, enum type type)
{
	if (type != T_UNKNOWN)
		buf_printf(b, ":%s", print_type_name(type));
}

static void add_function(struct state *s, struct doc_entries *to, const struct function *f)
{
	struct doc_entry one = { .kind = "function", .name = f->name };
	struct buf b;

	if ((f->is_private && f->src->in_tapset) || f->name[0] == '_')
		return;
	buf_init(&b);
	buf_puts(&b, f->name);
	put_type(&b, f->declared);
	buf_putc(&b, '(');
	vec_each(p, &f->params) {
		buf_printf(&b, "%s%s", p == f->params.v ? "" : ", ", (*p)->name);
		put_type(&b, (*p)->type);
	}
	buf_putc(&b, ')');
	one.signature = taken(s, &b);
	one.line = written_at(f->name_range, &one.src);
	one.text = doc_comment_above(s->arena, one.src, one.line, false);
	vec_push(s->arena, &to->v, one);
}

/* ---- aliases ---- */

static const char *point_text(struct state *s, const struct probe_point *pp)
{
	struct buf b;

	buf_init(&b);
	print_probe_point(&b, pp);
	return taken(s, &b);
}

/* The variables that the statements of a block assign, each once, and those of its "if". */
static void put_assigned(struct buf *b, const struct stmt *st)
{
	if (!st)
		return;
	if (st->kind == ST_BLOCK) {
		vec_each(it, &st->u.block)
			put_assigned(b, *it);
	} else if (st->kind == ST_IF) {
		put_assigned(b, st->u.if_.then);
		put_assigned(b, st->u.if_.els);
	} else if (st->kind == ST_EXPR && st->u.expr->kind == EX_ASSIGN &&
		   st->u.expr->u.assign.left->kind == EX_NAME) {
		const char *name = st->u.expr->u.assign.left->u.name.name;
		size_t len = strlen(name);

		for (const char *at = b->s; at && *name != '_' && (at = strstr(at, name)); at++)
			if ((at == b->s || at[-1] == ' ') && (!at[len] || at[len] == ','))
				return;
		if (*name != '_')
			buf_printf(b, "%s%s", b->len ? ", " : "", name);
	}
}

/* The description of an alias that has no comment. */
static const char *made_text(struct state *s, const struct probe_decl *d)
{
	const char *point = point_text(s, d->points.v[0]);

	if (d->points.n != 1 || d->body->u.block.n)
		return "";
	return arena_printf(s->arena, "The same as %.*s.", (int)strcspn(point, "?!"), point);
}

static bool begins_line(const struct source *src, uint32_t n, const char *text)
{
	size_t len, want = strlen(text);
	const char *line = source_line(src, n, &len);

	return len >= want && memcmp(line, text, want) == 0;
}

/* The line of a table with the row NAME of the aliases FAMILY.NAME: in that family, or in one
 * before it. */
static uint32_t row_line(struct state *s, const struct source *rows, const char *family,
			 const char *name)
{
	const char *alias = arena_printf(s->arena, "probe %s.", family);
	size_t len = strlen(name);
	uint32_t ret = 1;
	bool seen = false;

	for (uint32_t n = 1; n <= source_line_count(rows); n++) {
		size_t line_len;
		const char *line = source_line(rows, n, &line_len);

		if (seen && begins_line(rows, n, "family"))
			break;
		seen |= begins_line(rows, n, alias);
		if (begins_line(rows, n, name) && line_len >= len && strchr(" \t=\n", line[len]))
			ret = n;
	}
	return ret;
}

/* An alias of a table (NAME.rows) is defined by the row that begins with its name: its text was
 * made from that, under the name of the table. */
static void place_in_table(struct state *s, struct doc_entries *to, struct doc_entry *one,
			   const struct probe_point *pp)
{
	const char *dot = strrchr(one->src->name, '.'), *name = pp->parts.v[pp->parts.n > 1].name;

	if (!dot || strcmp(dot, ".rows") != 0)
		return;
	if (!to->rows || strcmp(to->rows->name, one->src->name) != 0)
		to->rows = source_from_file(s->arena, one->src->name);
	if (!to->rows)
		return;
	one->src = to->rows;
	one->line = row_line(s, to->rows, pp->parts.v[0].name, name);
}

static void add_alias(struct state *s, struct doc_entries *to, const struct probe_decl *d)
{
	struct doc_entry one = { .kind = "alias" };
	struct buf b;

	if ((d->is_private && d->src->in_tapset) || d->names.v[0]->parts.v[0].name[0] == '_')
		return;
	buf_init(&b);
	put_assigned(&b, d->body);
	one.values = taken(s, &b);
	vec_each(pp, &d->names) {
		one.name = point_text(s, *pp);
		one.signature = arena_printf(s->arena, "probe %s", one.name);
		one.line = written_at((*pp)->range, &one.src);
		one.text = doc_comment_above(s->arena, one.src, one.line, false);
		if (!*one.text)
			one.text = made_text(s, d);
		place_in_table(s, to, &one, *pp);
		vec_push(s->arena, &to->v, one);
	}
}

/* ---- macros ---- */

/* "@define NAME(PARAMETERS)" at the beginning of a line. */
static void add_macros(struct state *s, struct doc_entries *to, const struct source *src)
{
	uint32_t lines = source_line_count(src);

	for (uint32_t n = 1; n <= lines; n++) {
		size_t len, name;
		const char *text = source_line(src, n, &len), *at = text + strlen("@define");
		struct doc_entry one = { .kind = "macro", .src = src, .line = n };

		/* A macro of one file alone, such as __prints, begins with "_". */
		if (len < 9 || strncmp(text, "@define ", 8) != 0)
			continue;
		at += strspn(at, " ");
		name = strcspn(at, "( \t\n");
		if (!name || *at == '_')
			continue;
		one.name = arena_printf(s->arena, "@%.*s", (int)name, at);
		one.signature = one.name;
		if (at[name] == '(')
			one.signature = arena_printf(s->arena, "@%.*s)",
						     (int)strcspn(at, ")\n"), at);
		one.text = doc_comment_above(s->arena, src, n, true);
		vec_push(s->arena, &to->v, one);
	}
}

static bool is_macro_file(const struct source *src)
{
	const char *dot = strrchr(src->name, '.');

	return dot && (strcmp(dot, ".kpm") == 0 || strcmp(dot, ".stpm") == 0);
}

void doc_library(struct state *s, struct doc_entries *to)
{
	struct alias_list all = { 0 };

	resolve_aliases(s, &all);
	vec_each(sc, &s->scripts) {
		vec_each(f, &(*sc)->functions)
			add_function(s, to, *f);
		vec_each(d, &(*sc)->aliases)
			add_alias(s, to, *d);
	}
	library_macro(s, "@");
	vec_each(src, &s->sources)
		if (is_macro_file(*src))
			add_macros(s, to, *src);
}
