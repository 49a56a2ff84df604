/* SPDX-License-Identifier: GPL-2.0 */
/* Implements written.h. */
#include "analyse/resolve/written.h"

#include <string.h>

#include "ast/format.h"
#include "ast/print.h"
#include "ast/walk.h"

static uint32_t here(const struct written *w)
{
	return (uint32_t)w->text.len;
}

static struct range since(const struct written *w, uint32_t start)
{
	return (struct range){ .src = w->src, .start = start, .end = here(w) };
}

void written_begin(struct written *w, struct resolver *r)
{
	*w = (struct written){ .r = r };
	w->src = source_from_text(r->s->arena, PROGRAM_AUTO_PRINT, "", 0);
	buf_init(&w->text);
}

void written_end(struct written *w)
{
	w->src->text = arena_strndup(w->r->s->arena, w->text.s ? w->text.s : "", w->text.len);
	w->src->len = w->text.len;
	buf_deinit(&w->text);
}

/* ---- probes ---- */

struct probe *written_probe(struct written *w, enum probe_kind kind, const char *pp)
{
	struct program *program = w->r->p;
	struct probe *p = NEW(w->r->s->arena, struct probe);
	uint32_t start;

	buf_puts(&w->text, "probe ");
	start = here(w);
	buf_puts(&w->text, pp);
	p->kind = kind;
	p->pp = p->written = pp;
	p->range = since(w, start);
	p->always = true;
	p->index = (int)program->probes.n;
	buf_putc(&w->text, ' ');
	p->body = ast_stmt(w->r->s->arena, ST_BLOCK, since(w, here(w)));
	p->own = p->body;
	buf_puts(&w->text, "{\n");
	vec_push(w->r->s->arena, &program->probes, p);
	w->p = p;
	return p;
}

void written_end_at(struct written *w, struct stmt *s)
{
	s->range.end = here(w);
}

void written_probe_end(struct written *w)
{
	buf_putc(&w->text, '}');
	written_end_at(w, w->p->body);
	buf_putc(&w->text, '\n');
}

/* ---- names ---- */

/* One local for all keys of a position and type; the underscore keeps it apart from globals. */
static const char *key_name(struct resolver *r, const struct symbol *g, int i)
{
	const char *name = g->key_type[i] == T_STRING ? "s" :
			   g->key_type[i] == T_STACK ? "b" : "k";

	name = arena_printf(r->s->arena, "%s%d", name, i + 1);
	while (map_get(&r->globals, name))
		name = arena_printf(r->s->arena, "_%s", name);
	return name;
}

static struct symbol *local_of(struct written *w, const struct symbol *g, int i)
{
	const char *name = key_name(w->r, g, i);
	struct symbol *sym;

	vec_each(it, &w->p->locals)
		if (strcmp((*it)->name, name) == 0)
			return *it;
	sym = NEW(w->r->s->arena, struct symbol);
	sym->kind = SYM_LOCAL;
	sym->name = sym->cname = name;
	sym->range = since(w, here(w));
	sym->range.end += (uint32_t)strlen(name);
	sym->type = g->key_type[i];
	sym->lock = -1;
	vec_push(w->r->s->arena, &w->p->locals, sym);
	return sym;
}

/* Globals are named by their C names, which are unique in all files. */
static struct expr *name_of(struct written *w, struct symbol *sym)
{
	const char *name = sym->kind == SYM_GLOBAL ? sym->cname : sym->name;
	uint32_t start = here(w);
	struct expr *e;

	buf_puts(&w->text, name);
	e = ast_expr(w->r->s->arena, EX_NAME, since(w, start));
	e->u.name.name = name;
	e->u.name.sym = sym;
	e->type = sym->type;
	return e;
}

/* The global, or its element in the loop. */
static struct expr *value_of(struct written *w, struct symbol *g)
{
	uint32_t start = here(w);
	struct expr *name = name_of(w, g), *e;

	if (!g->is_array)
		return name;
	e = ast_expr(w->r->s->arena, EX_INDEX, name->range);
	e->u.index.array = name;
	e->type = g->type;
	for (int i = 0; i < g->nkeys; i++) {
		buf_putc(&w->text, i ? ',' : '[');
		vec_push(w->r->s->arena, &e->u.index.keys, name_of(w, local_of(w, g, i)));
	}
	buf_putc(&w->text, ']');
	e->range = since(w, start);
	return e;
}

static struct expr *agg_of(struct written *w, enum agg_op op, struct symbol *g)
{
	uint32_t start = here(w);
	struct expr *e = ast_expr(w->r->s->arena, EX_AGG, since(w, start));

	buf_printf(&w->text, "%s(", print_agg_name(op));
	e->u.agg.op = op;
	e->u.agg.a = value_of(w, g);
	e->type = T_LONG;
	buf_putc(&w->text, ')');
	e->range = since(w, start);
	return e;
}

/* ---- statements ---- */

struct stmt *written_loop(struct written *w, struct symbol *g, int sort, enum agg_op agg,
			  int64_t limit)
{
	struct stmt *s = ast_stmt(w->r->s->arena, ST_FOREACH, since(w, here(w) + 1));
	struct foreach *f = &s->u.foreach;
	uint32_t start;

	buf_puts(&w->text, "\tforeach ([");
	for (int i = 0; i < g->nkeys; i++) {
		if (i)
			buf_putc(&w->text, ',');
		vec_push(w->r->s->arena, &f->keys, name_of(w, local_of(w, g, i)));
	}
	buf_puts(&w->text, "] in ");
	f->array = name_of(w, g);
	f->sort_dir = sort;
	f->sort_has_agg = sort && g->type == T_STATS;
	f->sort_agg = agg;
	if (sort)
		buf_printf(&w->text, "%s%s%c", f->sort_has_agg ? " " : "",
			   f->sort_has_agg ? print_agg_name(agg) : "", sort > 0 ? '+' : '-');
	if (limit) {
		buf_puts(&w->text, " limit ");
		start = here(w);
		buf_printf(&w->text, "%lld", (long long)limit);
		f->limit = ast_number(w->r->s->arena, since(w, start), limit);
	}
	buf_puts(&w->text, ")\n\t\t");
	return s;
}

struct stmt *written_if(struct written *w, struct symbol *g)
{
	struct stmt *s = ast_stmt(w->r->s->arena, ST_IF, since(w, here(w)));

	buf_puts(&w->text, "if (");
	s->u.if_.c = agg_of(w, AGG_COUNT, g);
	buf_puts(&w->text, ") ");
	return s;
}

/* Writes @format as a literal. */
static void put_literal(struct buf *b, const char *format)
{
	buf_putc(b, '"');
	for (const char *p = format; *p; p++) {
		if (*p == '"')
			buf_putc(b, '\\');
		if (*p == '\n')
			buf_puts(b, "\\n");
		else
			buf_putc(b, *p);
	}
	buf_putc(b, '"');
}

struct stmt *written_print(struct written *w, const char *format, bool histogram)
{
	struct arena *a = w->r->s->arena;
	const struct caps *caps = &w->r->s->opt.caps;
	struct stmt *s = ast_stmt(a, ST_EXPR, since(w, here(w)));
	struct expr *e = s->u.expr = ast_expr(a, EX_PRINT, s->range);
	struct buf b;
	uint32_t start;

	buf_puts(&w->text, "printf(");
	start = here(w);
	put_literal(&w->text, format);
	e->type = T_LONG;
	e->u.print.kind = PRINT_PRINTF;
	e->u.print.format_range = since(w, start);
	buf_init(&b);
	buf_puts(&b, format);
	if (histogram)
		ast_format_put_histogram(&b, caps->hist_width, caps->hist_elision);
	e->u.print.format = arena_strndup(a, b.s ? b.s : "", b.len);
	e->u.print.format_len = b.len;
	buf_deinit(&b);
	return s;
}

void written_print_end(struct written *w, struct stmt *print)
{
	buf_putc(&w->text, ')');
	written_end_at(w, print);
	print->u.expr->range = print->range;
	buf_putc(&w->text, '\n');
}

static void add(struct written *w, struct stmt *print, struct expr *arg)
{
	vec_push(w->r->s->arena, &print->u.expr->u.print.args, arg);
}

struct stmt *written_edge(struct written *w, enum print_edge edge, int64_t limit)
{
	struct stmt *s;

	buf_putc(&w->text, '\t');
	s = written_print(w, "", false);
	s->u.expr->u.print.edge = edge;
	if (edge == EDGE_BEGIN)
		written_number(w, s, limit);
	written_print_end(w, s);
	return s;
}

void written_keys(struct written *w, struct stmt *print, const struct symbol *g)
{
	for (int i = 0; i < g->nkeys; i++) {
		buf_puts(&w->text, i ? "," : ", ");
		add(w, print, name_of(w, local_of(w, g, i)));
	}
}

void written_number(struct written *w, struct stmt *print, int64_t v)
{
	uint32_t start;

	buf_puts(&w->text, ", ");
	start = here(w);
	buf_printf(&w->text, "%lld", (long long)v);
	add(w, print, ast_number(w->r->s->arena, since(w, start), v));
}

void written_value(struct written *w, struct stmt *print, struct symbol *g)
{
	buf_puts(&w->text, ", ");
	add(w, print, value_of(w, g));
}

struct expr *written_agg(struct written *w, struct stmt *print, enum agg_op op, struct symbol *g)
{
	struct expr *e;

	buf_puts(&w->text, ", ");
	e = agg_of(w, op, g);
	add(w, print, e);
	return e;
}

void written_shape(struct written *w, struct expr *e, const struct expr *hist)
{
	w->text.len--; /* the parenthesis after the aggregate */
	vec_each(it, &hist->u.agg.args) {
		uint32_t start;
		int64_t v = (*it)->u.num.v;

		buf_puts(&w->text, ", ");
		start = here(w);
		buf_printf(&w->text, "%lld", (long long)v);
		vec_push(w->r->s->arena, &e->u.agg.args,
			 ast_number(w->r->s->arena, since(w, start), v));
	}
	buf_putc(&w->text, ')');
	e->range.end = here(w);
}
