/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copies code of an alias or a function, with the place where it is used, so that messages show
 * both.
 */
#include <string.h>

#include "ast/points.h"
#include "ast/walk.h"
#include "analyse/resolve/probes.h"

struct mark {
	struct arena *a;
	const struct expansion *via;
};

/* @x in the copy; a step that came from a macro there is kept. */
static const struct expansion *append(const struct mark *m, const struct expansion *x)
{
	struct expansion *copy;

	if (!x)
		return m->via;
	copy = NEW(m->a, struct expansion);
	*copy = *x;
	copy->outer = append(m, x->outer);
	return copy;
}

static void mark_range(const struct mark *m, struct range *r)
{
	r->via = append(m, r->via);
}

static bool mark_expr(struct expr **pe, void *data)
{
	struct mark *m = data;
	struct expr *e = *pe;

	mark_range(m, &e->range);
	if (e->kind == EX_CALL)
		mark_range(m, &e->u.call.name_range);
	else if (e->kind == EX_PRINT)
		mark_range(m, &e->u.print.format_range);
	else if (e->kind == EX_CONTEXT)
		vec_each(it, &e->u.context.path)
			mark_range(m, &it->range);
	else if (e->kind == EX_AT)
		vec_each(it, &e->u.at.path)
			mark_range(m, &it->range);
	else if (e->kind == EX_DEREF)
		vec_each(it, &e->u.deref.path)
			mark_range(m, &it->range);
	return true;
}

static bool mark_stmt(struct stmt **ps, void *data)
{
	mark_range(data, &(*ps)->range);
	return true;
}

struct stmt *mark_copy(struct arena *a, struct stmt *block, const struct expansion *via)
{
	struct mark m = { a, via };
	struct visitor v = { .expr = mark_expr, .stmt = mark_stmt, .data = &m };

	block = ast_clone_stmt(a, block);
	walk_stmt(&block, &v);
	return block;
}

struct probe_point *mark_point(struct arena *a, const struct probe_point *pp,
			       const struct expansion *via)
{
	struct mark m = { a, via };
	struct visitor v = { .expr = mark_expr, .stmt = mark_stmt, .data = &m };
	struct probe_point *ret = points_new(a, pp->range);

	ret->optional = pp->optional;
	ret->sufficient = pp->sufficient;
	mark_range(&m, &ret->range);
	vec_each(it, &pp->parts) {
		struct expr *arg = it->arg ? ast_clone_expr(a, it->arg) : NULL;
		struct pp_component *part = points_add(a, ret, it->range, it->name, arg);

		part->has_arg = it->has_arg;
		mark_range(&m, &part->range);
		if (arg)
			mark_expr(&part->arg, &m);
	}
	if (pp->cond) {
		ret->cond = ast_clone_expr(a, pp->cond);
		walk_expr(&ret->cond, &v);
	}
	return ret;
}
