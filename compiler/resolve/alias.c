/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probe aliases. `probe a = b {P}` and `probe a += b {E}` put their block before or behind the
 * handler of whoever probes `a`; with two blocks both. Expanding a nested alias puts its prologue
 * before the outer one's and its epilogue behind it, so that the point nearest to the kernel is
 * the outermost.
 */
#include <fnmatch.h>
#include <string.h>

#include "ast/walk.h"
#include "resolve/resolve.h"

enum {
	MAX_DEPTH = 32,          /* aliases of aliases; more is a cycle */
	MAX_EXPANSIONS = 100000, /* in a session: aliases of two points each multiply fast */
};

enum match { MATCH_NONE, MATCH_WHOLE, MATCH_PREFIX };

static bool same_arg(const struct pp_component *a, const struct pp_component *b)
{
	if (a->has_arg != b->has_arg || !a->arg != !b->arg)
		return false;
	if (!a->arg)
		return true;
	if (a->arg->kind != b->arg->kind)
		return false;
	if (a->arg->kind == EX_NUM)
		return a->arg->u.num.v == b->arg->u.num.v;
	return a->arg->u.str.len == b->arg->u.str.len &&
	       !memcmp(a->arg->u.str.s, b->arg->u.str.s, a->arg->u.str.len);
}

static enum match match(const struct probe_point *pp, const struct probe_point *name)
{
	if (pp->parts.n < name->parts.n)
		return MATCH_NONE;
	for (size_t i = 0; i < name->parts.n; i++) {
		const struct pp_component *want = &pp->parts.v[i], *have = &name->parts.v[i];

		if (fnmatch(want->name, have->name, 0) || !same_arg(want, have))
			return MATCH_NONE;
	}
	return pp->parts.n == name->parts.n ? MATCH_WHOLE : MATCH_PREFIX;
}

static const char *name_text(struct resolver *r, const struct probe_point *pp)
{
	const char *text = pp->parts.n ? pp->parts.v[0].name : "";

	for (size_t i = 1; i < pp->parts.n; i++)
		text = arena_printf(r->s->arena, "%s.%s", text, pp->parts.v[i].name);
	return text;
}

static bool visible(const struct probe_decl *alias, const struct source *from)
{
	if (alias->src == from)
		return true;
	return !alias->is_private && (alias->src->in_tapset || !from->in_tapset);
}

/* ---- where a copied block was used, for messages ---- */

struct mark {
	struct arena *a;
	const struct expansion *via;
};

/* @x inside of the alias: what stood in a macro of the alias's file keeps that step. */
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
	return true;
}

static bool mark_stmt(struct stmt **ps, void *data)
{
	mark_range(data, &(*ps)->range);
	return true;
}

/* ---- expansion ---- */

static void add_block(struct resolver *r, struct derive *d, struct stmt *block)
{
	struct mark m = { r->s->arena, d->via };
	struct visitor v = { .expr = mark_expr, .stmt = mark_stmt, .data = &m };

	if (!block)
		return;
	block = ast_clone_stmt(r->s->arena, block);
	walk_stmt(&block, &v);
	vec_push(r->s->arena, &d->body, block);
}

/* The handler with this alias's blocks around it. */
static void wrap(struct resolver *r, const struct derive *d, const struct probe_point *pp,
		 const struct probe_decl *alias, struct derive *ret)
{
	struct expansion *via = NEW(r->s->arena, struct expansion);

	*via = (struct expansion){ .what = "alias", .name = name_text(r, pp), .src = pp->range.src,
				   .start = pp->range.start, .end = pp->range.end,
				   .outer = d->via };
	*ret = *d;
	memset(&ret->body, 0, sizeof(ret->body));
	ret->via = via;
	if (!alias->epilogue_form)
		add_block(r, ret, alias->body);
	vec_each(it, &d->body)
		vec_push(r->s->arena, &ret->body, *it);
	if (alias->epilogue_form)
		add_block(r, ret, alias->body);
	add_block(r, ret, alias->epilogue);
	ret->depth = d->depth + 1;
}

static int expand_one(struct resolver *r, const struct derive *d, const struct probe_point *pp,
		      const struct probe_decl *alias)
{
	struct derive inner;
	int total = 0;

	wrap(r, d, pp, alias, &inner);
	vec_each(it, &alias->points) {
		int n = probes_point(r, &inner, *it);

		if (n < 0)
			return -1;
		total += n;
		if ((*it)->sufficient && n > 0)
			break;
	}
	return total;
}

static int refuse_suffix(struct resolver *r, struct probe_point *pp, const struct probe_point *name,
			 bool optional)
{
	if (optional)
		return 0;
	diag_error(r->s->diag, pp->range, E_NOT_SUPPORTED,
		   "a suffix behind an alias is not supported: '%s' is the alias, '%s' follows it",
		   name_text(r, name), pp->parts.v[name->parts.n].name);
	diag_hint(r->s->diag, "probe what the alias stands for, with the suffix");
	return -1;
}

struct matches {
	VEC(const struct probe_decl *) whole;
	const struct probe_point *prefix;
};

static void find(struct resolver *r, struct probe_point *pp, bool tapsets, struct matches *ret)
{
	const struct source *from = resolve_file(pp->range);

	vec_each(sc, &r->scripts) {
		if (!(*sc)->src->in_tapset == tapsets)
			continue;
		vec_each(it, &(*sc)->aliases) {
			const struct probe_decl *alias = *it;
			enum match best = MATCH_NONE;

			if (!visible(alias, from))
				continue;
			vec_each(name, &alias->names) {
				enum match m = match(pp, *name);

				if (m == MATCH_PREFIX && !ret->prefix)
					ret->prefix = *name;
				if (m == MATCH_WHOLE)
					best = m;
			}
			if (best == MATCH_WHOLE)
				vec_push(r->s->arena, &ret->whole, alias);
		}
	}
}

int alias_expand(struct resolver *r, const struct derive *d, struct probe_point *pp, bool *found)
{
	struct matches m = { 0 };
	int total = 0;

	if (!pp->parts.n)
		return 0;
	find(r, pp, false, &m);
	if (!m.whole.n) {
		tapset_need_alias(r, pp->parts.v[0].name);
		find(r, pp, true, &m);
	}
	*found = m.whole.n || (m.prefix && !locate_is_builtin(pp));
	if (!*found)
		return 0;
	if (!m.whole.n)
		return refuse_suffix(r, pp, m.prefix, d->optional);
	if (d->depth >= MAX_DEPTH) {
		diag_error(r->s->diag, pp->range, E_PROBE_POINT, "alias '%s' refers to itself",
			   name_text(r, pp));
		return -1;
	}
	vec_each(it, &m.whole) {
		int n;

		if (++r->expansions > MAX_EXPANSIONS) {
			diag_error(r->s->diag, pp->range, E_LIMIT,
				   "aliases expand to more than %d probe points", MAX_EXPANSIONS);
			return -1;
		}
		n = expand_one(r, d, pp, *it);

		if (n < 0)
			return -1;
		total += n;
	}
	return total;
}

const char *alias_suggest(struct resolver *r, const struct probe_point *pp)
{
	struct suggestions sug = { 0 };
	const char *near;

	vec_each(sc, &r->scripts) {
		vec_each(it, &(*sc)->aliases) {
			if (!visible(*it, resolve_file(pp->range)))
				continue;
			vec_each(name, &(*it)->names)
				vec_push(r->s->arena, &sug.v, name_text(r, *name));
		}
	}
	near = diag_nearest(name_text(r, pp), sug.v.v, sug.v.n);
	if (near || !pp->parts.n)
		return near;
	memset(&sug, 0, sizeof(sug));
	tapset_alias_names(r, &sug);
	return diag_nearest(pp->parts.v[0].name, sug.v.v, sug.v.n);
}
