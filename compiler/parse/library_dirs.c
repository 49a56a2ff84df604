/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where tapsets and macros are looked for: -I, $XDG_DATA_HOME (~/.local/share) and $XDG_DATA_DIRS
 * with /probec/tapsets behind them, the library. What is in them ends up in the kernel, so that one
 * of the user's or the system's that somebody else could have written is not looked into.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "locate/kernel.h"
#include "parse/library_dirs.h"
#include "rights.h"

#define MACHINE "x86_64"

static bool is_dir(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static void add(struct session *s, struct library_dirs *ret, const char *path, int in_tapset)
{
	struct library_dir dir = { path, in_tapset };

	vec_push(s->arena, &ret->v, dir);
}

static bool is_roots(const struct stat *st)
{
	return st->st_uid == 0 && !(st->st_mode & 022);
}

/* DATA/probec/tapsets, when it is there and not the library itself. */
static void add_data(struct session *s, struct library_dirs *ret, const char *data, bool warn)
{
	char real[PATH_MAX], library[PATH_MAX];
	const char *path = arena_printf(s->arena, "%s/probec/tapsets", data);
	struct stat st;

	if (*data != '/' || !realpath(path, real) || stat(real, &st) || !S_ISDIR(st.st_mode))
		return;
	if (s->tapset_dir && realpath(s->tapset_dir, library) && !strcmp(real, library))
		return;
	if ((rights_is_own_dir(real) || is_roots(&st)) && rights_is_safe(real)) {
		add(s, ret, path, 1);
		return;
	}
	if (warn)
		diag_warn(s->diag, (struct range){ 0 }, E_IO,
			  "the tapset directory '%s' is not used: others may write it, or a "
			  "directory above it", path);
}

void library_roots(struct session *s, struct library_dirs *ret, bool warn)
{
	const char *home = getenv("XDG_DATA_HOME"), *dirs = getenv("XDG_DATA_DIRS");

	vec_each(dir, &s->opt.include_dirs)
		add(s, ret, *dir, 1);
	if (home && *home == '/')
		add_data(s, ret, home, warn);
	else if (rights_home())
		add_data(s, ret, arena_printf(s->arena, "%s/.local/share", rights_home()), warn);
	if (!dirs || !*dirs)
		dirs = "/usr/local/share:/usr/share";
	for (const char *end; *dirs; dirs = *end ? end + 1 : end) {
		end = strchrnul(dirs, ':');
		add_data(s, ret, arena_strndup(s->arena, dirs, (size_t)(end - dirs)), warn);
	}
	if (s->tapset_dir)
		add(s, ret, s->tapset_dir, 2);
}

static void add_sub(struct session *s, struct library_dirs *ret, const struct library_dir *root,
		    const char *sub)
{
	const char *path = arena_printf(s->arena, "%s/%s", root->path, sub);

	if (is_dir(path))
		add(s, ret, path, root->in_tapset);
}

/* NAME/x86_64 and NAME, and the same of what is left of the name: 6.1.0-56-amd64, 6.1.0, 6.1. */
static void add_versions(struct session *s, struct library_dirs *ret,
			 const struct library_dir *root, const char *release)
{
	size_t len = strlen(release), base = strspn(release, "0123456789.");

	while (len) {
		const char *name = arena_strndup(s->arena, release, len);

		add_sub(s, ret, root, arena_printf(s->arena, "%s/" MACHINE, name));
		add_sub(s, ret, root, name);
		if (len > base) {
			len = base;
			continue;
		}
		const char *dot = strrchr(name, '.');

		len = dot && dot != strchr(name, '.') ? (size_t)(dot - name) : 0;
	}
}

void library_dirs(struct session *s, struct library_dirs *ret, bool warn)
{
	struct library_dirs roots = { 0 };

	library_roots(s, &roots, warn);
	vec_each(root, &roots.v) {
		if (s->kernel)
			add_versions(s, ret, root, kernel_release(s->kernel));
		add_sub(s, ret, root, MACHINE);
		add(s, ret, root->path, root->in_tapset);
	}
}
