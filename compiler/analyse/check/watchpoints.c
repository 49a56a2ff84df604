/* SPDX-License-Identifier: GPL-2.0 */
/* Whether a thread would need more watchpoints than the processor has. What others use of them is
 * seen when they are set. */
#include <string.h>

#include "analyse/check/check.h"
#include "analyse/check/facts.h"
#include "target/arch/names.h"
#include "target/object/object.h"

static bool same_processes(const struct user_scope *a, const struct user_scope *b)
{
	if (!a || !b)
		return a == b;
	return a->file == b->file && a->pid == b->pid && a->is_target == b->is_target;
}

/* Whether one watchpoint serves both. */
static bool same_watchpoint(const struct probe *a, const struct probe *b)
{
	const struct site *x = a->sites.v[0], *y = b->sites.v[0];

	return same_processes(x->user, y->user) && strcmp(x->symbol, y->symbol) == 0 &&
	       x->offset == y->offset && x->file_offset == y->file_offset &&
	       a->event->length == b->event->length && a->event->is_access == b->event->is_access;
}

/* Whether a thread can have both. */
static bool meet(const struct probe *a, const struct probe *b)
{
	const struct user_scope *x = a->sites.v[0]->user, *y = b->sites.v[0]->user;

	return !x || !y || x->file == y->file;
}

void watchpoints_check(const struct check *c)
{
	VEC(const struct probe *) all = { 0 };

	vec_each(it, &c->p->probes) {
		const struct user_scope *of = NULL;
		bool is_new = (*it)->kind == PK_WATCH;
		unsigned n = 1;

		for (size_t i = 0; is_new && i < all.n; i++) {
			is_new = !same_watchpoint(all.v[i], *it);
			if (!meet(all.v[i], *it))
				continue;
			n++;
			of = of ? of : all.v[i]->sites.v[0]->user;
		}
		if (!is_new)
			continue;
		vec_push(c->s->arena, &all, *it);
		of = (*it)->sites.v[0]->user ? (*it)->sites.v[0]->user : of;
		if (!of || n <= arch_names->watchpoints)
			continue;
		diag_error(c->s->diag, (*it)->range, E_WATCHPOINTS, "a thread of %s would need %u "
			   "watchpoints, and a processor has %u", of->file->path, n,
			   arch_names->watchpoints);
		diag_hint(c->s->diag, "watch fewer variables, and probe the functions that change "
			  "the others");
		return;
	}
}
