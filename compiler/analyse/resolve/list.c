/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lists the available probe points. A pattern is compared with the names of aliases and with the
 * forms of the providers. Matches are resolved like the probes of a script, so only probe points of
 * this kernel are listed. A form with an argument that the pattern does not give is listed as a
 * form.
 */
#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#include "ast/points.h"
#include "ast/print.h"
#include "ast/walk.h"
#include "analyse/resolve/functions.h"
#include "analyse/resolve/globals.h"
#include "analyse/resolve/probes.h"
#include "analyse/resolve/resolve.h"
#include "analyse/resolve/sites.h"
#include "analyse/resolve/tapset.h"
#include "analyse/resolve/values.h"
#include "shared/buf.h"

struct lister {
	struct resolver r;
	struct listed_points *ret;
	/* names of aliases; if values are not listed, also the points of providers */
	struct map seen;
};

static void add(struct lister *l, struct listed one)
{
	vec_push(l->r.s->arena, &l->ret->v, one);
}

/* ---- aliases ---- */

static bool is_public(const struct probe_decl *alias, const struct probe_point *name)
{
	return !(alias->is_private && alias->src->in_tapset) && name->parts.v[0].name[0] != '_';
}

/* Expands an alias as `probe NAME { }` does, and removes the probes again if that fails. */
static void try_point(struct lister *l, struct probe_point *pp)
{
	struct resolver *r = &l->r;
	struct derive d = { .written = pp, .optional = true };
	struct listed one = { .point = probes_text(r, pp), .first = r->p->probes.n };
	size_t sites = r->p->sites.n;
	int n;

	if (map_get(&l->seen, one.point))
		return;
	map_set(&l->seen, one.point, l);
	vec_push(r->s->arena, &d.body, ast_stmt(r->s->arena, ST_BLOCK, pp->range));
	diag_hold(r->s->diag);
	n = probes_point(r, &d, pp);
	if (diag_release(r->s->diag) || n <= 0) {
		r->p->probes.n = one.first;
		r->p->sites.n = sites;
		return;
	}
	one.n = r->p->probes.n - one.first;
	add(l, one);
}

static void list_aliases(struct lister *l, const struct probe_point *pattern)
{
	bool hidden = pattern->parts.v[0].name[0] == '_';

	alias_need(&l->r, pattern);
	for (size_t i = 0; i < l->r.scripts.n; i++) {
		struct script *sc = l->r.scripts.v[i];

		vec_each(alias, &sc->aliases)
			vec_each(name, &(*alias)->names)
				if ((hidden || is_public(*alias, *name)) &&
				    points_match(pattern, *name, alias_same_arg))
					try_point(l, *name);
	}
}

/* ---- forms of providers ---- */

static bool is_string(const struct pp_component *part)
{
	return part->arg && part->arg->kind == EX_STR;
}

/* An argument may be omitted only after a name that is a pattern. */
static bool same_kind(const struct pp_component *want, const struct pp_component *have)
{
	if (!want->has_arg)
		return !have->has_arg || points_is_any(want);
	return have->has_arg && is_string(want) == is_string(have);
}

/* The component of @pattern, from @from on, with the argument of @part, or NULL. */
static const struct pp_component *giver(const struct probe_point *pattern, size_t from,
					const struct pp_component *part)
{
	for (size_t i = from; i < pattern->parts.n; i++) {
		const struct pp_component *want = &pattern->parts.v[i];

		if (want->has_arg && is_string(want) == is_string(part) &&
		    !fnmatch(want->name, part->name, 0))
			return want;
	}
	return NULL;
}

/* Fills the form with the arguments of the pattern, in their order. Returns false if some are
 * missing. */
static bool fill(struct arena *a, const struct probe_point *form, const struct probe_point *pattern,
		 struct probe_point **ret)
{
	size_t next = 0;
	bool complete = true;

	*ret = points_new(a, pattern->range);
	vec_each(part, &form->parts) {
		const struct pp_component *from = part->has_arg ? giver(pattern, next, part) : NULL;
		struct pp_component *c = points_add(a, *ret, from ? from->range : pattern->range,
						    part->name, from ? from->arg : NULL);

		c->has_arg = part->has_arg;
		next = from ? (size_t)(from - pattern->parts.v) + 1 : next;
		complete &= from || !part->has_arg;
	}
	return complete;
}

/* "timer.s(5).randomize(number)": missing arguments are replaced by their type. */
static const char *form_text(struct arena *a, const struct probe_point *form,
			     const struct probe_point *filled)
{
	struct buf b;
	const char *text;

	buf_init(&b);
	for (size_t i = 0; i < form->parts.n; i++) {
		const struct pp_component *part = &form->parts.v[i];

		buf_printf(&b, "%s%s", i ? "." : "", part->name);
		if (!part->has_arg)
			continue;
		buf_putc(&b, '(');
		if (filled->parts.v[i].arg)
			print_expr(&b, filled->parts.v[i].arg);
		else
			buf_puts(&b, is_string(part) ? "string" : "number");
		buf_putc(&b, ')');
	}
	text = arena_strdup(a, b.s);
	buf_deinit(&b);
	return text;
}

static void list_form(struct lister *l, const struct probe_point *form,
		      const struct probe_point *pattern)
{
	struct arena *a = l->r.s->arena;
	struct located_list list = { 0 };
	struct probe_point *pp;

	if (!fill(a, form, pattern, &pp)) {
		add(l, (struct listed){ .point = form_text(a, form, pp), .kind = PK_NO_PROBE });
		return;
	}
	if (locate_probe_point(l->r.s, pp, true, &list) < 0)
		return;
	copies_lacking(&l->r, pp->range, &list);
	copies_of_other_names(&l->r, pattern->range, &list);
	indirect_located(&l->r, pattern->range, &list);
	vec_each(it, &list.v) {
		if (!(*it)->sites.n)
			add(l, (struct listed){ .point = (*it)->pp, .kind = (*it)->kind });
		vec_each(site, &(*it)->sites) {
			l->ret->copies += (*it)->copies && locate_is_copy(*site);
			/* Copies at thousands of places have one name, but each has its own
			 * values. */
			if (!l->r.keep_all && map_get(&l->seen, (*site)->pp))
				continue;
			if (!l->r.keep_all)
				map_set(&l->seen, (*site)->pp, l);
			add(l, (struct listed){ (*site)->pp, (*it)->kind, *site, 0, 0 });
		}
	}
}

/* ---- interface ---- */

/* @known: a provider has the form. */
static void report_nothing(struct lister *l, struct probe_point *pp, bool known)
{
	struct located_list none = { 0 };
	struct diag *d = l->r.s->diag;

	if (!points_is_pattern(pp) && l->r.missed) {
		probes_report_missed(&l->r, pp);
		return;
	}
	if (!points_is_pattern(pp) ||
	    (!known && locate_is_builtin(pp) &&
	     locate_probe_point(l->r.s, pp, true, &none) == -ENOTSUP)) {
		probes_report(&l->r, pp, -EINVAL);
		return;
	}

	bool functions = probes_is_function(&l->r, pp), traced = probes_is_tracepoint(&l->r, pp);

	diag_error(d, pp->range, E_NO_MATCH, "no probe point matches '%s'", probes_text(&l->r, pp));
	if (functions)
		diag_hint(d, "kernel functions are listed by probec -l "
			     "'kernel.function(\"%s\")'", pp->parts.v[0].name);
	if (traced)
		diag_hint(d, "tracepoints are listed by probec -l 'kernel.trace(\"%s\")'",
			  pp->parts.v[0].name);
	if (!functions && !traced)
		diag_hint(d, "probec -l '*' and probec -l '**' list all forms and aliases");
}

static void list_point(struct lister *l, const struct form_list *forms, struct probe_point *pp)
{
	size_t before = l->ret->v.n;
	bool known = false;

	l->r.missed = NULL;
	list_aliases(l, pp);
	vec_each(form, &forms->v) {
		if (!points_match(pp, *form, same_kind))
			continue;
		known = true;
		list_form(l, *form, pp);
	}
	/* The components after the name of an alias are appended to its points. */
	if (l->ret->v.n == before && !points_is_pattern(pp))
		try_point(l, pp);
	if (l->ret->v.n == before)
		report_nothing(l, pp, known);
}

/* Resolves the bodies of functions, and types of pointers. Errors in these do not matter for lists.
 * Returns 0, or -1 if errors were reported before. */
static int finish(struct resolver *r)
{
	diag_hold(r->s->diag);
	functions_drain(r);
	autocast_resolve(r);
	unused_reach(r);
	unused_finish(r);
	r->p->is_partial = diag_release(r->s->diag) > 0;
	return diag_errors(r->s->diag) ? -1 : 0;
}

int resolve_list(struct state *s, const struct probe_decl *what, bool locals,
		 struct listed_points *ret)
{
	struct lister l = { .ret = ret };
	struct form_list forms = { 0 };

	resolve_begin(&l.r, s);
	l.r.keep_all = locals;
	map_init(&l.seen, s->arena);
	locate_forms(s, &forms);
	vec_each(pp, &what->points)
		list_point(&l, &forms, *pp);
	l.r.keep_all = false;
	return finish(&l.r);
}

int resolve_library(struct state *s)
{
	struct resolver r;

	resolve_begin(&r, s);
	r.keep_all = true;
	tapset_need_all(&r);
	vec_each(sc, &r.scripts)
		vec_each(f, &(*sc)->functions)
			vec_push(s->arena, &r.queue, *f);
	return finish(&r);
}

int resolve_aliases(struct state *s, struct alias_list *ret)
{
	struct resolver r;

	resolve_begin(&r, s);
	tapset_need_all(&r);
	vec_each(sc, &r.scripts)
		vec_each(alias, &(*sc)->aliases)
			if (is_public(*alias, (*alias)->names.v[0]))
				vec_push(s->arena, &ret->v, *alias);
	return diag_errors(s->diag) ? -1 : 0;
}
