/* SPDX-License-Identifier: GPL-2.0 */
/* Names of programs, and paths that a process sees, to files. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/subprocess.h"
#include "object/private.h"
#include "session.h"

const char *object_real_path(struct session *s, const char *path)
{
	char *real = path ? realpath(path, NULL) : NULL;
	const char *copy = real ? arena_strdup(s->arena, real) : NULL;

	free(real);
	return copy;
}

const char *object_program(struct session *s, const char *name)
{
	if (!*name)
		return NULL;
	return object_real_path(s, strchr(name, '/') ? name : subprocess_find(s->arena, name));
}

const char *object_path_of_process(struct session *s, int64_t pid, const char *path)
{
	const char *inside = arena_printf(s->arena, "/proc/%lld/root%s", (long long)pid, path);
	struct stat own, there;

	/* Without the right to look there, the process is taken for one of this namespace. */
	if (stat(inside, &there) != 0)
		return stat(path, &own) == 0 ? path : NULL;
	return stat(path, &own) == 0 && own.st_dev == there.st_dev && own.st_ino == there.st_ino ?
	       path : inside;
}
