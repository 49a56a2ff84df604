/* SPDX-License-Identifier: GPL-2.0 */
/* The process chooses what is at that path: a link that leads out of its root, a device that does
 * something when it is opened. So the path is resolved inside the root, and looked at first. */
#include "unwind/perf_map.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/file.h"

/* A process as it sees itself. */
struct own_view {
	unsigned long pid;    /* in its innermost namespace */
	unsigned long user;   /* effective */
};

static bool read_view(pid_t pid, struct own_view *ret)
{
	struct text text = { 0 };
	char path[64], *line;
	size_t at = 0;
	int found = 0;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	if (file_read(path, &text) == 0)
		while ((line = text_line(&text, &at))) {
			if (strncmp(line, "NSpid:", 6) == 0) {
				ret->pid = strtoul(strrchr(line, '\t') + 1, NULL, 10);
				found |= 1;
			} else if (sscanf(line, "Uid: %*u %lu", &ret->user) == 1) {
				found |= 2;
			}
		}
	text_deinit(&text);
	return found == 3;
}

/* A descriptor by which the file can be looked at, but not read. */
static int find_file(pid_t pid, const char *path)
{
	const struct open_how how = {
		.flags = O_PATH | O_CLOEXEC | O_NOFOLLOW,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	char root[64];
	int dir, fd;

	snprintf(root, sizeof(root), "/proc/%d/root", (int)pid);
	dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return -1;
	fd = (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
	close(dir);
	return fd;
}

static int open_for_reading(int found)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", found);
	return open(path, O_RDONLY | O_CLOEXEC);
}

int perf_map_open(pid_t pid, char *path)
{
	struct own_view view;
	struct stat st;
	int found, fd = -1;

	if (!read_view(pid, &view))
		return -1;
	snprintf(path, PERF_MAP_PATH, "/tmp/perf-%lu.map", view.pid);
	found = find_file(pid, path);
	if (found < 0)
		return -1;
	if (fstat(found, &st) == 0 && S_ISREG(st.st_mode) &&
	    (st.st_uid == view.user || st.st_uid == 0))
		fd = open_for_reading(found);
	close(found);
	return fd;
}
