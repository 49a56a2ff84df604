/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Separates gates from conditions: the parts of `a && b && ...` that read only globals and
 * constants arm and disarm their probes. The session's thread evaluates them, so parts that depend
 * on the hit, may differ each time, or change something are tested at the hit.
 */
#include "ast/ast.h"
#include "ast/walk.h"
#include "analyse/check/check.h"
#include "analyse/check/facts.h"

struct look {
	bool in_thread;
	bool fit;
};

/* The thread does not collect per-CPU globals for the conditions of its own timers, because hits
 * would have to report each addition. */
static bool is_asked(const struct look *look, const struct symbol *sym)
{
	return sym && sym->kind == SYM_GLOBAL &&
	       !(look->in_thread && sym->storage == STORE_PERCPU);
}

static bool visit(struct expr **x, void *data)
{
	struct look *look = data;

	switch ((*x)->kind) {
	case EX_NUM: case EX_STR: case EX_UNARY: case EX_BINARY: case EX_COND: case EX_INDEX:
	case EX_IN: case EX_AGG:
		break;
	case EX_NAME:
		look->fit &= is_asked(look, (*x)->u.name.sym);
		break;
	default:
		look->fit = false;
	}
	return look->fit;
}

static bool mark(struct expr **x, void *data)
{
	(void)data;
	if ((*x)->kind == EX_NAME)
		(*x)->u.name.sym->gates = true;
	return true;
}

static bool only_globals(struct expr *x, bool in_thread)
{
	struct look look = { .in_thread = in_thread, .fit = true };
	struct visitor v = { .expr = visit, .data = &look };

	walk_expr(&x, &v);
	return look.fit;
}

static struct expr *gate_of(struct check *c, struct expr *x, bool in_thread)
{
	struct expr *a, *b, *both;

	if (only_globals(x, in_thread))
		return x;
	if (x->kind != EX_BINARY || x->u.binary.op != OP_LAND)
		return NULL;
	a = gate_of(c, x->u.binary.a, in_thread);
	b = gate_of(c, x->u.binary.b, in_thread);
	if (!a || !b)
		return a ? a : b;
	both = ast_expr(c->s->arena, EX_BINARY, x->range);
	both->u.binary.op = OP_LAND;
	both->u.binary.a = a;
	both->u.binary.b = b;
	both->type = x->type;
	return both;
}

static bool writes_gates(struct check *c, struct body *b)
{
	struct body_list all = { 0 };

	facts_reach(c, b, &all);
	vec_each(it, &all.v)
		vec_each(u, &(*it)->uses)
			if (u->sym->gates && u->kind != GLOBAL_READ)
				return true;
	return false;
}

void gates_choose(struct check *c)
{
	struct visitor v = { .expr = mark };

	vec_each(it, &c->p->probes) {
		struct probe *p = *it;

		if (!p->cond || site_kind_is_alone(p->kind))
			continue;
		p->gate = gate_of(c, p->cond, !site_kind_is_hot(p->kind));
		if (p->gate)
			walk_expr(&p->gate, &v);
	}
	vec_each(it, &c->bodies) {
		struct probe *p = (*it)->probe;

		/* begin runs before they are evaluated for the first time, end after the last
		 * time. */
		if (p && !site_kind_is_alone(p->kind))
			p->changes_gates = writes_gates(c, *it);
	}
}
