/* SPDX-License-Identifier: GPL-2.0 */
/* Implements uses.h by a walk that stops at each node which gives a name its role. */
#include "ast/uses.h"

#include "ast/walk.h"

struct uses {
	const struct use_visitor *v;
	struct visitor walk;
	const struct expr *unused; /* an expression whose value is not used */
};

static void report(struct uses *u, struct expr *name, unsigned flags, int nkeys, struct range range)
{
	struct use use = { .name = name, .flags = flags, .nkeys = nkeys, .range = range };

	u->v->use(&use, u->v->data);
}

static void report_element(struct uses *u, const struct expr *e, unsigned flags)
{
	struct use use = { .name = e->u.index.array, .flags = flags | USE_ARRAY,
			   .nkeys = (int)e->u.index.keys.n, .element = e, .range = e->range };

	u->v->use(&use, u->v->data);
}

static void target(struct uses *u, struct expr **pe, unsigned flags)
{
	struct expr *e = *pe;

	if (e->kind == EX_NAME) {
		report(u, e, flags, 0, e->range);
		return;
	}
	if (e->kind != EX_INDEX) {
		walk_expr(pe, &u->walk);
		return;
	}
	vec_each(key, &e->u.index.keys)
		walk_expr(key, &u->walk);
	if (e->u.index.array->kind == EX_NAME)
		report_element(u, e, flags);
	else
		walk_expr(&e->u.index.array, &u->walk);
}

/* The use of its target by an assignment with @op. */
static unsigned flags_of(int op, bool value_used)
{
	if (op == OP_STAT)
		return USE_WRITE | USE_ADD | USE_STATS;
	if (op == OP_SET)
		return USE_WRITE | (value_used ? USE_OLD : 0);
	if (value_used)
		return USE_WRITE | USE_OLD | USE_READ;
	return USE_WRITE | (op == (int)OP_ADD || op == (int)OP_SUB ? USE_ADD : USE_OLD);
}

static void assign(struct uses *u, struct expr *e, bool value_used)
{
	if (e->kind == EX_INCDEC) {
		target(u, &e->u.incdec.a, flags_of(OP_ADD, value_used));
		return;
	}
	target(u, &e->u.assign.left, flags_of(e->u.assign.op, value_used));
	walk_expr(&e->u.assign.right, &u->walk);
}

static void condition(struct uses *u, struct expr *e, bool value_used)
{
	walk_expr(&e->u.cond.c, &u->walk);
	if (!value_used)
		u->unused = e->u.cond.a;
	walk_expr(&e->u.cond.a, &u->walk);
	if (!value_used)
		u->unused = e->u.cond.b;
	walk_expr(&e->u.cond.b, &u->walk);
}

static bool on_expr(struct expr **pe, void *data)
{
	struct uses *u = data;
	bool value_used = *pe != u->unused;
	struct expr *e;

	if ((*pe)->kind != EX_NAME && u->v->expr)
		u->v->expr(pe, u->v->data);
	e = *pe;
	switch (e->kind) {
	case EX_NAME:
	case EX_INDEX:
		target(u, pe, USE_READ);
		return false;
	case EX_ASSIGN:
	case EX_INCDEC:
		assign(u, e, value_used);
		return false;
	case EX_COND:
		condition(u, e, value_used);
		return false;
	case EX_IN:
		vec_each(key, &e->u.in.keys)
			walk_expr(key, &u->walk);
		if (e->u.in.array->kind == EX_NAME)
			report(u, e->u.in.array, USE_READ | USE_ARRAY, (int)e->u.in.keys.n,
			       e->range);
		return false;
	case EX_AGG:
		target(u, &e->u.agg.a, USE_READ | USE_STATS);
		vec_each(arg, &e->u.agg.args)
			walk_expr(arg, &u->walk);
		return false;
	default:
		return true;
	}
}

static void foreach(struct uses *u, struct foreach *f)
{
	if (f->array->kind == EX_NAME)
		report(u, f->array, USE_READ | USE_ARRAY | (f->sort_has_agg ? USE_STATS : 0),
		       (int)f->keys.n, f->array->range);
	else
		walk_expr(&f->array, &u->walk);
	walk_expr(&f->limit, &u->walk);
	vec_each(key, &f->keys)
		report(u, *key, USE_WRITE | USE_BOUND, 0, (*key)->range);
	if (f->value)
		report(u, f->value, USE_WRITE | USE_BOUND, 0, f->value->range);
	if (u->v->foreach_body)
		u->v->foreach_body(true, u->v->data);
	walk_stmt(&f->body, &u->walk);
	if (u->v->foreach_body)
		u->v->foreach_body(false, u->v->data);
}

static bool on_stmt(struct stmt **ps, void *data)
{
	struct uses *u = data;
	struct stmt *s = *ps;

	if (u->v->stmt)
		u->v->stmt(s, u->v->data);
	switch (s->kind) {
	case ST_EXPR:
		u->unused = s->u.expr;
		return true;
	case ST_FOR:
		u->unused = s->u.for_.init;
		walk_expr(&s->u.for_.init, &u->walk);
		walk_expr(&s->u.for_.c, &u->walk);
		u->unused = s->u.for_.step;
		walk_expr(&s->u.for_.step, &u->walk);
		walk_stmt(&s->u.for_.body, &u->walk);
		return false;
	case ST_FOREACH:
		foreach(u, &s->u.foreach);
		return false;
	case ST_DELETE:
		if (s->u.expr)
			target(u, &s->u.expr, USE_WRITE | USE_EITHER);
		return false;
	case ST_TRY:
		walk_stmt(&s->u.try_.body, &u->walk);
		if (s->u.try_.var)
			report(u, s->u.try_.var, USE_WRITE | USE_BOUND, 0, s->u.try_.var->range);
		walk_stmt(&s->u.try_.handler, &u->walk);
		return false;
	default:
		return true;
	}
}

static void uses_init(struct uses *u, const struct use_visitor *v)
{
	*u = (struct uses){ .v = v };
	u->walk = (struct visitor){ .expr = on_expr, .stmt = on_stmt, .data = u };
}

void uses_stmt(struct stmt **st, const struct use_visitor *v)
{
	struct uses u;

	uses_init(&u, v);
	walk_stmt(st, &u.walk);
}

void uses_expr(struct expr **e, const struct use_visitor *v)
{
	struct uses u;

	uses_init(&u, v);
	walk_expr(e, &u.walk);
}
