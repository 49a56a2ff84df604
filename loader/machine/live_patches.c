/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A live patch leads calls of a function to another one, in its own module, when ftrace is called
 * at the function's beginning. The kernel shows each pair as a folder PATCH/OBJECT/FUNCTION,NUMBER,
 * where the object is "vmlinux" or a module, and the number counts the functions of that name in
 * the object from 1.
 */
#include "machine/live_patches.h"

#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/say.h"
#include "module/meta.h"
#include "shared/file.h"

struct replaced {
	const char *patch, *object, *function;
	unsigned long number;
};

/* Cuts the last part off a path, and returns it. */
static char *cut(char *path)
{
	char *slash = strrchr(path, '/');

	*slash = '\0';
	return slash + 1;
}

/* Whether the patch of a folder as above is in use. @folder is cut into the parts of @ret. */
static bool parse(char *folder, struct replaced *ret)
{
	char *comma = strrchr(folder, ','), path[PATH_MAX], enabled[8];

	ret->number = strtoul(comma + 1, NULL, 10);
	*comma = '\0';
	ret->function = cut(folder);
	ret->object = cut(folder);
	snprintf(path, sizeof(path), "%s/enabled", folder);
	ret->patch = cut(folder);
	return file_read_line(path, enabled, sizeof(enabled)) == 0 && strcmp(enabled, "1") == 0;
}

static bool is_within(const struct meta_site *s, const struct replaced *r)
{
	if (s->is_data || s->is_found || !s->offset || strcmp(s->symbol, r->function) != 0 ||
	    s->namesake + 1 != r->number)
		return false;
	return meta_of_kernel(s) ? strcmp(r->object, "vmlinux") == 0 :
				   strcmp(r->object, s->object) == 0;
}

static void warn_of(const struct replaced *r, const struct meta *m, const uint64_t *addresses)
{
	const struct meta_site *first = NULL;
	unsigned n = 0;

	for (uint32_t i = 0; i < m->nsites; i++) {
		if (!addresses[i] || !is_within(&m->sites[i], r))
			continue;
		first = first ? first : &m->sites[i];
		n++;
	}
	if (n)
		say_warn("E_LIVE_PATCHED", "probe the function in the module of the live patch",
			 "the live patch '%s' replaces '%s', so that %u probed place%s within it "
			 "%s not reached: %s", r->patch, r->function, n, n > 1 ? "s" : "",
			 n > 1 ? "are" : "is", first->pp);
}

void live_patches_warn(const char *path, const struct meta *m, const uint64_t *addresses)
{
	char pattern[PATH_MAX];
	glob_t found;

	snprintf(pattern, sizeof(pattern), "%s/*/*/*,*", path);
	if (glob(pattern, GLOB_NOSORT, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++) {
			struct replaced r;

			if (parse(found.gl_pathv[i], &r))
				warn_of(&r, m, addresses);
		}
	globfree(&found);
}
