/* SPDX-License-Identifier: GPL-2.0 */
/* Deep copies: a node is copied as it is, then its children are replaced by their own copies. */
#include <string.h>

#include "ast/walk.h"

#define own_list(a, list, each)                                                                \
	do {                                                                                   \
		void *copy_ = (list)->n ? arena_alloc(a, (list)->n * sizeof(*(list)->v)) : NULL; \
		if (copy_)                                                                     \
			memcpy(copy_, (list)->v, (list)->n * sizeof(*(list)->v));              \
		(list)->v = copy_;                                                             \
		(list)->cap = (list)->n;                                                       \
		vec_each(it, list)                                                             \
			each;                                                                  \
	} while (0)

#define own_exprs(a, list) own_list(a, list, *it = ast_clone_expr(a, *it))
#define own_path(a, list) own_list(a, list, it->index = ast_clone_expr(a, it->index))
#define own(a, e) ((e) = ast_clone_expr(a, e))
#define own_stmt(a, s) ((s) = ast_clone_stmt(a, s))

struct expr *ast_clone_expr(struct arena *a, const struct expr *from)
{
	struct expr *e;

	if (!from)
		return NULL;
	e = NEW(a, struct expr);
	*e = *from;
	switch (e->kind) {
	case EX_NUM:
	case EX_STR:
	case EX_NAME:
	case EX_EMBEDDED:
		break;
	case EX_INDEX:
		own(a, e->u.index.array);
		own_exprs(a, &e->u.index.keys);
		break;
	case EX_UNARY:
		own(a, e->u.unary.a);
		break;
	case EX_BINARY:
		own(a, e->u.binary.a);
		own(a, e->u.binary.b);
		break;
	case EX_ASSIGN:
		own(a, e->u.assign.left);
		own(a, e->u.assign.right);
		break;
	case EX_INCDEC:
		own(a, e->u.incdec.a);
		break;
	case EX_COND:
		own(a, e->u.cond.c);
		own(a, e->u.cond.a);
		own(a, e->u.cond.b);
		break;
	case EX_IN:
		own_exprs(a, &e->u.in.keys);
		own(a, e->u.in.array);
		break;
	case EX_CALL:
		own_exprs(a, &e->u.call.args);
		own_list(a, &e->u.call.targets, (void)it);
		break;
	case EX_PRINT:
		own_exprs(a, &e->u.print.args);
		break;
	case EX_AGG:
		own(a, e->u.agg.a);
		own_exprs(a, &e->u.agg.args);
		break;
	case EX_CONTEXT:
		own(a, e->u.context.base);
		own_path(a, &e->u.context.path);
		break;
	case EX_AT:
		own_exprs(a, &e->u.at.args);
		own_path(a, &e->u.at.path);
		break;
	case EX_DEREF:
		own(a, e->u.deref.base);
		own_path(a, &e->u.deref.path);
		break;
	case EX_REGEX:
		own(a, e->u.regex.a);
		break;
	}
	return e;
}

static void own_foreach(struct arena *a, struct foreach *fe)
{
	own(a, fe->value);
	own_exprs(a, &fe->keys);
	own(a, fe->array);
	own(a, fe->limit);
	own_stmt(a, fe->body);
}

struct stmt *ast_clone_stmt(struct arena *a, const struct stmt *from)
{
	struct stmt *s;

	if (!from)
		return NULL;
	s = NEW(a, struct stmt);
	*s = *from;
	switch (s->kind) {
	case ST_BLOCK:
		own_list(a, &s->u.block, *it = ast_clone_stmt(a, *it));
		break;
	case ST_EXPR:
	case ST_RETURN:
	case ST_DELETE:
		own(a, s->u.expr);
		break;
	case ST_IF:
		own(a, s->u.if_.c);
		own_stmt(a, s->u.if_.then);
		own_stmt(a, s->u.if_.els);
		break;
	case ST_WHILE:
		own(a, s->u.while_.c);
		own_stmt(a, s->u.while_.body);
		break;
	case ST_FOR:
		own(a, s->u.for_.init);
		own(a, s->u.for_.c);
		own(a, s->u.for_.step);
		own_stmt(a, s->u.for_.body);
		break;
	case ST_FOREACH:
		own_foreach(a, &s->u.foreach);
		break;
	case ST_TRY:
		own_stmt(a, s->u.try_.body);
		own(a, s->u.try_.var);
		own_stmt(a, s->u.try_.handler);
		break;
	case ST_EMPTY:
	case ST_BREAK:
	case ST_CONTINUE:
	case ST_NEXT:
		break;
	}
	return s;
}
