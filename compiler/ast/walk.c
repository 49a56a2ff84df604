/* SPDX-License-Identifier: GPL-2.0 */
/* Visits trees, and makes their nodes. */
#include "ast/walk.h"

#include <ctype.h>
#include <string.h>

struct expr *ast_expr(struct arena *a, enum expr_kind kind, struct range range)
{
	struct expr *e = NEW(a, struct expr);

	e->kind = kind;
	e->range = range;
	return e;
}

struct expr *ast_number(struct arena *a, struct range range, int64_t value)
{
	struct expr *e = ast_expr(a, EX_NUM, range);

	e->type = T_LONG;
	e->u.num.v = value;
	return e;
}

struct stmt *ast_stmt(struct arena *a, enum stmt_kind kind, struct range range)
{
	struct stmt *s = NEW(a, struct stmt);

	s->kind = kind;
	s->range = range;
	return s;
}

static void list_children(struct expr **v, size_t n, const struct child_visitor *c)
{
	for (size_t i = 0; i < n; i++)
		c->expr(&v[i], c->data);
}

static void path_children(struct accessor *v, size_t n, const struct child_visitor *c)
{
	for (size_t i = 0; i < n; i++)
		c->expr(&v[i].index, c->data);
}

#define LIST(list) list_children((list).v, (list).n, c)
#define PATH(path) path_children((path).v, (path).n, c)
#define EXPR(child) c->expr(&(child), c->data)
#define STMT(child) c->stmt(&(child), c->data)

void ast_expr_children(struct expr *e, const struct child_visitor *c)
{
	switch (e->kind) {
	case EX_NUM: case EX_REAL: case EX_STR: case EX_NAME: case EX_EMBEDDED:
		break;
	case EX_INDEX:
		LIST(e->u.index.keys);
		EXPR(e->u.index.array);
		break;
	case EX_UNARY:
		EXPR(e->u.unary.a);
		break;
	case EX_BINARY:
		EXPR(e->u.binary.a);
		EXPR(e->u.binary.b);
		break;
	case EX_ASSIGN:
		EXPR(e->u.assign.left);
		EXPR(e->u.assign.right);
		break;
	case EX_INCDEC:
		EXPR(e->u.incdec.a);
		break;
	case EX_COND:
		EXPR(e->u.cond.c);
		EXPR(e->u.cond.a);
		EXPR(e->u.cond.b);
		break;
	case EX_IN:
		LIST(e->u.in.keys);
		EXPR(e->u.in.array);
		break;
	case EX_CALL:
		LIST(e->u.call.args);
		break;
	case EX_PRINT:
		LIST(e->u.print.args);
		break;
	case EX_AGG:
		EXPR(e->u.agg.a);
		LIST(e->u.agg.args);
		break;
	case EX_CONTEXT:
		EXPR(e->u.context.base);
		PATH(e->u.context.path);
		LIST(e->u.context.words);
		break;
	case EX_AT:
		LIST(e->u.at.args);
		PATH(e->u.at.path);
		break;
	case EX_DEREF:
		EXPR(e->u.deref.base);
		PATH(e->u.deref.path);
		break;
	case EX_REGEX:
		EXPR(e->u.regex.a);
		break;
	}
}

void ast_stmt_children(struct stmt *s, const struct child_visitor *c)
{
	switch (s->kind) {
	case ST_BLOCK:
		vec_each(it, &s->u.block)
			STMT(*it);
		break;
	case ST_EXPR:
	case ST_RETURN:
	case ST_DELETE:
		EXPR(s->u.expr);
		break;
	case ST_IF:
		EXPR(s->u.if_.c);
		STMT(s->u.if_.then);
		STMT(s->u.if_.els);
		break;
	case ST_WHILE:
		EXPR(s->u.while_.c);
		STMT(s->u.while_.body);
		break;
	case ST_FOR:
		EXPR(s->u.for_.init);
		EXPR(s->u.for_.c);
		STMT(s->u.for_.body);
		EXPR(s->u.for_.step);
		break;
	case ST_FOREACH:
		EXPR(s->u.foreach.array);
		EXPR(s->u.foreach.limit);
		LIST(s->u.foreach.keys);
		EXPR(s->u.foreach.value);
		STMT(s->u.foreach.body);
		break;
	case ST_TRY:
		STMT(s->u.try_.body);
		EXPR(s->u.try_.var);
		STMT(s->u.try_.handler);
		break;
	case ST_EMPTY:
	case ST_BREAK:
	case ST_CONTINUE:
	case ST_NEXT:
		break;
	}
}

/* The walk passes its own visitor through the callbacks of the child iterator. */
static void walk_child_expr(struct expr **e, void *data)
{
	walk_expr(e, data);
}

static void walk_child_stmt(struct stmt **s, void *data)
{
	walk_stmt(s, data);
}

static struct child_visitor walking(const struct visitor *v)
{
	return (struct child_visitor){
		.expr = walk_child_expr, .stmt = walk_child_stmt, .data = (void *)(uintptr_t)v,
	};
}

void walk_expr(struct expr **e, const struct visitor *v)
{
	struct child_visitor children = walking(v);

	if (!*e)
		return;
	if (!v->expr || v->expr(e, v->data))
		ast_expr_children(*e, &children);
	if (v->expr_post)
		v->expr_post(e, v->data);
}

void walk_stmt(struct stmt **s, const struct visitor *v)
{
	struct child_visitor children = walking(v);

	if (!*s || (v->stmt && !v->stmt(s, v->data)))
		return;
	ast_stmt_children(*s, &children);
}

const char *ast_note(struct arena *a, const struct function *f, const char *key)
{
	const char *name = f->embedded ?
			   memmem(f->embedded, f->embedded_len, key, strlen(key)) : NULL;
	size_t left, n = 0;

	if (!name)
		return NULL;
	name += strlen(key);
	left = (size_t)(f->embedded + f->embedded_len - name);
	while (n < left && (isalnum((unsigned char)name[n]) || name[n] == '_'))
		n++;
	return arena_strndup(a, name, n);
}

bool ast_mentions(const struct function *f, const char *text)
{
	return f->embedded && memmem(f->embedded, f->embedded_len, text, strlen(text));
}
