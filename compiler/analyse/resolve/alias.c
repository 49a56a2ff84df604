/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probe aliases. `probe a = b {P}` and `probe a += b {E}` put their block before or after the
 * handler of each probe of `a`; with two blocks, both. A nested alias puts its prologue before the
 * outer one's and its epilogue after it, so the alias nearest to the kernel is the outermost.
 * Components after the name of an alias (`vfs.read.return`) are appended to each of its points.
 */
#include <fnmatch.h>
#include <string.h>

#include "ast/points.h"
#include "ast/walk.h"
#include "analyse/resolve/probes.h"
#include "analyse/resolve/tapset.h"

enum {
	MAX_DEPTH = 100,         /* aliases of aliases */
	MAX_EXPANSIONS = 100000, /* aliases of two points each multiply quickly */
};

bool alias_same_arg(const struct pp_component *a, const struct pp_component *b)
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
	       memcmp(a->arg->u.str.s, b->arg->u.str.s, a->arg->u.str.len) == 0;
}

static size_t match_components(struct resolver *r, const struct probe_point *pp, size_t i,
			       const struct probe_point *name, size_t k);

/* As match_components(), if component @i of @pp stands for one or more components of @name from @k
 * on. */
static size_t match_across(struct resolver *r, const struct probe_point *pp, size_t i,
			   const struct probe_point *name, size_t k)
{
	const char *text = "";
	size_t most = 0;

	for (; k < name->parts.n && !name->parts.v[k].has_arg; k++) {
		size_t n;

		text = arena_printf(r->s->arena, "%s%s%s", text, *text ? "." : "",
				    name->parts.v[k].name);
		if (fnmatch(pp->parts.v[i].name, text, 0))
			continue;
		n = match_components(r, pp, i + 1, name, k + 1);
		if (n > most)
			most = n;
	}
	return most;
}

/* The number of components of @pp that stand for @name, if those from @i on stand for its
 * components from @k on; 0 if they do not. */
static size_t match_components(struct resolver *r, const struct probe_point *pp, size_t i,
			       const struct probe_point *name, size_t k)
{
	const struct pp_component *want = &pp->parts.v[i];

	if (k == name->parts.n)
		return i;
	if (i == pp->parts.n)
		return 0;
	if (!want->has_arg && points_crosses(want))
		return match_across(r, pp, i, name, k);
	if (fnmatch(want->name, name->parts.v[k].name, 0) ||
	    !alias_same_arg(want, &name->parts.v[k]))
		return 0;
	return match_components(r, pp, i + 1, name, k + 1);
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

/* ---- expansion ---- */

static void add_block(struct resolver *r, struct derive *d, struct stmt *block)
{
	if (block)
		vec_push(r->s->arena, &d->body, mark_copy(r->s->arena, block, d->via));
}

/* The handler with the blocks of this alias around it. */
static void wrap(struct resolver *r, const struct derive *d, const struct probe_point *pp,
		 const struct probe_decl *alias, struct derive *ret)
{
	struct expansion *via = NEW(r->s->arena, struct expansion);

	*via = (struct expansion){ .what = "alias", .name = name_text(r, pp), .is_copy = true,
				   .src = pp->range.src, .start = pp->range.start,
				   .end = pp->range.end, .outer = pp->range.via };
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
	ret->outer = d;
	ret->alias = alias;
}

/* The point @pp of an alias, with components of @use from @from on appended. */
static struct probe_point *with_suffix(struct resolver *r, const struct derive *d,
				       const struct probe_point *pp,
				       const struct probe_point *use, size_t from)
{
	struct probe_point *ret = mark_point(r->s->arena, pp, d->via);

	for (; from < use->parts.n; from++)
		vec_push(r->s->arena, &ret->parts, use->parts.v[from]);
	return ret;
}

struct found_alias {
	const struct probe_decl *alias;
	const struct probe_point *name; /* of the alias */
	/* number of components of the probe point that it replaces */
	size_t used;
};

/* Expands one alias; the components after its name in @pp are appended to its points. */
static int expand_one(struct resolver *r, const struct derive *d, const struct probe_point *pp,
		      const struct found_alias *f)
{
	const struct probe_decl *alias = f->alias;

	struct derive inner;
	int total = 0;

	wrap(r, d, pp, alias, &inner);
	if (!inner.called)
		inner.called = probes_text(r, with_suffix(r, &inner, f->name, pp, f->used));
	vec_each(it, &alias->points) {
		int n = probes_point(r, &inner, with_suffix(r, &inner, *it, pp, f->used));

		if (n < 0)
			return -1;
		total += n;
		if ((*it)->sufficient && n > 0)
			break;
	}
	return total;
}

typedef VEC(struct found_alias) found_list;

struct matches {
	found_list whole, prefix;
};

static void find_matches(struct resolver *r, struct probe_point *pp, bool tapsets,
			 struct matches *ret)
{
	const struct source *from = resolve_file(pp->range);

	vec_each(sc, &r->scripts) {
		if (!(*sc)->src->in_tapset == tapsets)
			continue;
		vec_each(it, &(*sc)->aliases) {
			const struct probe_decl *alias = *it;
			struct found_alias f = { alias, NULL, 0 };

			if (!visible(alias, from))
				continue;
			vec_each(name, &alias->names) {
				size_t used = match_components(r, pp, 0, *name, 0);

				if (used > f.used)
					f = (struct found_alias){ alias, *name, used };
			}
			if (f.used == pp->parts.n)
				vec_push(r->s->arena, &ret->whole, f);
			else if (f.used)
				vec_push(r->s->arena, &ret->prefix, f);
		}
	}
}

const char *alias_first(struct resolver *r, const struct pp_component *part)
{
	const char *across = strstr(part->name, "**");

	return across ? arena_strndup(r->s->arena, part->name, (size_t)(across + 1 - part->name)) :
			part->name;
}

void alias_need(struct resolver *r, const struct probe_point *pp)
{
	const struct pp_component *first = &pp->parts.v[0];
	bool two = pp->parts.n > 1 && !points_crosses(first);

	tapset_need_alias(r, alias_first(r, first), two ? alias_first(r, first + 1) : NULL);
}

/* If several names match and components remain, the longest names are used. */
static void longest(struct resolver *r, struct matches *m)
{
	size_t most = 0;

	vec_each(it, &m->prefix)
		if (it->used > most)
			most = it->used;
	vec_each(it, &m->prefix)
		if (it->used == most)
			vec_push(r->s->arena, &m->whole, *it);
}

static bool is_inside(const struct derive *d, const struct probe_decl *alias)
{
	for (; d; d = d->outer)
		if (d->alias == alias)
			return true;
	return false;
}

int alias_expand(struct resolver *r, const struct derive *d, struct probe_point *pp, bool *found)
{
	struct matches m = { 0 };
	int total = 0;

	if (!pp->parts.n)
		return 0;
	find_matches(r, pp, false, &m);
	if (!m.whole.n) {
		alias_need(r, pp);
		find_matches(r, pp, true, &m);
	}
	/* Components after the name are allowed only if nothing has the whole name. */
	if (!m.whole.n && !locate_is_form(pp))
		longest(r, &m);
	*found = m.whole.n > 0;
	if (!*found)
		return 0;
	vec_each(it, &m.whole) {
		int n;

		if (is_inside(d, it->alias)) {
			if (points_is_pattern(pp))
				continue;
			diag_error(r->s->diag, pp->range, E_PROBE_POINT,
				   "alias '%s' refers to itself", name_text(r, pp));
			return -1;
		}
		if (d->depth >= MAX_DEPTH) {
			diag_error(r->s->diag, pp->range, E_LIMIT,
				   "aliases are nested more than %d levels deep", MAX_DEPTH);
			return -1;
		}
		if (++r->expansions > MAX_EXPANSIONS) {
			diag_error(r->s->diag, pp->range, E_LIMIT,
				   "aliases expand to more than %d probe points", MAX_EXPANSIONS);
			return -1;
		}
		n = expand_one(r, d, pp, it);

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
