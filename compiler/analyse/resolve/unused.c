/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the code that can run. Functions are found from the probes by a depth-first search for
 * strongly connected components (Tarjan). A component is finished after everything that it calls,
 * which gives the order "callees first"; a component of several functions, or one that calls
 * itself, is recursive. Purity is computed in the same order.
 */
#include <string.h>

#include "ast/uses.h"
#include "ast/walk.h"
#include "analyse/resolve/functions.h"
#include "analyse/resolve/globals.h"

struct node {
	struct function *f;
	unsigned index, low;
	bool on_stack, self_call, impure;
	VEC(struct function *) calls;
};

struct component_search {
	struct resolver *r;
	struct map nodes; /* C name -> struct node */
	VEC(struct node *) stack;
	unsigned next;
	struct node *current; /* whose body is being read */
};

/* ---- one body ---- */

static void note_use(const struct use *u, void *data)
{
	struct component_search *se = data;
	struct symbol *sym = u->name->u.name.sym;
	struct global_info *gi;

	if (!sym || sym->kind != SYM_GLOBAL)
		return;
	gi = map_get(&se->r->globals, sym->cname);
	gi->read |= (u->flags & USE_READ) != 0;
	gi->written |= (u->flags & USE_WRITE) != 0;
	gi->stats |= (u->flags & USE_STATS) != 0;
	if (se->current && (u->flags & USE_WRITE))
		se->current->impure = true;
}

/* Records the aggregate of a <<<. */
static void note_added(struct component_search *se, const struct expr *e)
{
	const struct symbol *sym = ast_base_symbol(e->u.assign.left);

	if (sym && sym->kind == SYM_GLOBAL && e->u.assign.right->kind != EX_NUM)
		((struct global_info *)map_get(&se->r->globals, sym->cname))->varied = true;
}

static void note_expr(struct expr **pe, void *data)
{
	struct component_search *se = data;
	struct expr *e = *pe;

	if (e->kind == EX_ASSIGN && e->u.assign.op == OP_STAT)
		note_added(se, e);
	if (!se->current)
		return;
	if (e->kind == EX_CALL)
		vec_each(it, &e->u.call.targets)
			vec_push(se->r->s->arena, &se->current->calls, *it);
	if (e->kind == EX_PRINT && !PRINT_IS_SPRINT(e->u.print.kind))
		se->current->impure = true;
	/* A value of the kernel is assigned. */
	if ((e->kind == EX_ASSIGN && e->u.assign.left->kind == EX_CONTEXT) ||
	    (e->kind == EX_INCDEC && e->u.incdec.a->kind == EX_CONTEXT))
		se->current->impure = true;
}

/* ---- functions ---- */

static void finish(struct component_search *se, struct node *root)
{
	struct resolver *r = se->r;
	size_t first = se->stack.n;
	bool pure = true;

	do
		first--;
	while (se->stack.v[first] != root);
	for (size_t i = first; i < se->stack.n; i++) {
		struct node *n = se->stack.v[i];

		n->on_stack = false;
		n->f->recursive = se->stack.n - first > 1 || n->self_call;
		pure &= n->f->body ? !n->impure : ast_mentions(n->f, "/* pure */");
		vec_each(c, &n->calls) {
			struct node *callee = map_get(&se->nodes, (*c)->cname);

			if (!callee->on_stack && callee->f->used)
				pure &= callee->f->pure;
		}
	}
	for (size_t i = first; i < se->stack.n; i++) {
		struct function *f = se->stack.v[i]->f;

		f->pure = pure;
		f->used = true;
		vec_push(r->s->arena, &r->p->functions, f);
	}
	se->stack.n = first;
}

static struct node *visit(struct component_search *se, struct function *f)
{
	struct use_visitor v = { .use = note_use, .expr = note_expr, .data = se };
	struct node *n = map_get(&se->nodes, f->cname);

	if (n)
		return n;
	n = NEW(se->r->s->arena, struct node);
	n->f = f;
	n->index = n->low = ++se->next;
	n->on_stack = true;
	map_set(&se->nodes, f->cname, n);
	vec_push(se->r->s->arena, &se->stack, n);
	se->current = n;
	uses_stmt(&f->body, &v);
	vec_each(g, &f->globals) {
		struct global_info *gi = map_get(&se->r->globals, g->sym->cname);

		gi->read |= g->read;
		gi->written |= g->written;
	}
	for (size_t i = 0; i < n->calls.n; i++) {
		struct node *callee = visit(se, n->calls.v[i]);

		if (callee == n)
			n->self_call = true;
		if (callee->on_stack && callee->low < n->low)
			n->low = callee->low;
	}
	if (n->low == n->index)
		finish(se, n);
	return n;
}

static void visit_probe(struct component_search *se, struct probe *p)
{
	struct use_visitor v = { .use = note_use, .expr = note_expr, .data = se };
	struct node body = { 0 };

	se->current = &body;
	uses_stmt(&p->entry, &v);
	uses_stmt(&p->body, &v);
	uses_expr(&p->cond, &v);
	for (size_t i = 0; i < body.calls.n; i++)
		visit(se, body.calls.v[i]);
}

void unused_reach(struct resolver *r)
{
	struct component_search se = { .r = r };

	map_init(&se.nodes, r->s->arena);
	vec_each(p, &r->p->probes)
		visit_probe(&se, *p);
	if (!r->s->opt.unoptimized && !r->keep_all)
		return;
	vec_each(sc, &r->scripts)
		vec_each(f, &(*sc)->functions)
			if ((r->keep_all || !(*sc)->src->in_tapset) && !placed_is(r, *f))
				visit(&se, *f);
}

/* ---- warnings, and the rest ---- */

/* The warning about a global that is never assigned waits until types are inferred. */
static void warn_global(struct resolver *r, struct global_info *gi)
{
	struct symbol *g = gi->sym;

	if (gi->script->src->in_tapset || gi->script == r->arguments)
		return;
	if (!gi->read && !gi->written)
		diag_warn(r->s->diag, g->range, E_UNUSED, "global '%s' is never used", g->name);
	else
		g->unassigned = !gi->written && !g->init && !g->g_value;
}

void unused_finish(struct resolver *r)
{
	bool warn = !diag_errors(r->s->diag);

	vec_each(sc, &r->scripts) {
		vec_each(it, &(*sc)->globals) {
			struct global_info *gi = map_get(&r->globals, (*it)->cname);

			if (warn)
				warn_global(r, gi);
			if (!gi->read && !gi->written)
				continue;
			gi->sym->index = (int)r->p->globals.n;
			vec_push(r->s->arena, &r->p->globals, gi->sym);
		}
		vec_each(f, &(*sc)->functions)
			if (warn && !(*f)->used && !(*sc)->src->in_tapset)
				diag_warn(r->s->diag, (*f)->name_range, E_UNUSED,
					  "function '%s' is never called", (*f)->name);
	}
}
