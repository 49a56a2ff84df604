/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Globals without a declaration. Only a global can be an array or an aggregate, so a user's name
 * that is filled as one (n[k] = v, n <<< v) needs no declaration, which keeps one-liners short. A
 * name that is only read remains an error, because it is probably misspelt.
 */
#include <string.h>

#include "ast/uses.h"
#include "analyse/resolve/names.h"

struct finder {
	struct resolver *r;
	const struct function *f; /* whose body is searched; NULL: a probe's */
};

static bool is_parameter(const struct function *f, const char *name)
{
	if (!f)
		return false;
	vec_each(p, &f->params)
		if (strcmp((*p)->name, name) == 0)
			return true;
	return false;
}

static void declare_by_use(const struct use *u, void *data)
{
	struct finder *find = data;
	struct resolver *r = find->r;
	const char *name = u->name->u.name.name;
	struct symbol *g;

	if (!(u->flags & USE_WRITE) || !(u->flags & (USE_ARRAY | USE_STATS)) ||
	    is_parameter(find->f, name) || names_user_global(r, name) ||
	    names_library_global(r, name))
		return;
	g = NEW(r->s->arena, struct symbol);
	g->name = name;
	g->range = u->name->range;
	/* Elements that a macro of the library stores for each thread are never deleted. */
	g->wrap = (u->flags & USE_ARRAY) && u->name->range.src->in_tapset;
	vec_push(r->s->arena, &r->s->main->globals, g);
	resolve_global(r, r->s->main, g);
}

void implicit_globals(struct resolver *r)
{
	struct finder find = { .r = r };
	struct use_visitor v = { .use = declare_by_use, .data = &find };

	for (size_t i = 0; i < r->scripts.n; i++) {
		struct script *sc = r->scripts.v[i];

		if (sc->src->in_tapset)
			continue;
		find.f = NULL;
		vec_each(d, &sc->probes)
			uses_stmt(&(*d)->body, &v);
		vec_each(d, &sc->aliases) {
			uses_stmt(&(*d)->body, &v);
			uses_stmt(&(*d)->epilogue, &v);
		}
		vec_each(f, &sc->functions) {
			find.f = *f;
			uses_stmt(&(*f)->body, &v);
		}
	}
}
