/* SPDX-License-Identifier: GPL-2.0 */
/* The values that a handler can name at a site, for -L and --explain. */
#include <errno.h>
#include <string.h>

#include "target/btf/btf.h"
#include "analyse/locate/locate.h"
#include "state.h"

/* If the parameter has no value (a structure, "..."), its type comes from the prototype. */
static const char *declared_type(struct state *s, const struct site *site, const char *name)
{
	const struct btf_func *f = locate_prototype(site);
	uint32_t type;

	for (unsigned i = 0; f && i < btf_func_nparams(f); i++) {
		const char *param = btf_func_param(f, i, &type);

		if (param && strcmp(param, name + 1) == 0)
			return btf_types_name(f->db, s->arena, type);
	}
	return NULL;
}

void locate_context_values(struct state *s, const struct site *site, enum probe_kind kind,
			   struct visible_list *ret)
{
	struct name_list names = { 0 };

	locate_context_names(s, site, kind, CONTEXT_ALL, &names);
	vec_each(it, &names.v) {
		struct expr e = { .kind = EX_CONTEXT };
		struct visible one = { .name = *it };
		const struct access *found;
		int rc;

		e.u.context.name = *it;
		rc = locate_context(s, site, kind, &e, true);
		found = rc == 0 || rc == -EINVAL ? e.u.context.access : NULL;
		if (rc == 0)
			one.access = found;
		else
			one.has_members = found;
		one.type = found ? found->type_name : declared_type(s, site, *it);
		vec_push(s->arena, &ret->v, one);
	}
}
