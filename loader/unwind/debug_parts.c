/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where gdb looks for these files. Their names come from files that anyone may have written, so
 * what is opened must be a part of the wanted kind, or nothing else about it becomes known.
 */
#include "unwind/debug_parts.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared/file.h"
#include "unwind/debug_file.h"
#include "unwind/image.h"

static bool path_of(int fd, char ret[PATH_MAX])
{
	char link[64];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, ret, PATH_MAX - 1);
	if (n <= 0)
		return false;
	ret[n] = '\0';
	return ret[0] == '/';
}

/* Writes FOLDER/NAME, where the folder is that of @beside. */
static bool join_beside(const char *beside, const char *name, char ret[PATH_MAX])
{
	const char *slash = beside ? strrchr(beside, '/') : NULL;
	int n;

	if (!slash || beside[0] != '/')
		return false;
	n = snprintf(ret, PATH_MAX, "%.*s/%s", (int)(slash - beside), beside, name);
	return n > 0 && n < PATH_MAX;
}

/* Opens a file if it is the one that @wanted means to @is. */
static int open_if(const char *path, bool (*is)(const struct image *f, const void *wanted),
		   const void *wanted)
{
	int fd = debug_file_open(path);
	bool found = false;
	struct image f;
	const char *why;

	if (fd < 0)
		return -1;
	if (image_open_unloaded(fd, &f, &why) == 0)
		found = is(&f, wanted);
	image_close(&f);
	if (found)
		return fd;
	close(fd);
	return -1;
}

static bool has_section(const struct image *f, const void *name)
{
	return image_find(f, name) < f->nsections;
}

static int open_with(const char *path, const char *section)
{
	return open_if(path, has_section, section);
}

/* ---- the alternate file ---- */

static bool is_build(const struct image *f, const void *id)
{
	const struct file_id *wanted = id;
	struct file_id its;

	debug_file_id(f, &its);
	return its.n == wanted->n && memcmp(its.v, wanted->v, its.n) == 0;
}

static int open_build(const char *path, const struct file_id *wanted)
{
	return open_if(path, is_build, wanted);
}

/* @name is relative to the debug file; distributions keep such files in .dwz below @root. */
static int find_alternate(const char *name, const struct file_id *id, int fd, const char *root)
{
	char path[PATH_MAX], own[PATH_MAX];
	int found = -1, n;

	if (name[0] == '/')
		found = open_build(name, id);
	else if (path_of(fd, own) && join_beside(own, name, path))
		found = open_build(path, id);
	if (found < 0 && debug_file_by_id(id, root, path))
		found = open_build(path, id);
	if (found >= 0)
		return found;
	n = snprintf(path, sizeof(path), "%s/.dwz/%s", root, file_name(name));
	return n > 0 && (size_t)n < sizeof(path) ? open_build(path, id) : -1;
}

int debug_parts_alternate(const struct image *f, int fd, const char *root)
{
	struct image_part part;
	struct file_id id;
	const char *end;
	int found = -1;

	if (!image_section(f, ".gnu_debugaltlink", &part))
		return -1;
	end = memchr(part.bytes, 0, part.size);
	if (end) {
		id.n = part.size - (size_t)(end + 1 - (const char *)part.bytes);
		if (id.n && id.n <= FILE_ID_MAX) {
			memcpy(id.v, end + 1, id.n);
			found = find_alternate((const char *)part.bytes, &id, fd, root);
		}
	}
	free(part.bytes);
	return found;
}

/* ---- split units ---- */

static int open_package(const char *of)
{
	char path[PATH_MAX];
	int n = snprintf(path, sizeof(path), "%s.dwp", of);

	return n > 0 && (size_t)n < sizeof(path) ? open_with(path, ".debug_cu_index") : -1;
}

int debug_parts_package(int fd, const char *path)
{
	char own[PATH_MAX];
	int found = -1;

	if (path_of(fd, own))
		found = open_package(own);
	return found < 0 && path ? open_package(path) : found;
}

static int open_split(const char *path)
{
	return open_with(path, ".debug_info.dwo");
}

/* Beside @beside: by the whole of a relative name, or by its last part for a file that was moved
 * there. */
static int split_beside(const char *beside, const char *name)
{
	char path[PATH_MAX];
	int found = -1;

	if (name[0] != '/' && join_beside(beside, name, path))
		found = open_split(path);
	if (found < 0 && join_beside(beside, file_name(name), path))
		found = open_split(path);
	return found;
}

int debug_parts_split(int fd, const char *path, const char *folder, const char *name)
{
	char whole[PATH_MAX], own[PATH_MAX];
	int found = -1, n;

	if (name[0] != '/' && *folder) {
		n = snprintf(whole, sizeof(whole), "%s/%s", folder, name);
		if (n > 0 && (size_t)n < sizeof(whole))
			name = whole;
	}
	if (name[0] == '/')
		found = open_split(name);
	if (found < 0 && path_of(fd, own))
		found = split_beside(own, name);
	return found < 0 ? split_beside(path, name) : found;
}
