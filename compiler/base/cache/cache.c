/* SPDX-License-Identifier: GPL-2.0 */
#include "base/cache/cache.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rights.h"
#include "shared/file.h"
#include "state.h"

static const struct range nowhere;

char *cache_wanted_dir(struct arena *a)
{
	const char *own = getenv("PROBEC_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *dir;

	if (own && *own)
		return arena_strdup(a, own);
	if (xdg && *xdg == '/' && rights_is_own_dir(xdg))
		return arena_printf(a, "%s/probec", xdg);
	dir = rights_home();
	return dir ? arena_printf(a, "%s/.cache/probec", dir) : NULL;
}

void cache_find(struct state *s)
{
	char *dir = cache_wanted_dir(s->arena), path[PATH_MAX];
	struct stat st;
	int err = dir ? file_make_dirs(dir) : 0;

	if (dir && !err && !realpath(dir, path))
		err = -errno;
	if (!dir) {
		diag_warn(s->diag, nowhere, E_IO, "no home directory: nothing is cached");
	} else if (err) {
		diag_warn(s->diag, nowhere, E_IO,
			  "can't make the cache directory '%s': %s; nothing is "
			  "cached", dir, strerror(-err));
	} else if (stat(path, &st) == 0 && !S_ISDIR(st.st_mode)) {
		diag_warn(s->diag, nowhere, E_IO,
			  "the cache directory '%s' is not a directory: nothing is cached", dir);
	} else if (!rights_is_own_dir(path)) {
		diag_warn(s->diag, nowhere, E_IO,
			  "the cache directory '%s' belongs to another user, or others can write "
			  "to it: nothing is cached", dir);
	} else if (!rights_is_safe(path)) {
		diag_warn(s->diag, nowhere, E_IO,
			  "other users can replace a directory above the cache directory '%s': "
			  "nothing is cached", dir);
	} else {
		s->cache_dir = arena_strdup(s->arena, path);
	}
}

const char *cache_dir_of(struct state *s, const char *name)
{
	const char *path;
	struct stat st;

	if (!s->cache_dir)
		return NULL;
	path = arena_printf(s->arena, "%s/%s", s->cache_dir, name);
	if (mkdir(path, 0700) && errno != EEXIST)
		return NULL;
	if (lstat(path, &st) || !S_ISDIR(st.st_mode) || st.st_uid != geteuid())
		return NULL;
	return path;
}
