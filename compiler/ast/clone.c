/* SPDX-License-Identifier: GPL-2.0 */
/* Deep copies: a node is copied, then its children are replaced by copies. */
#include <string.h>

#include "ast/walk.h"

/* Gives a copied node its own copy of a list, which still has the elements of the original. */
#define OWN_LIST(a, list)                                                               \
	do {                                                                            \
		void *copy_ = arena_alloc(a, ((list).n + 1) * sizeof(*(list).v));       \
		if ((list).n)                                                           \
			memcpy(copy_, (list).v, (list).n * sizeof(*(list).v));          \
		(list).v = copy_;                                                       \
		(list).cap = (list).n;                                                  \
	} while (0)

static void own_expr(struct expr **e, void *arena)
{
	*e = ast_clone_expr(arena, *e);
}

static void own_stmt(struct stmt **s, void *arena)
{
	*s = ast_clone_stmt(arena, *s);
}

static struct child_visitor owning(struct arena *a)
{
	return (struct child_visitor){ .expr = own_expr, .stmt = own_stmt, .data = a };
}

static void own_lists(struct arena *a, struct expr *e)
{
	switch (e->kind) {
	case EX_INDEX:
		OWN_LIST(a, e->u.index.keys);
		break;
	case EX_IN:
		OWN_LIST(a, e->u.in.keys);
		break;
	case EX_CALL:
		OWN_LIST(a, e->u.call.args);
		OWN_LIST(a, e->u.call.targets);
		break;
	case EX_PRINT:
		OWN_LIST(a, e->u.print.args);
		break;
	case EX_AGG:
		OWN_LIST(a, e->u.agg.args);
		break;
	case EX_CONTEXT:
		OWN_LIST(a, e->u.context.path);
		OWN_LIST(a, e->u.context.words);
		break;
	case EX_AT:
		OWN_LIST(a, e->u.at.args);
		OWN_LIST(a, e->u.at.path);
		break;
	case EX_DEREF:
		OWN_LIST(a, e->u.deref.path);
		break;
	default:
		break;
	}
}

struct expr *ast_clone_expr(struct arena *a, const struct expr *from)
{
	struct child_visitor children = owning(a);
	struct expr *e;

	if (!from)
		return NULL;
	e = NEW(a, struct expr);
	*e = *from;
	own_lists(a, e);
	ast_expr_children(e, &children);
	return e;
}

struct stmt *ast_clone_stmt(struct arena *a, const struct stmt *from)
{
	struct child_visitor children = owning(a);
	struct stmt *s;

	if (!from)
		return NULL;
	s = NEW(a, struct stmt);
	*s = *from;
	if (s->kind == ST_BLOCK)
		OWN_LIST(a, s->u.block);
	else if (s->kind == ST_FOREACH)
		OWN_LIST(a, s->u.foreach.keys);
	ast_stmt_children(s, &children);
	return s;
}
