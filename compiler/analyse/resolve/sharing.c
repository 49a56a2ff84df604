/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the sites of a probe point that one handler can serve: those at which every $-expression of
 * the body means the same. Sites are grouped by a key, so a wildcard costs one look at each site.
 * The key contains only what the body mentions: functions with different prototypes share a handler
 * that uses one parameter.
 */
#include <string.h>

#include "ast/walk.h"
#include "analyse/locate/locate.h"
#include "shared/buf.h"
#include "target/object/object.h"
#include "program/program.h"
#include "analyse/resolve/functions.h"
#include "analyse/resolve/probes.h"
#include "analyse/resolve/sites.h"
#include "analyse/resolve/values.h"

struct mention {
	const char *name; /* "$file", "$$parms" */
	bool as_number;   /* the type does not matter */
};

struct mentions {
	struct resolver *r;
	struct arena *arena;
	VEC(struct mention) v;
	VEC(struct function *) functions; /* whose bodies were searched */
	bool types; /* @cast and the like: a type may be one of the site's module */
	bool variables; /* @var: a program's variable has a fixed distance from the site */
};

static bool record_mention(struct expr **pe, void *data);

/* Adds the $-expressions in functions of that name. */
static void note_functions(struct mentions *m, const char *name)
{
	const struct fn_set *set = placed_by_name(m->r, name);
	struct visitor v = { .expr = record_mention, .data = m };

	for (size_t i = 0; set && i < set->v.n; i++) {
		bool known = !set->v.v[i]->body;

		vec_each(f, &m->functions)
			known |= *f == set->v.v[i];
		if (known)
			continue;
		vec_push(m->arena, &m->functions, set->v.v[i]);
		walk_stmt(&set->v.v[i]->body, &v);
	}
}

static bool record_mention(struct expr **pe, void *data)
{
	const struct expr *e = *pe;
	struct mentions *m = data;
	const char *local = casts_plain_variable(m->arena, e);
	struct mention one = { .name = local ? local : e->u.context.name };

	m->types |= e->kind == EX_AT;
	m->variables |= e->kind == EX_AT && strcmp(e->u.at.name, "@var") == 0;
	if (e->kind == EX_CALL)
		note_functions(m, e->u.call.name);
	if (!local && (e->kind != EX_CONTEXT || e->u.context.base))
		return true;
	one.as_number = !local && strncmp(one.name, "$$", 2) == 0 && !e->u.context.pretty;
	vec_each(it, &m->v)
		if (it->as_number == one.as_number && strcmp(it->name, one.name) == 0)
			return true;
	vec_push(m->arena, &m->v, one);
	return true;
}

static void add_key(struct resolver *r, const struct mention *m, const struct located *loc,
		    const struct site *site, struct buf *key)
{
	struct name_list names = { 0 };

	if (strncmp(m->name, "$$", 2) != 0) {
		locate_context_key(site, loc->kind, m->name, m->as_number, key);
		return;
	}
	if (strcmp(m->name, "$$system") == 0)
		buf_puts(key, site->system ? site->system : "");
	if (strcmp(m->name, "$$name") == 0 && site->mark)
		buf_puts(key, site->mark->name);
	if (strcmp(m->name, "$$provider") == 0 && site->mark)
		buf_puts(key, site->mark->provider);
	if (strcmp(m->name, "$$system") == 0 || strcmp(m->name, "$$name") == 0 ||
	    strcmp(m->name, "$$provider") == 0)
		return;
	locate_context_names(r->s, site, loc->kind, CONTEXT_ALL, &names);
	vec_each(it, &names.v) {
		buf_puts(key, *it);
		locate_context_key(site, loc->kind, *it, m->as_number, key);
	}
}

static bool mentions_return(const struct mentions *m)
{
	vec_each(it, &m->v)
		if (strcmp(it->name, "$return") == 0)
			return true;
	return false;
}

void sharing_sets(struct resolver *r, const struct derive *d, const struct located *loc,
		  struct site_sets *ret)
{
	struct mentions m = { .r = r, .arena = r->s->arena };
	struct visitor v = { .expr = record_mention, .data = &m };
	bool result = site_kind_is_return(loc->kind) && result_is_read(r, d);
	struct map known;
	struct buf key;

	vec_each(it, &d->body)
		walk_stmt(it, &v);
	vec_each(it, &d->conds)
		walk_expr(it, &v);
	map_init(&known, r->s->arena);
	buf_init(&key);
	vec_each(it, &loc->sites) {
		struct result_part part = { 0 };
		struct site_set *set;

		if (result)
			part = locate_result(r->s, *it);
		key.len = 0;
		buf_printf(&key, "%u%d", part.size, part.is_signed);
		buf_puts(&key, m.types ? (*it)->object : "");
		if (m.variables && (*it)->user)
			buf_printf(&key, "@%llx", (unsigned long long)(*it)->file_offset);
		vec_each(one, &m.v)
			add_key(r, one, loc, *it, &key);
		set = map_get(&known, key.s);
		if (!set) {
			set = NEW(r->s->arena, struct site_set);
			set->result = part;
			map_set(&known, arena_strdup(r->s->arena, key.s), set);
			vec_push(r->s->arena, &ret->v, set);
		}
		vec_push(r->s->arena, &set->v, *it);
	}
	buf_deinit(&key);
	if (site_kind_is_return(loc->kind) && loc->from_wildcard && ret->v.n > 1 &&
	    mentions_return(&m))
		result_drop_without(r, d, loc, ret);
}
