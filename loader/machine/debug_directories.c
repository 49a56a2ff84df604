/* SPDX-License-Identifier: GPL-2.0 */
#include "machine/debug_directories.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "machine/kernel.h"

bool debug_directories_search(const char *directories,
			      bool (*try)(void *arg, const char *directory), void *arg)
{
	bool found = false;

	for (const char *at = directories; *at && !found;) {
		size_t n = strcspn(at, ":");
		char directory[PATH_MAX];

		snprintf(directory, sizeof(directory), "%.*s", (int)n, at);
		found = n && try(arg, directory);
		at += n + (at[n] == ':');
	}
	return found;
}

bool debug_directories_by_id(const char *directory, const char *id,
			     bool (*try)(void *arg, const char *path), void *arg)
{
	char path[PATH_MAX + KERNEL_BUILD_ID_SIZE + 32];

	if (strlen(id) < 3)
		return false;
	snprintf(path, sizeof(path), "%s/.build-id/%.2s/%s.debug", directory, id, id + 2);
	return try(arg, path);
}
