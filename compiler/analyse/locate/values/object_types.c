/* SPDX-License-Identifier: GPL-2.0 */
#include "analyse/locate/values/object_types.h"

#include <errno.h>
#include <string.h>

#include "target/btf/btf.h"
#include "target/kernel/module.h"
#include "target/kernel/kernel.h"
#include "state.h"

static struct btf_db *btf_of(struct state *s, struct kernel_module *module, const char **why)
{
	return module ? kernel_module_btf(s, s->kernel, module, why) : kernel_btf(s->kernel, why);
}

/* The module with that name, or NULL for "kernel". Returns false if it is not known. */
static bool module_of(struct state *s, const char *object, struct kernel_module **ret,
		      const char **why)
{
	*ret = NULL;
	if (strcmp(object, "kernel") == 0)
		return true;
	*ret = kernel_module_find(s, s->kernel, object, why);
	return *ret;
}

int object_types(struct state *s, const char *object, const struct dwarf_type_name *name,
		 struct btf_db **ret, struct object_types_missing *why)
{
	struct kernel_module *m;
	struct dwarf_db *debug;

	*why = (struct object_types_missing){0};
	*ret = module_of(s, object, &m, &why->btf) ? btf_of(s, m, &why->btf) : NULL;
	if (*ret)
		return 0;
	debug = dwarf_db_get(s, object, &why->debug);
	if (!debug || !dwarf_types_indexed(debug, &why->debug))
		return -ENODATA;
	*ret = dwarf_types_named(s, debug, name, &why->differ);
	if (*ret)
		return 0;
	return why->differ.where ? -ENOTUNIQ : -ENOENT;
}

void object_types_names(struct state *s, const char *object, bool constants,
			struct btf_names *ret)
{
	const char *why;
	struct dwarf_db *debug = dwarf_db_get(s, object, &why);

	if (debug)
		dwarf_type_names(debug, constants, ret);
}

/* The prototype of a function whose parameters are where the calling convention puts them. */
static const struct btf_func *of_debug_info(struct state *s, const char *object, const char *name)
{
	const char *why;
	struct dwarf_db *debug = dwarf_db_get(s, object, &why);
	const struct dwarf_place *at = debug ? dwarf_place_of_symbol(debug, name, 0, 0) : NULL;
	const struct dwarf_place *entry = at ? dwarf_place_entry(at) : NULL;
	struct btf_func *ret = NEW(s->arena, struct btf_func);

	/* The first instruction may be that of an inlined copy, and a merged function may have its
	 * symbol where another one has its code. */
	if (entry && entry->at_entry && entry->pc == at->pc && strcmp(entry->function, name) == 0)
		return dwarf_prototype(s, entry, ret) ? ret : NULL;
	return debug && dwarf_prototype_merged(s, debug, name, ret) ? ret : NULL;
}

const struct btf_func *object_types_prototypes(struct state *s, struct kernel_module *module,
					       const char *name, bool unique)
{
	const struct btf_func *ret;
	const char *why;
	struct btf_db *btf = btf_of(s, module, &why);

	if (btf)
		return btf_db_funcs(btf, name, &ret) ? ret : NULL;
	return unique ? of_debug_info(s, module ? module->name : "kernel", name) : NULL;
}

bool object_types_missing(struct state *s, const char *object, struct object_types_missing *why)
{
	struct kernel_module *m;

	*why = (struct object_types_missing){0};
	return !(module_of(s, object, &m, &why->btf) && btf_of(s, m, &why->btf)) &&
	       !dwarf_db_get(s, object, &why->debug);
}

void object_types_hint(struct state *s, const struct object_types_missing *why)
{
	diag_hint(s->diag, "BTF: %s", why->btf);
	/* A module that is not known has neither for the same reason. */
	if (strcmp(why->debug, why->btf) != 0)
		diag_hint(s->diag, "debug information: %s", why->debug);
}
