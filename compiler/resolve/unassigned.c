/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Locals that nothing assigns. Such a name is valid and 0 or "" where its use tells which, but most
 * often it is a misspelling: what it may have been meant to be is found here while the names that
 * are there are at hand, and said when the types are known.
 */
#include <string.h>

#include "parse/foreign.h"
#include "passes.h"
#include "resolve/resolve.h"

enum { LOOKED_FOR = 40 }; /* more are not shown, and each costs a look at all names */

/* What stands alone as a statement. */
static const char *const lone_words[] = { "break", "continue", "next", "return" };

static const char *nearest_context(struct resolver *r, const struct probe *p, const char *name)
{
	const char *dollar = arena_printf(r->s->arena, "$%s", name);
	struct name_list names = { 0 };

	if (!p || !p->sites.n)
		return NULL;
	locate_context_names(r->s, p->sites.v[0], p->kind, CONTEXT_ALL, &names);
	vec_each(it, &names.v)
		if (!strcmp(*it, dollar))
			return dollar;
	return NULL;
}

const char *unassigned_meant(struct resolver *r, const char *name, const struct probe *p,
			     struct suggestions *near)
{
	const char *found;

	if (++r->unassigned > LOOKED_FOR)
		return NULL;
	if (foreign_name(name))
		return foreign_name(name);
	found = nearest_context(r, p, name);
	if (!found && functions_exists(r, name))
		return arena_printf(r->s->arena, "'%s' is a function: write %s()", name, name);
	for (size_t i = 0; i < sizeof(lone_words) / sizeof(*lone_words); i++)
		vec_push(r->s->arena, &near->v, lone_words[i]);
	if (!found)
		found = diag_nearest(name, near->v.v, near->v.n);
	return found ? arena_printf(r->s->arena, "did you mean '%s'?", found) : NULL;
}

void resolve_unassigned(struct session *s, const struct symbol *local, bool typed)
{
	if (typed)
		diag_warn(s->diag, local->range, E_UNKNOWN_VARIABLE,
			  "nothing assigns '%s': it is %s", local->name,
			  local->type == T_STRING ? "\"\"" : "0");
	else
		diag_error(s->diag, local->range, E_UNKNOWN_VARIABLE,
			   "there is no variable '%s': nothing assigns it", local->name);
	if (local->meant)
		diag_hint(s->diag, "%s", local->meant);
}

/* What looks like a variable in the brackets of a misspelt "foreach" is bound by it. */
static bool bound_by_misspelt(struct resolver *r, struct range at)
{
	vec_each(it, &r->misspelt)
		if (it->src == at.src && it->start <= at.start && at.end <= it->end)
			return true;
	return false;
}

static void report(struct resolver *r, const struct symbol *local)
{
	if (local->unassigned && !bound_by_misspelt(r, local->range))
		resolve_unassigned(r->s, local, false);
}

void unassigned_report(struct resolver *r)
{
	vec_each(p, &r->p->probes)
		vec_each(local, &(*p)->locals)
			report(r, *local);
	vec_each(f, &r->queue)
		vec_each(local, &(*f)->locals)
			report(r, *local);
}
