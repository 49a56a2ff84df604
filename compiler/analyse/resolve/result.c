/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds out how handlers of return probes use the result. A handler that may call returnval(),
 * which reads a register, serves only functions whose results have the same size and sign. If a
 * handler reads $return, functions of a pattern without a readable result are left out.
 */
#include <string.h>

#include "ast/walk.h"
#include "analyse/resolve/functions.h"
#include "analyse/resolve/handler.h"
#include "analyse/resolve/probes.h"
#include "analyse/resolve/sites.h"

struct result_look {
	struct resolver *r;
	struct map seen;        /* names of functions */
	bool found;
};

static bool visit(struct expr **pe, void *data)
{
	struct visitor v = { .expr = visit, .data = data };
	struct result_look *l = data;
	const struct expr *e = *pe;
	const struct fn_set *set;

	if (e->kind != EX_CALL || l->found || map_get(&l->seen, e->u.call.name))
		return !l->found;
	map_set(&l->seen, e->u.call.name, l);
	l->found = strcmp(e->u.call.name, "returnval") == 0;
	if (l->found)
		return false;
	/* Calls are not resolved yet, so all functions of the name count. */
	set = map_get(&l->r->functions, e->u.call.name);
	if (!set)
		set = functions_named(l->r, e->u.call.name);
	for (size_t i = 0; set && i < set->v.n; i++)
		if (set->v.v[i]->body)
			walk_stmt(&set->v.v[i]->body, &v);
	return !l->found;
}

bool result_is_read(struct resolver *r, const struct derive *d)
{
	struct result_look l = { .r = r };
	struct visitor v = { .expr = visit, .data = &l };

	map_init(&l.seen, r->s->arena);
	vec_each(it, &d->body)
		walk_stmt(it, &v);
	return l.found;
}

/* ---- functions without a result ---- */

struct result_reading {
	struct resolver *r;
	const struct site *site;
	const struct expr *found;       /* the first $return that is not available */
	VEC(const char *) seen;         /* functions */
};

static void read_in(struct result_reading *rd, const struct stmt *body);

static bool is_known(struct result_reading *rd, const struct expr *e)
{
	struct expr *copy = ast_clone_expr(rd->r->s->arena, e);

	return locate_context(rd->r->s, rd->site, PK_RETURN, copy, true) == 0;
}

/* A member that a result does not have is an error. */
static bool lacks_result(struct result_reading *rd, const struct expr *e)
{
	struct expr plain = { .kind = EX_CONTEXT, .range = e->range };

	plain.u.context.name = e->u.context.name;
	return !is_known(rd, e) && !is_known(rd, &plain);
}

static bool visit_return(struct expr **pe, void *data)
{
	struct result_reading *rd = data;
	const struct expr *e = *pe;
	const struct fn_set *set;

	if (e->kind == EX_CONTEXT && !e->u.context.base && !rd->found &&
	    strcmp(e->u.context.name, "$return") == 0 && lacks_result(rd, e))
		rd->found = e;
	if (e->kind != EX_CALL || rd->found)
		return !rd->found;
	vec_each(it, &rd->seen)
		if (strcmp(*it, e->u.call.name) == 0)
			return true;
	vec_push(rd->r->s->arena, &rd->seen, e->u.call.name);
	set = placed_by_name(rd->r, e->u.call.name);
	for (size_t i = 0; set && i < set->v.n; i++)
		read_in(rd, set->v.v[i]->body);
	return !rd->found;
}

/* Reads the body as it is at that site, after @defined was folded. */
static void read_in(struct result_reading *rd, const struct stmt *body)
{
	struct visitor v = { .expr = visit_return, .data = rd };
	struct stmt *copy = ast_clone_stmt(rd->r->s->arena, body);

	defined_fold(rd->r, &copy, rd->site, PK_RETURN, NULL);
	walk_stmt(&copy, &v);
}

static const struct expr *missing_return(struct resolver *r, const struct derive *d,
				      const struct site *site)
{
	struct result_reading rd = { .r = r, .site = site };

	vec_each(it, &d->body)
		if (!rd.found)
			read_in(&rd, *it);
	return rd.found;
}

enum { SHOWN = 3 }; /* most functions that a warning names */

static void warn_left_out(struct resolver *r, const struct expr *e, const struct located *loc,
		      const struct site_set *out)
{
	const char *names = "";

	for (size_t i = 0; i < out->v.n && i < SHOWN; i++)
		names = arena_printf(r->s->arena, "%s%s%s", names, i ? ", " : "",
				     out->v.v[i]->symbol);
	diag_warn(r->s->diag, e->range, E_UNKNOWN_CONTEXT_VARIABLE,
		  "%zu of the %zu functions of '%s' have no '$return' and are left out: %s%s",
		  out->v.n, loc->sites.n, loc->pp, names, out->v.n > SHOWN ? ", ..." : "");
	diag_hint(r->s->diag, "if (@defined($return)) keeps them, and reads it where it is");
}

void result_drop_without(struct resolver *r, const struct derive *d, const struct located *loc,
		      struct site_sets *sets)
{
	struct site_set out = { 0 };
	const struct expr *first = NULL;
	size_t kept = 0;

	vec_each(it, &sets->v) {
		const struct expr *e = missing_return(r, d, (*it)->v.v[0]);

		if (!e) {
			sets->v.v[kept++] = *it;
			continue;
		}
		first = first ? first : e;
		vec_each(site, &(*it)->v)
			vec_push(r->s->arena, &out.v, *site);
	}
	if (!kept)
		return;
	sets->v.n = kept;
	if (first)
		warn_left_out(r, first, loc, &out);
}
