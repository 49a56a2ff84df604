/* SPDX-License-Identifier: GPL-2.0 */
/* The walk that calls the named checks. */
#include "ast/walk.h"
#include "check/rules.h"

struct run {
	struct check *c;
	struct place at;
};

static const struct rule *const tables[] = { rules_flow, rules_value, rules_probe };

static bool on_expr(struct expr **e, void *data)
{
	struct run *run = data;

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		for (const struct rule *r = tables[i]; r->name; r++)
			if (r->expr)
				r->expr(run->c, r, &run->at, *e);
	return true;
}

static void run_expr(struct run *run, struct expr **e)
{
	struct visitor v = { .expr = on_expr, .data = run };

	walk_expr(e, &v);
}

static void run_stmt(struct run *run, struct stmt *s);

static void run_loop(struct run *run, struct stmt *body)
{
	run->at.loops++;
	run_stmt(run, body);
	run->at.loops--;
}

static void run_foreach(struct run *run, struct foreach *f)
{
	if (f->value)
		run_expr(run, &f->value);
	vec_each(k, &f->keys)
		run_expr(run, k);
	run_expr(run, &f->array);
	run_expr(run, &f->limit);
	vec_push(run->c->s->arena, &run->at.foreach, f);
	run_loop(run, f->body);
	run->at.foreach.n--;
}

static void run_children(struct run *run, struct stmt *s)
{
	switch (s->kind) {
	case ST_BLOCK:
		vec_each(it, &s->u.block)
			run_stmt(run, *it);
		break;
	case ST_EXPR:
	case ST_RETURN:
	case ST_DELETE:
		run_expr(run, &s->u.expr);
		break;
	case ST_IF:
		run_expr(run, &s->u.if_.c);
		run_stmt(run, s->u.if_.then);
		run_stmt(run, s->u.if_.els);
		break;
	case ST_WHILE:
		run_expr(run, &s->u.while_.c);
		run_loop(run, s->u.while_.body);
		break;
	case ST_FOR:
		run_expr(run, &s->u.for_.init);
		run_expr(run, &s->u.for_.c);
		run_expr(run, &s->u.for_.step);
		run_loop(run, s->u.for_.body);
		break;
	case ST_FOREACH:
		run_foreach(run, &s->u.foreach);
		break;
	case ST_TRY:
		run_stmt(run, s->u.try_.body);
		run_expr(run, &s->u.try_.var);
		run_stmt(run, s->u.try_.handler);
		break;
	case ST_EMPTY:
	case ST_BREAK:
	case ST_CONTINUE:
	case ST_NEXT:
		break;
	}
}

static void run_stmt(struct run *run, struct stmt *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		for (const struct rule *r = tables[i]; r->name; r++)
			if (r->stmt)
				r->stmt(run->c, r, &run->at, s);
	run_children(run, s);
}

static void run_probe(struct run *run, struct body *b)
{
	run_stmt(run, b->probe->entry);
	run->at.condition = true;
	run_expr(run, &b->probe->cond);
	run->at.condition = false;
	run_stmt(run, b->probe->body);
}

void rules_run(struct check *c)
{
	vec_each(it, &c->bodies) {
		struct run run = { .c = c, .at.body = *it };

		if ((*it)->probe)
			run_probe(&run, *it);
		else
			run_stmt(&run, (*it)->fn->body);
	}
}
