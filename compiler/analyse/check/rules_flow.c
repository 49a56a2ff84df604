/* SPDX-License-Identifier: GPL-2.0 */
/* Checks of jumps and loops. */
#include "analyse/check/rules.h"

static void jump_outside_loop(struct check *c, const struct rule *r, const struct rule_at *at,
			      struct stmt *s)
{
	if ((s->kind != ST_BREAK && s->kind != ST_CONTINUE) || at->loops)
		return;
	diag_error(c->s->diag, s->range, r->id, "'%s' outside of a loop",
		   s->kind == ST_BREAK ? "break" : "continue");
	if (at->body->probe)
		diag_hint(c->s->diag, "'next' ends a probe");
}

static void return_in_probe(struct check *c, const struct rule *r, const struct rule_at *at,
			    struct stmt *s)
{
	if (s->kind != ST_RETURN || !at->body->probe)
		return;
	diag_error(c->s->diag, s->range, r->id, "'return' outside of a function");
	diag_hint(c->s->diag, "'next' ends a probe");
}

/* The innermost foreach around @at that iterates over @sym, or NULL. */
static const struct foreach *loop_over(const struct rule_at *at, const struct symbol *sym)
{
	for (size_t i = at->foreach.n; sym && i-- > 0;)
		if (ast_base_symbol(at->foreach.v[i]->array) == sym)
			return at->foreach.v[i];
	return NULL;
}

static void report_modified(struct check *c, const struct rule *r, const struct rule_at *at,
			    const struct expr *target, struct range where)
{
	const struct symbol *sym = ast_base_symbol(target);
	const struct foreach *f = loop_over(at, sym);

	if (!f)
		return;
	diag_error(c->s->diag, where, r->id, "'%s' is modified inside the foreach over it",
		   sym->name);
	diag_note(c->s->diag, f->array->range, "the foreach over it begins here");
}

/* Reports a function that changes the array of a loop around its call. */
static void report_call(struct check *c, const struct rule *r, const struct rule_at *at,
			const struct expr *call, struct function *fn)
{
	struct body *b = map_get(&c->by_fn, fn->cname);
	struct body_list all = { 0 };

	if (!b)
		return;
	facts_reach(c, b, &all);
	vec_each(it, &all.v) {
		vec_each(u, &(*it)->uses) {
			const struct foreach *f = loop_over(at, u->sym);

			if (!f || u->kind == GLOBAL_READ)
				continue;
			diag_error(c->s->diag, call->range, r->id,
				   "'%s' modifies '%s' inside the foreach over it", fn->name,
				   u->sym->name);
			diag_note(c->s->diag, u->range, "it is modified here");
			diag_note(c->s->diag, f->array->range, "the foreach over it begins here");
			return;
		}
	}
}

static void modified_in_loop_expr(struct check *c, const struct rule *r, const struct rule_at *at,
				  struct expr *e)
{
	if (!at->foreach.n)
		return;
	if (e->kind == EX_ASSIGN)
		report_modified(c, r, at, e->u.assign.left, e->range);
	else if (e->kind == EX_INCDEC)
		report_modified(c, r, at, e->u.incdec.a, e->range);
	else if (e->kind == EX_CALL)
		vec_each(f, &e->u.call.targets)
			report_call(c, r, at, e, *f);
}

static void modified_in_loop_stmt(struct check *c, const struct rule *r, const struct rule_at *at,
				  struct stmt *s)
{
	if (s->kind == ST_DELETE && at->foreach.n)
		report_modified(c, r, at, s->u.expr, s->range);
}

const struct rule rules_flow[] = {
	{ "jump-outside-loop", E_CONTEXT, .stmt = jump_outside_loop },
	{ "return-in-probe", E_CONTEXT, .stmt = return_in_probe },
	{ "modified-in-loop", E_MODIFIED_IN_LOOP, .expr = modified_in_loop_expr,
	  .stmt = modified_in_loop_stmt },
	{ 0 },
};
