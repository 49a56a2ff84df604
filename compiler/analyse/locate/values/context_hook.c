/* SPDX-License-Identifier: GPL-2.0 */
/*
 * $-expressions at a hook of netfilter. The runtime gives a handler two pointers, to the packet and
 * to a structure of the kernel that says where the packet is on its way. Their types are those of
 * the parameters of nf_hook_slow(), which calls the hooks. The names that a script uses are members
 * of that structure.
 */
#include <errno.h>
#include <string.h>

#include "base/words.h"
#include "analyse/locate/values/path.h"

#define STATE "$state"

static const struct hook_value {
	const char *name;
	const char *member;      /* of $state; NULL: it is a parameter itself */
} values[] = {
	{ "$skb", NULL }, { "$in", "in" }, { "$out", "out" }, { "$hooknum", "hook" },
	{ "$pf", "pf" }, { "$sk", "sk" }, { "$net", "net" }, { STATE, NULL },
};
enum { NVALUES = sizeof(values) / sizeof(values[0]) };

static const struct hook_value *value_of(const char *name)
{
	for (size_t i = 0; i < NVALUES; i++)
		if (strcmp(values[i].name, name) == 0)
			return &values[i];
	return NULL;
}

static int unknown_value(struct walk *w)
{
	struct name_list names = {0};
	const char *name = w->e->u.context.name;

	context_hook_names(w->s, CONTEXT_ALL, &names);
	vec_push(w->s->arena, &names.v, "$verdict");
	path_fail(w, w->e->range, E_UNKNOWN_CONTEXT_VARIABLE, -ENOENT,
		  "a hook of netfilter has no '%s'", name);

	const char *nearest = diag_nearest(name, names.v.v, names.v.n);

	if (nearest)
		path_hint(w, "did you mean '%s'?", nearest);
	else
		path_hint(w, "known here: %s", words_join(w->s->arena, names.v.v, names.v.n));
	return -ENOENT;
}

/* The expression by which @v->member is reached: $in->name is $state->in->name. */
static struct expr *through_state(struct walk *w, const struct hook_value *v)
{
	struct expr *e = NEW(w->s->arena, struct expr);
	struct accessor first = { .range = w->e->range, .member = v->member };

	*e = *w->e;
	e->u.context.name = STATE;
	memset(&e->u.context.path, 0, sizeof(e->u.context.path));
	vec_push(w->s->arena, &e->u.context.path, first);
	vec_each(it, &w->e->u.context.path)
		vec_push(w->s->arena, &e->u.context.path, *it);
	return e;
}

int context_hook_walk(struct walk *w)
{
	const struct hook_value *v = value_of(w->e->u.context.name);
	const struct btf_func *f = locate_prototype(w->site);
	struct expr *e = w->e;

	if (!v)
		return unknown_value(w);
	if (!f) {
		path_fail(w, e->range, E_NO_BTF, -ENODATA, "'%s' needs the kernel's BTF or debug "
			  "information, with its function nf_hook_slow", e->u.context.name);
		path_hint(w, "packets can be counted without $variables");
		return -ENODATA;
	}
	if (v->member)
		w->e = through_state(w, v);

	int err = context_walk(w, f);

	e->u.context.access = w->e->u.context.access;
	e->type = w->e->type;
	w->e = e;
	return err;
}

void context_hook_names(struct state *s, enum context_names which, struct name_list *ret)
{
	for (size_t i = 0; i < NVALUES && which != CONTEXT_LOCALS; i++)
		vec_push(s->arena, &ret->v, values[i].name);
}
