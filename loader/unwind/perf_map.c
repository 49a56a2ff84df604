/* SPDX-License-Identifier: GPL-2.0 */
/* The process chooses what is at that path: a link that leads out of its root, a device that does
 * something when it is opened, a file system of its own that never answers. So the path is resolved
 * inside the root, without links, and looked at first. */
#include "unwind/perf_map.h"

#include <fcntl.h>
#include <inttypes.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shared/file.h"
#include "unwind/mounts.h"

/* A process as it sees itself. */
struct own_view {
	unsigned long pid;    /* in its innermost namespace */
	unsigned long user;   /* effective */
};

static bool read_view(pid_t pid, struct own_view *ret)
{
	struct buf text = { 0 };
	char path[64], *line;
	size_t at = 0;
	int found = 0;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	if (file_read(path, &text) == 0)
		while ((line = buf_line(&text, &at))) {
			if (strncmp(line, "NSpid:", 6) == 0) {
				ret->pid = strtoul(strrchr(line, '\t') + 1, NULL, 10);
				found |= 1;
			} else if (sscanf(line, "Uid: %*u %lu", &ret->user) == 1) {
				found |= 2;
			}
		}
	buf_deinit(&text);
	return found == 3;
}

/* Closes the folder @in. Returns a descriptor by which @name in it can be looked at, not read. */
static int find_in(struct mounts *mounts, int in, const char *name, uint64_t resolve)
{
	const struct open_how how = {
		.flags = O_PATH | O_CLOEXEC | O_NOFOLLOW,
		.resolve = resolve | RESOLVE_NO_SYMLINKS,
	};
	int fd = -1;

	if (in < 0)
		return -1;
	if (mounts_allow(mounts, in))
		fd = (int)syscall(SYS_openat2, in, name, &how, sizeof(how));
	close(in);
	return fd;
}

/* The names are those of the file's owner. Opens what @fd, of O_PATH, stands for, and closes it. */
static int open_owned(struct mounts *mounts, int fd, const struct own_view *view)
{
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && (st.st_uid == view->user || st.st_uid == 0))
		return mounts_open(mounts, fd);
	close(fd);
	return -1;
}

int perf_map_open(struct mounts *mounts, char *path)
{
	struct own_view view;
	char root[64];
	int fd;

	if (!read_view(mounts->pid, &view))
		return -1;
	snprintf(path, PERF_MAP_PATH, "/tmp/perf-%lu.map", view.pid);
	snprintf(root, sizeof(root), "/proc/%d/root", (int)mounts->pid);
	fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	fd = find_in(mounts, fd, "tmp", RESOLVE_IN_ROOT);
	fd = find_in(mounts, fd, path + strlen("/tmp/"), RESOLVE_BENEATH | RESOLVE_NO_XDEV);
	return open_owned(mounts, fd, &view);
}

/* Sets *@ret to the number in the path, ".../jit-NUMBER.dump". */
static bool dump_number(const char *path, unsigned long *ret)
{
	const char *name = file_name(path);
	char *end;

	if (strncmp(name, "jit-", 4) != 0 || name[4] < '0' || name[4] > '9')
		return false;
	*ret = strtoul(name + 4, &end, 10);
	return strcmp(end, ".dump") == 0;
}

bool perf_map_is_dump(const char *path)
{
	unsigned long number;

	return path[0] == '/' && dump_number(path, &number);
}

int perf_map_open_dump(struct mounts *mounts, uint64_t start, uint64_t end, const char *path)
{
	struct own_view view;
	unsigned long number;
	char mapping[96];

	if (!dump_number(path, &number) || !read_view(mounts->pid, &view) || number != view.pid)
		return -1;
	snprintf(mapping, sizeof(mapping), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64,
		 (int)mounts->pid, start, end);
	return open_owned(mounts, open(mapping, O_PATH | O_CLOEXEC), &view);
}
