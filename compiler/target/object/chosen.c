/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the implementation of an indirect function that the processes of this machine use: the one
 * that probec's own process got, if that has the same file loaded. The choice depends on the
 * processor, and on GLIBC_TUNABLES, which callers must rule out.
 */
#include <dlfcn.h>
#include <link.h>

#include "target/object/object.h"

static bool is_choice(const struct object_choices *choices, uint64_t address)
{
	vec_each(it, &choices->addresses)
		if (*it == address)
			return true;
	return false;
}

bool object_chosen(const struct program_file *o, const struct object_symbol *of,
		   const struct object_choices *choices, uint64_t *ret)
{
	/* Compares the files, not only their names. */
	void *library = dlopen(o->path, RTLD_LAZY | RTLD_NOLOAD);
	struct link_map *map;
	uint64_t offset;
	void *at = library ? dlsym(library, of->name) : NULL;
	bool found = at && dlinfo(library, RTLD_DI_LINKMAP, &map) == 0;

	if (found)
		*ret = (uint64_t)(uintptr_t)at - map->l_addr;
	if (library)
		dlclose(library);
	/* Outside of the file, as in the vDSO, nothing can be probed. */
	return found && (choices->why ? object_offset(o, *ret, &offset) :
					is_choice(choices, *ret));
}
