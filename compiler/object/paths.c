/* SPDX-License-Identifier: GPL-2.0 */
/* Names of programs, and paths that a process sees, to files. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/subprocess.h"
#include "object/private.h"
#include "state.h"

static bool is_same_file(const char *path, const struct stat *as)
{
	struct stat st;

	return stat(path, &st) == 0 && st.st_dev == as->st_dev && st.st_ino == as->st_ino;
}

/* Links of the kernel in /proc lead to files that their text does not name. */
const char *object_real_path(struct state *s, const char *path)
{
	char *real = path ? realpath(path, NULL) : NULL;
	const char *copy = real ? arena_strdup(s->arena, real) : NULL;
	struct stat wanted;

	free(real);
	if (path && *path == '/' && stat(path, &wanted) == 0 &&
	    !(copy && is_same_file(copy, &wanted)))
		return path;
	return copy;
}

const char *object_program(struct state *s, const char *name)
{
	if (!*name)
		return NULL;
	return object_real_path(s, strchr(name, '/') ? name : subprocess_find(s->arena, name));
}

/* The kernel puts this before the paths of a process with a root directory of its own, in the links
 * of /proc/PID. "": it has none, or none that can be seen. */
static const char *root_of(struct state *s, int64_t pid)
{
	char text[4096];
	ssize_t n = readlink(arena_printf(s->arena, "/proc/%lld/root", (long long)pid), text,
			     sizeof(text));

	return n > 1 && n < (ssize_t)sizeof(text) ? arena_strndup(s->arena, text, (size_t)n) : "";
}

const char *object_path_of_process(struct state *s, int64_t pid, const char *path)
{
	const char *root = root_of(s, pid), *inside;
	size_t len = strlen(root);
	struct stat own, there;

	if (strncmp(path, root, len) != 0 || path[len] != '/')
		len = 0;
	inside = arena_printf(s->arena, "/proc/%lld/root%s", (long long)pid, path + len);
	/* Without the right to look there, the process is taken for one of this namespace. */
	if (stat(inside, &there) != 0)
		return stat(path, &own) == 0 ? path : NULL;
	return stat(path, &own) == 0 && own.st_dev == there.st_dev && own.st_ino == there.st_ino ?
	       path : inside;
}
