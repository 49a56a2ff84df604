/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Collects facts about each body: the globals that it uses and how, the functions that it calls,
 * the depth of its foreach loops, the number of its steps, the most bytes of the keys of new
 * elements. Only the last depends on types. Storage and the rules are decided by these facts.
 * ast/uses.h says what a use is.
 */
#include <limits.h>
#include <stdlib.h>

#include "ast/uses.h"
#include "ast/walk.h"
#include "analyse/check/facts.h"

/* Most iterators of a recursive function that calls itself in a foreach. */
#define ITERS_MAX 64

struct gather {
	struct check *c;
	struct body *b;
	unsigned depth; /* number of foreach loops around the current node */
};

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

static void add_use(struct gather *g, struct symbol *sym, enum global_use_kind kind,
		    struct range range, bool is_stat)
{
	struct global_use u = { .sym = sym, .kind = kind, .range = range, .is_stat = is_stat };

	vec_push(g->c->s->arena, &g->b->uses, u);
	if (kind == GLOBAL_READ)
		sym->reads++;
	else
		sym->writes++;
}

/* The most bytes that a string can have: that of a literal, or what a function of the library says
 * of its own in a comment, "at most: N". */
static unsigned string_bytes(const struct state *s, const struct expr *e)
{
	unsigned most = 0;

	if (e && e->kind == EX_STR)
		return (unsigned)e->u.str.len;
	if (!e || e->kind != EX_CALL)
		return (unsigned)s->opt.caps.maxstringlen;
	vec_each(it, &e->u.call.targets) {
		const struct function *f = *it;
		const char *word = f->src && f->src->in_tapset > 1 ?
				   ast_note(s->arena, f, "at most: ") : NULL;
		unsigned bytes = word ? (unsigned)strtoul(word, NULL, 10) :
					(unsigned)s->opt.caps.maxstringlen;

		most = bytes > most ? bytes : most;
	}
	return most;
}

/* Keeps the most bytes of the keys of new elements. @e: the element; NULL: any of the array. */
static void record_keys(const struct state *s, struct symbol *sym, const struct expr *e)
{
	unsigned sum = 0;

	for (int i = 0; i < sym->nkeys; i++)
		sum += sym->key_type[i] != T_STRING ? 8 :
		       (sym->nkeys > 1 ? 2 : 0) +
		       string_bytes(s, e ? e->u.index.keys.v[i] : NULL);
	if (sum > sym->key_bytes)
		sym->key_bytes = sum;
}

static void gather_use(const struct use *u, void *data)
{
	struct gather *g = data;
	struct symbol *sym = u->name->u.name.sym;

	if (!sym || sym->kind != SYM_GLOBAL)
		return;
	if (u->flags & USE_EITHER)
		add_use(g, sym, GLOBAL_DELETE, u->range, false);
	else if (u->flags & USE_ADD)
		add_use(g, sym, GLOBAL_ADD, u->range, u->flags & USE_STATS);
	else if (u->flags & USE_WRITE)
		add_use(g, sym, GLOBAL_WRITE, u->range, false);
	if (u->flags & (USE_ADD | USE_WRITE))
		record_keys(g->c->s, sym, u->element);
	if (u->flags & (USE_READ | USE_OLD))
		add_use(g, sym, GLOBAL_READ, u->range, false);
}

static void gather_call(struct expr **e, void *data)
{
	struct gather *g = data;

	if ((*e)->kind != EX_CALL)
		return;
	g->b->own_steps++;
	vec_each(f, &(*e)->u.call.targets) {
		struct body_call call = { .fn = *f, .range = (*e)->range, .depth = g->depth };

		vec_push(g->c->s->arena, &g->b->calls, call);
	}
}

static void gather_stmt(struct stmt *s, void *data)
{
	struct gather *g = data;

	if (s->kind != ST_BLOCK && s->kind != ST_EMPTY)
		g->b->own_steps++;
	g->b->has_loop |= s->kind == ST_WHILE || s->kind == ST_FOR || s->kind == ST_FOREACH;
}

static void gather_foreach(bool enter, void *data)
{
	struct gather *g = data;

	g->depth = enter ? g->depth + 1 : g->depth - 1;
	if (g->depth > g->b->own_iters)
		g->b->own_iters = g->depth;
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
			add_use(g, it->sym, GLOBAL_READ, f->embedded_range, false);
		if (it->written) {
			add_use(g, it->sym, GLOBAL_WRITE, f->embedded_range, false);
			record_keys(g->c->s, it->sym, NULL);
		}
	}
}

static void gather(struct check *c, struct body *b)
{
	struct gather g = { .c = c, .b = b };
	struct use_visitor v = { .use = gather_use, .expr = gather_call, .stmt = gather_stmt,
				 .foreach_body = gather_foreach, .data = &g };

	if (b->fn) {
		uses_stmt(&b->fn->body, &v);
		gather_embedded(&g, b->fn);
		return;
	}
	uses_stmt(&b->probe->entry, &v);
	uses_expr(&b->probe->cond, &v);
	uses_stmt(&b->probe->body, &v);
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

void facts_begin(struct program *p)
{
	int n = 0;

	vec_each(it, &p->globals) {
		(*it)->index = n++;
		(*it)->reads = (*it)->writes = 0;
	}
	n = 0;
	vec_each(it, &p->probes)
		(*it)->index = n++;
}

void facts_collect(struct check *c)
{
	struct program *p = c->p;
	struct arena *a = c->s->arena;

	map_init(&c->by_fn, a);
	vec_each(f, &p->functions) {
		struct body *b = NEW(a, struct body);

		b->fn = *f;
		map_set(&c->by_fn, (*f)->cname, b);
		vec_push(a, &c->bodies, b);
		gather(c, b);
	}
	vec_each(pr, &p->probes) {
		struct body *b = NEW(a, struct body);

		b->probe = *pr;
		vec_push(a, &c->bodies, b);
		gather(c, b);
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
