/* SPDX-License-Identifier: GPL-2.0 */
/*
 * struct module: its memory was two regions, core_layout and init_layout, until "module: replace
 * module_layout with module_memory" (ac3b43283923), and is mem[] by type since. Kbuild looks for
 * the types. Its build-id is kept only with CONFIG_STACKTRACE_BUILD_ID.
 */
#ifndef PRT_COMPAT_MODULE_H
#define PRT_COMPAT_MODULE_H

#include <linux/module.h>

struct prt_compat_region {
	unsigned long start, size; /* bytes */
};

#ifdef PRT_HAVE_MODULE_MEMORY
enum { PRT_COMPAT_CORE_REGIONS = MOD_INIT_TEXT, PRT_COMPAT_INIT = MOD_INIT_TEXT };

/* Memory where functions of the module may be: those below PRT_COMPAT_CORE_REGIONS, and
 * PRT_COMPAT_INIT. */
static inline struct prt_compat_region prt_compat_module_region(const struct module *mod, int nr)
{
	return (struct prt_compat_region){ (unsigned long)mod->mem[nr].base, mod->mem[nr].size };
}

static inline struct prt_compat_region prt_compat_module_rodata(const struct module *mod)
{
	return prt_compat_module_region(mod, MOD_RODATA);
}
#else
enum { PRT_COMPAT_CORE_REGIONS = 1, PRT_COMPAT_INIT = 1 };

static inline struct prt_compat_region prt_compat_module_region(const struct module *mod, int nr)
{
	const struct module_layout *layout = nr == PRT_COMPAT_INIT ? &mod->init_layout :
								     &mod->core_layout;

	return (struct prt_compat_region){ (unsigned long)layout->base, layout->size };
}

static inline struct prt_compat_region prt_compat_module_rodata(const struct module *mod)
{
	const struct module_layout *layout = &mod->core_layout;

	return (struct prt_compat_region){ (unsigned long)layout->base + layout->text_size,
					   layout->ro_size - layout->text_size };
}
#endif

#endif
