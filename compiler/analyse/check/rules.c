/* SPDX-License-Identifier: GPL-2.0 */
/* Visits all bodies and calls the named checks. */
#include "ast/walk.h"
#include "analyse/check/check.h"
#include "analyse/check/rules.h"

struct run {
	struct check *c;
	struct rule_at at;
	const struct foreach *foreach; /* the loop whose children are being visited */
};

static const struct rule *const tables[] = { rules_flow, rules_value, rules_probe };

static void run_stmt(struct stmt **sp, void *data);

static bool on_expr(struct expr **e, void *data)
{
	struct run *run = data;

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		for (const struct rule *r = tables[i]; r->name; r++)
			if (r->expr)
				r->expr(run->c, r, &run->at, *e);
	return true;
}

static void run_expr(struct expr **e, void *run)
{
	struct visitor v = { .expr = on_expr, .data = run };

	walk_expr(e, &v);
}

/* The only child of a loop that is a statement is its body. */
static void run_loop_body(struct stmt **body, void *data)
{
	struct run *run = data;

	run->at.loops++;
	run_stmt(body, run);
	run->at.loops--;
}

static void run_foreach_body(struct stmt **body, void *data)
{
	struct run *run = data;

	vec_push(run->c->s->arena, &run->at.foreach, run->foreach);
	run_loop_body(body, run);
	run->at.foreach.n--;
}

static void run_stmt(struct stmt **sp, void *data)
{
	struct run *run = data;
	struct stmt *s = *sp;
	struct child_visitor children = { .expr = run_expr, .stmt = run_stmt, .data = run };

	if (!s)
		return;
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		for (const struct rule *r = tables[i]; r->name; r++)
			if (r->stmt)
				r->stmt(run->c, r, &run->at, s);
	if (s->kind == ST_WHILE || s->kind == ST_FOR)
		children.stmt = run_loop_body;
	if (s->kind == ST_FOREACH) {
		run->foreach = &s->u.foreach;
		children.stmt = run_foreach_body;
	}
	ast_stmt_children(s, &children);
}

static void run_probe(struct run *run, struct body *b)
{
	run_stmt(&b->probe->entry, run);
	run->at.condition = true;
	run_expr(&b->probe->cond, run);
	run->at.condition = false;
	run_stmt(&b->probe->body, run);
}

void rules_run(struct check *c)
{
	vec_each(g, &c->p->globals)
		if ((*g)->init)
			rules_literal(c, (*g)->init);
	vec_each(it, &c->bodies) {
		struct run run = { .c = c, .at.body = *it };

		if ((*it)->probe)
			run_probe(&run, *it);
		else
			run_stmt(&(*it)->fn->body, &run);
	}
}
