/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether code can come to call returnval(), which reads the register of the result: a handler that
 * does serves functions whose results have one size and sign.
 */
#include <string.h>

#include "ast/walk.h"
#include "resolve/resolve.h"

struct look {
	struct resolver *r;
	struct map seen;        /* names of functions */
	bool found;
};

static bool see(struct expr **pe, void *data)
{
	struct visitor v = { .expr = see, .data = data };
	struct look *l = data;
	const struct expr *e = *pe;
	const struct fn_set *set;

	if (e->kind != EX_CALL || l->found || map_get(&l->seen, e->u.call.name))
		return !l->found;
	map_set(&l->seen, e->u.call.name, l);
	l->found = !strcmp(e->u.call.name, "returnval");
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
	struct look l = { .r = r };
	struct visitor v = { .expr = see, .data = &l };

	map_init(&l.seen, r->s->arena);
	vec_each(it, &d->body)
		walk_stmt(it, &v);
	return l.found;
}
