/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the files of program names and of paths that a process sees. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/subprocess.h"
#include "target/object/private.h"
#include "state.h"

enum { LINKS_MAX = 40 }; /* symbolic links in a path, as in the kernel */

bool object_is_same_file(const char *path, const struct stat *as)
{
	struct stat st;

	return stat(path, &st) == 0 && st.st_dev == as->st_dev && st.st_ino == as->st_ino;
}

/* ---- other root directories ---- */

const char *object_root_of(struct state *s, const char *path)
{
	static const char proc[] = "/proc/", root[] = "/root";
	size_t before = strlen(proc), after = strlen(root), pid;

	if (!path || strncmp(path, proc, before) != 0)
		return "";
	pid = strspn(path + before, "0123456789");
	if (!pid || strncmp(path + before + pid, root, after) != 0 ||
	    path[before + pid + after] != '/')
		return "";
	return arena_strndup(s->arena, path, before + pid + after);
}

/* The path here of the file that a process with the root directory @root knows as @path, with its
 * symbolic links followed. NULL if there is none. */
static const char *real_path_in(struct state *s, const char *root, const char *path)
{
	const char *done = "";

	for (int links = 0; links <= LINKS_MAX && *path;) {
		size_t slashes = strspn(path, "/"), n = strcspn(path + slashes, "/");
		const char *part = arena_strndup(s->arena, path + slashes, n), *next;
		char link[4096];
		ssize_t len;

		path += slashes + n;
		if (!n || strcmp(part, ".") == 0)
			continue;
		if (strcmp(part, "..") == 0) {
			const char *slash = strrchr(done, '/');

			done = slash ? arena_strndup(s->arena, done, (size_t)(slash - done)) : "";
			continue;
		}
		next = arena_printf(s->arena, "%s/%s", done, part);
		len = readlink(arena_printf(s->arena, "%s%s", root, next), link, sizeof(link));
		if (len == (ssize_t)sizeof(link))
			return NULL;
		if (len <= 0) {
			done = next;
			continue;
		}
		links++;
		if (*link == '/')
			done = "";
		path = arena_printf(s->arena, "%.*s%s", (int)len, link, path);
	}

	const char *whole = arena_printf(s->arena, "%s%s", root, done);

	return *path || access(whole, F_OK) != 0 ? NULL : whole;
}

/* ---- files ---- */

/* Links in /proc lead to files that their text does not name. */
const char *object_real_path(struct state *s, const char *path)
{
	const char *root = object_root_of(s, path);

	if (*root)
		return real_path_in(s, root, path + strlen(root));

	char *real = path ? realpath(path, NULL) : NULL;
	const char *copy = real ? arena_strdup(s->arena, real) : NULL;
	struct stat wanted;

	free(real);
	if (path && *path == '/' && stat(path, &wanted) == 0 &&
	    !(copy && object_is_same_file(copy, &wanted)))
		return path;
	return copy;
}

const char *object_program(struct state *s, const char *name)
{
	if (!*name)
		return NULL;
	if (*name != '/')
		s->around |= strchr(name, '/') ? AROUND_DIRECTORY : AROUND_PATH;
	return object_real_path(s, strchr(name, '/') ? name : subprocess_find(s->arena, name));
}

/* The prefix of the kernel's paths for a process with another root directory, /proc/PID/root. "" if
 * it has none, or if that can't be read. */
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
	/* Without the permission to read it, the process is taken for one of this namespace. */
	if (stat(inside, &there) != 0)
		return stat(path, &own) == 0 ? path : NULL;
	return stat(path, &own) == 0 && own.st_dev == there.st_dev && own.st_ino == there.st_ino ?
	       path : inside;
}

const char *object_path_below(struct state *s, int64_t pid, const char *path)
{
	const char *root = root_of(s, pid), *inside;
	size_t len = strlen(root);
	struct stat st;

	if (*object_root_of(s, path) || stat(path, &st) != 0)
		return path;
	if (strncmp(path, root, len) != 0 || path[len] != '/')
		len = 0;
	inside = arena_printf(s->arena, "/proc/%lld/root%s", (long long)pid, path + len);
	return object_is_same_file(inside, &st) ? inside : path;
}

/* ---- mappings ---- */

void object_mappings_read(struct state *s, int64_t pid, struct object_mappings *ret)
{
	FILE *f = fopen(arena_printf(s->arena, "/proc/%lld/maps", (long long)pid), "re");
	char line[PATH_MAX + 128], rights[5];

	while (f && fgets(line, sizeof(line), f)) {
		struct object_mapping m = { 0 };
		int at = 0;

		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %n", &m.start,
			   &m.end, rights, &m.offset, &at) != 4 || !at)
			continue;
		line[strcspn(line, "\n")] = '\0';
		m.is_code = rights[2] == 'x';
		m.path = arena_strdup(s->arena, line + at);
		vec_push(s->arena, &ret->v, m);
	}
	if (f)
		fclose(f);
}
