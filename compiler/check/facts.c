/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Collects facts about each body that do not depend on types: the globals that it uses and how, the
 * functions that it calls, the depth of its foreach loops, the number of its steps. Storage and the
 * rules are decided by these facts.
 *
 * Whether the result of n++ is used depends on its parent, so this file walks the tree itself by
 * the child iterator: `used` says whether the value of the expression is used.
 */
#include <limits.h>

#include "ast/walk.h"
#include "check/private.h"

/* Most iterators of a recursive function that calls itself in a foreach. */
#define ITERS_MAX 64

struct gather {
	struct check *c;
	struct body *b;
	unsigned depth; /* number of foreach loops around the current node */
};

static void gather_expr(struct gather *g, struct expr *e, bool used);

bool facts_constant(const struct expr *e, int64_t *ret)
{
	if (!e)
		return false;
	if (e->kind == EX_NUM) {
		*ret = e->u.num.v;
		return true;
	}
	if (e->kind != EX_UNARY || !facts_constant(e->u.unary.a, ret))
		return false;
	switch (e->u.unary.op) {
	case OP_NEG:
		*ret = (int64_t)(0 - (uint64_t)*ret);
		return true;
	case OP_PLUS:
		return true;
	case OP_COMPL:
		*ret = ~*ret;
		return true;
	default:
		return false;
	}
}

static void add_use(struct gather *g, struct symbol *sym, enum use_kind kind, struct range range,
		    bool is_stat)
{
	if (!sym || sym->kind != SYM_GLOBAL)
		return;

	struct global_use u = { .sym = sym, .kind = kind, .range = range, .is_stat = is_stat };

	vec_push(g->c->s->arena, &g->b->uses, u);
	if (kind == USE_READ)
		sym->reads++;
	else
		sym->writes++;
}

static void gather_child(struct expr **e, void *g)
{
	gather_expr(g, *e, true);
}

/* Visits the children of @e, all of whose values are used. */
static void gather_children(struct gather *g, struct expr *e)
{
	struct child_visitor children = { .expr = gather_child, .data = g };

	ast_expr_children(e, &children);
}

/* The variable to which @e stores (or which it reads, with USE_READ); its keys are read. */
static void gather_place(struct gather *g, struct expr *e, enum use_kind kind, bool is_stat)
{
	if (e->kind != EX_NAME && e->kind != EX_INDEX) {
		gather_expr(g, e, true);
		return;
	}
	if (e->kind == EX_INDEX) {
		vec_each(key, &e->u.index.keys)
			gather_expr(g, *key, true);
		if (e->u.index.array->kind != EX_NAME) {
			gather_expr(g, e->u.index.array, true);
			return;
		}
	}
	add_use(g, ast_base_symbol(e), kind, e->range, is_stat);
}

static void gather_assign(struct gather *g, struct expr *e, bool used)
{
	int op = e->u.assign.op;

	gather_expr(g, e->u.assign.right, true);
	if (op == OP_STAT) {
		gather_place(g, e->u.assign.left, USE_ADD, true);
	} else if (!used && (op == OP_ADD || op == OP_SUB)) {
		gather_place(g, e->u.assign.left, USE_ADD, false);
	} else {
		gather_place(g, e->u.assign.left, USE_WRITE, false);
		if (op != OP_SET || used)
			add_use(g, ast_base_symbol(e->u.assign.left), USE_READ, e->range, false);
	}
}

static void gather_call(struct gather *g, struct expr *e)
{
	gather_children(g, e);
	g->b->own_steps++;
	vec_each(f, &e->u.call.targets) {
		struct body_call call = { .fn = *f, .range = e->range, .depth = g->depth };

		vec_push(g->c->s->arena, &g->b->calls, call);
	}
}

static void gather_expr(struct gather *g, struct expr *e, bool used)
{
	if (!e)
		return;
	switch (e->kind) {
	case EX_NAME:
	case EX_INDEX:
		gather_place(g, e, USE_READ, false);
		break;
	case EX_ASSIGN:
		gather_assign(g, e, used);
		break;
	case EX_INCDEC:
		gather_place(g, e->u.incdec.a, used ? USE_WRITE : USE_ADD, false);
		if (used)
			add_use(g, ast_base_symbol(e->u.incdec.a), USE_READ, e->range, false);
		break;
	case EX_COND:
		gather_expr(g, e->u.cond.c, true);
		gather_expr(g, e->u.cond.a, used);
		gather_expr(g, e->u.cond.b, used);
		break;
	case EX_CALL:
		gather_call(g, e);
		break;
	default:
		gather_children(g, e);
	}
}

static void gather_stmt(struct gather *g, struct stmt *s);

static void gather_foreach(struct gather *g, struct foreach *f)
{
	g->b->has_loop = true;
	gather_place(g, f->array, USE_READ, false);
	gather_expr(g, f->limit, true);
	if (f->value)
		gather_place(g, f->value, USE_WRITE, false);
	vec_each(k, &f->keys)
		if (*k)
			gather_place(g, *k, USE_WRITE, false);
	g->depth++;
	if (g->depth > g->b->own_iters)
		g->b->own_iters = g->depth;
	gather_stmt(g, f->body);
	g->depth--;
}

static void gather_child_stmt(struct stmt **s, void *g)
{
	gather_stmt(g, *s);
}

static void gather_stmt(struct gather *g, struct stmt *s)
{
	struct child_visitor children = {
		.expr = gather_child, .stmt = gather_child_stmt, .data = g,
	};

	if (!s)
		return;
	if (s->kind != ST_BLOCK && s->kind != ST_EMPTY)
		g->b->own_steps++;
	switch (s->kind) {
	case ST_EXPR:
		gather_expr(g, s->u.expr, false);
		break;
	case ST_WHILE:
		g->b->has_loop = true;
		ast_stmt_children(s, &children);
		break;
	case ST_FOR:
		g->b->has_loop = true;
		gather_expr(g, s->u.for_.init, false);
		gather_expr(g, s->u.for_.c, true);
		gather_stmt(g, s->u.for_.body);
		gather_expr(g, s->u.for_.step, false);
		break;
	case ST_FOREACH:
		gather_foreach(g, &s->u.foreach);
		break;
	case ST_DELETE:
		gather_place(g, s->u.expr, USE_DELETE, false);
		break;
	case ST_TRY:
		gather_stmt(g, s->u.try_.body);
		if (s->u.try_.var)
			gather_place(g, s->u.try_.var, USE_WRITE, false);
		gather_stmt(g, s->u.try_.handler);
		break;
	default:
		ast_stmt_children(s, &children);
	}
}

static void gather_embedded(struct gather *g, const struct function *f)
{
	vec_each(it, &f->globals) {
		if (it->sym->type == T_STATS) {
			diag_error(g->c->s->diag, f->embedded_range, E_NOT_SUPPORTED, "'%s' is an "
				   "%s, which STAP_GLOBAL_ in embedded C can't name", it->sym->name,
				   it->sym->is_array ? "array of aggregates" : "aggregate");
			diag_hint(g->c->s->diag, "pass @count() and similar values as arguments, "
				  "and return what to add");
		}
		if (it->read)
			add_use(g, it->sym, USE_READ, f->embedded_range, false);
		if (it->written)
			add_use(g, it->sym, USE_WRITE, f->embedded_range, false);
	}
}

static struct body *body_of(struct check *c, const struct function *f)
{
	return map_get(&c->by_fn, f->cname);
}

static unsigned add_capped(unsigned a, unsigned b)
{
	return a > UINT_MAX - b ? UINT_MAX : a + b;
}

/*
 * Computes steps and depth with everything that is called. A call of a body in progress is
 * recursion.
 */
static void measure(struct check *c, struct body *b)
{
	unsigned nesting = c->s->opt.caps.maxnesting > 0 ? (unsigned)c->s->opt.caps.maxnesting : 1;

	b->measured = 1;
	b->bounded = !b->has_loop;
	b->steps = b->own_steps;
	b->iters = b->own_iters;
	vec_each(call, &b->calls) {
		struct body *to = body_of(c, call->fn);

		if (!to)
			continue;
		if (to->measured == 0)
			measure(c, to);
		if (to->measured == 1) {
			b->bounded = false;
			if (call->depth > 0 && nesting < ITERS_MAX)
				b->iters = add_capped(b->iters, call->depth * nesting);
			else if (call->depth > 0)
				b->iters = ITERS_MAX;
			continue;
		}
		b->bounded = b->bounded && to->bounded;
		b->steps = add_capped(b->steps, to->steps);
		if (call->depth + to->iters > b->iters)
			b->iters = call->depth + to->iters;
	}
	if (b->iters > ITERS_MAX)
		b->iters = ITERS_MAX;
	b->measured = 2;
}

static void reach(struct check *c, struct body *b, struct body_list *ret)
{
	if (b->mark == c->walk)
		return;
	b->mark = c->walk;
	vec_push(c->s->arena, &ret->v, b);
	vec_each(call, &b->calls) {
		struct body *to = body_of(c, call->fn);

		if (to)
			reach(c, to, ret);
	}
}

void facts_reach(struct check *c, struct body *b, struct body_list *ret)
{
	c->walk++;
	reach(c, b, ret);
}

/* Marks the bodies that hot probes can reach, and those that the session's thread can reach. */
static void mark_contexts(struct check *c, struct body *b)
{
	struct body_list all = { 0 };
	bool hot = site_kind_is_hot(b->probe->kind);

	facts_reach(c, b, &all);
	vec_each(it, &all.v) {
		if (hot && !(*it)->hot)
			(*it)->hot = b->probe;
		if (!hot && !(*it)->process)
			(*it)->process = b->probe;
	}
}

static void complete_probe(struct program *p, struct body *b)
{
	struct probe *pr = b->probe;
	unsigned *depth = site_kind_is_hot(pr->kind) ? &p->hot_iter_depth : &p->iter_depth;

	pr->bounded = b->bounded;
	pr->steps = b->bounded ? b->steps : 0;
	if (b->iters > *depth)
		*depth = b->iters;
	p->has_hot |= site_kind_is_hot(pr->kind);
}

void facts_collect(struct check *c)
{
	struct program *p = c->p;
	struct arena *a = c->s->arena;

	map_init(&c->by_fn, a);
	vec_each(f, &p->functions) {
		struct body *b = NEW(a, struct body);
		struct gather g = { .c = c, .b = b };

		b->fn = *f;
		map_set(&c->by_fn, (*f)->cname, b);
		vec_push(a, &c->bodies, b);
		gather_stmt(&g, (*f)->body);
		gather_embedded(&g, *f);
	}
	vec_each(pr, &p->probes) {
		struct body *b = NEW(a, struct body);
		struct gather g = { .c = c, .b = b };

		b->probe = *pr;
		vec_push(a, &c->bodies, b);
		gather_stmt(&g, (*pr)->entry);
		gather_expr(&g, (*pr)->cond, true);
		gather_stmt(&g, (*pr)->body);
	}
	vec_each(it, &c->bodies)
		if ((*it)->probe)
			mark_contexts(c, *it);
	vec_each(it, &c->bodies) {
		if (!(*it)->measured)
			measure(c, *it);
		if ((*it)->probe)
			complete_probe(p, *it);
	}
}
