/* SPDX-License-Identifier: GPL-2.0 */
#include "analyse/locate/values/prototype.h"

#include <string.h>

#include "target/btf/btf.h"
#include "analyse/locate/locate.h"
#include "analyse/locate/values/object_types.h"
#include "state.h"

struct prototype {
	struct state *s;
	struct kernel_module *module; /* NULL: the kernel */
	const char *name;
	unsigned n;                   /* number of functions with that name */
	bool is_sought;
	const struct btf_func *found; /* NULL: there is none */
};

struct prototype *prototype_of(struct state *s, struct kernel_module *module, const char *name,
			       unsigned n)
{
	if (strchr(name, '.'))
		return NULL;

	struct prototype *p = NEW(s->arena, struct prototype);

	*p = (struct prototype){ .s = s, .module = module, .name = name, .n = n };
	return p;
}

static const struct btf_func *find_prototype(const struct prototype *p)
{
	const struct btf_func *found = object_types_prototypes(p->s, p->module, p->name,
							       p->n == 1);

	if (!found || p->n == 1 || found->of > 1 || btf_db_knows_namesakes(found->db))
		return found;

	struct btf_func *one = NEW(p->s->arena, struct btf_func);

	*one = *found;
	one->doubtful = p->n;
	return one;
}

const struct btf_func *locate_prototype(const struct site *site)
{
	struct prototype *p = site->prototype;

	if (p && !p->is_sought) {
		p->is_sought = true;
		p->found = find_prototype(p);
	}
	return p ? p->found : NULL;
}
