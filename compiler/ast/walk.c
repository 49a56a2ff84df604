/* SPDX-License-Identifier: GPL-2.0 */
/* Visiting trees, and making their nodes. */
#include "ast/walk.h"

struct expr *ast_expr(struct arena *a, enum expr_kind kind, struct range range)
{
	struct expr *e = NEW(a, struct expr);

	e->kind = kind;
	e->range = range;
	return e;
}

struct stmt *ast_stmt(struct arena *a, enum stmt_kind kind, struct range range)
{
	struct stmt *s = NEW(a, struct stmt);

	s->kind = kind;
	s->range = range;
	return s;
}

#define walk_list(list, v) \
	do { vec_each(it, list) walk_expr(it, v); } while (0)
#define walk_path(path, v) \
	do { vec_each(acc, path) walk_expr(&acc->index, v); } while (0)

static void walk_children(struct expr *e, const struct visitor *v)
{
	switch (e->kind) {
	case EX_NUM:
	case EX_STR:
	case EX_NAME:
	case EX_EMBEDDED:
		break;
	case EX_INDEX:
		walk_list(&e->u.index.keys, v);
		walk_expr(&e->u.index.array, v);
		break;
	case EX_UNARY:
		walk_expr(&e->u.unary.a, v);
		break;
	case EX_BINARY:
		walk_expr(&e->u.binary.a, v);
		walk_expr(&e->u.binary.b, v);
		break;
	case EX_ASSIGN:
		walk_expr(&e->u.assign.left, v);
		walk_expr(&e->u.assign.right, v);
		break;
	case EX_INCDEC:
		walk_expr(&e->u.incdec.a, v);
		break;
	case EX_COND:
		walk_expr(&e->u.cond.c, v);
		walk_expr(&e->u.cond.a, v);
		walk_expr(&e->u.cond.b, v);
		break;
	case EX_IN:
		walk_list(&e->u.in.keys, v);
		walk_expr(&e->u.in.array, v);
		break;
	case EX_CALL:
		walk_list(&e->u.call.args, v);
		break;
	case EX_PRINT:
		walk_list(&e->u.print.args, v);
		break;
	case EX_AGG:
		walk_expr(&e->u.agg.a, v);
		walk_list(&e->u.agg.args, v);
		break;
	case EX_CONTEXT:
		walk_expr(&e->u.context.base, v);
		walk_path(&e->u.context.path, v);
		break;
	case EX_AT:
		walk_list(&e->u.at.args, v);
		walk_path(&e->u.at.path, v);
		break;
	case EX_DEREF:
		walk_expr(&e->u.deref.base, v);
		walk_path(&e->u.deref.path, v);
		break;
	case EX_REGEX:
		walk_expr(&e->u.regex.a, v);
		break;
	}
}

void walk_expr(struct expr **e, const struct visitor *v)
{
	if (!*e)
		return;
	if (!v->expr || v->expr(e, v->data))
		walk_children(*e, v);
	if (v->expr_post)
		v->expr_post(e, v->data);
}

static void walk_foreach(struct foreach *fe, const struct visitor *v)
{
	walk_expr(&fe->array, v);
	walk_expr(&fe->limit, v);
	walk_list(&fe->keys, v);
	walk_expr(&fe->value, v);
	walk_stmt(&fe->body, v);
}

void walk_stmt(struct stmt **sp, const struct visitor *v)
{
	struct stmt *s;

	if (!*sp || (v->stmt && !v->stmt(sp, v->data)))
		return;
	s = *sp;
	switch (s->kind) {
	case ST_BLOCK:
		vec_each(it, &s->u.block)
			walk_stmt(it, v);
		break;
	case ST_EXPR:
	case ST_RETURN:
	case ST_DELETE:
		walk_expr(&s->u.expr, v);
		break;
	case ST_IF:
		walk_expr(&s->u.if_.c, v);
		walk_stmt(&s->u.if_.then, v);
		walk_stmt(&s->u.if_.els, v);
		break;
	case ST_WHILE:
		walk_expr(&s->u.while_.c, v);
		walk_stmt(&s->u.while_.body, v);
		break;
	case ST_FOR:
		walk_expr(&s->u.for_.init, v);
		walk_expr(&s->u.for_.c, v);
		walk_stmt(&s->u.for_.body, v);
		walk_expr(&s->u.for_.step, v);
		break;
	case ST_FOREACH:
		walk_foreach(&s->u.foreach, v);
		break;
	case ST_TRY:
		walk_stmt(&s->u.try_.body, v);
		walk_expr(&s->u.try_.var, v);
		walk_stmt(&s->u.try_.handler, v);
		break;
	case ST_EMPTY:
	case ST_BREAK:
	case ST_CONTINUE:
	case ST_NEXT:
		break;
	}
}
