/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that use $variables, or call such functions. What they mean depends on the probe, so
 * each probe gets its own copy of them; the original is never resolved.
 */
#include <string.h>

#include "ast/walk.h"
#include "analyse/resolve/functions.h"
#include "analyse/resolve/probes.h"

/* ---- choosing them ---- */

struct placed_look {
	struct resolver *r;
	bool found;
	VEC(struct function *) seen;
};

static bool visit(struct expr **pe, void *data);

/* Functions of the library use none. */
static void look_into(struct placed_look *l, struct function *f)
{
	struct visitor v = { .expr = visit, .data = l };

	l->found |= f->placed == PLACED;
	if (f->placed != PLACED_UNKNOWN || !f->body || f->src->in_tapset > 1)
		return;
	vec_each(it, &l->seen)
		if (*it == f)
			return;
	vec_push(l->r->s->arena, &l->seen, f);
	walk_stmt(&f->body, &v);
}

/* Calls are not resolved yet, so all functions of the name count. */
static bool visit(struct expr **pe, void *data)
{
	struct placed_look *l = data;
	const struct expr *e = *pe;
	const struct fn_set *set;

	l->found |= e->kind == EX_CONTEXT && !e->u.context.base;
	if (e->kind != EX_CALL || l->found)
		return !l->found;
	set = map_get(&l->r->functions, e->u.call.name);
	if (!set)
		set = functions_named(l->r, e->u.call.name);
	for (size_t i = 0; set && i < set->v.n; i++)
		look_into(l, set->v.v[i]);
	return !l->found;
}

bool placed_is(struct resolver *r, struct function *f)
{
	struct placed_look l = { .r = r };

	look_into(&l, f);
	if (l.found)
		f->placed = PLACED;
	else
		vec_each(it, &l.seen)
			(*it)->placed = PLACED_NOT;
	return l.found;
}

const struct fn_set *placed_by_name(struct resolver *r, const char *name)
{
	const struct fn_set *set = map_get(&r->functions, name);

	for (size_t i = 0; set && i < set->v.n; i++)
		if (placed_is(r, set->v.v[i]))
			return set;
	return NULL;
}

/* ---- copies ---- */

static struct function *copy_of(struct resolver *r, struct function *f, struct probe *p,
				const struct expr *call)
{
	struct arena *a = r->s->arena;
	struct function *copy;
	struct expansion *via;

	vec_each(it, &r->placed)
		if (it->of == f && it->probe == p)
			return it->copy;
	copy = NEW(a, struct function);
	*copy = *f;
	memset(&copy->params, 0, sizeof(copy->params));
	memset(&copy->locals, 0, sizeof(copy->locals));
	vec_each(it, &f->params) {
		struct symbol *param = NEW(a, struct symbol);

		*param = **it;
		vec_push(a, &copy->params, param);
	}
	via = NEW(a, struct expansion);
	*via = (struct expansion){ .what = "function", .name = f->name, .is_copy = true,
				   .src = call->range.src, .start = call->range.start,
				   .end = call->range.end, .outer = call->range.via };
	copy->body = mark_copy(a, f->body, via);
	copy->cname = resolve_cname(r, &r->cnames, f->name);
	copy->placed = PLACED_NOT;
	f->used = true;
	vec_push(a, &r->placed, ((struct placed_function){ f, copy, p }));
	return copy;
}

struct function *placed_at(struct resolver *r, struct function *f, const struct expr *call)
{
	if (!placed_is(r, f))
		return f;
	if (r->at)
		return copy_of(r, f, r->at, call);
	diag_error(r->s->diag, call->range, E_NOT_SUPPORTED,
		   "'%s' uses $variables, which a condition or @entry can't pass on to a function",
		   f->name);
	diag_hint(r->s->diag, "name the $variable here, and pass it as an argument");
	return NULL;
}

struct probe *placed_probe(struct resolver *r, const struct function *copy)
{
	vec_each(it, &r->placed)
		if (it->copy == copy)
			return it->probe;
	return NULL;
}
