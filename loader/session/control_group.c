/* SPDX-License-Identifier: GPL-2.0 */
/* The control group of --cgroup. */
#include "session/control_group.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <mntent.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "common/say.h"

static int open_dir(const char *path)
{
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Whether it is a directory of the second version of control groups; closes it if not. */
static bool is_group(int fd)
{
	struct statfs fs;

	if (fd >= 0 && fstatfs(fd, &fs) == 0 && fs.f_type == CGROUP2_SUPER_MAGIC)
		return true;
	if (fd >= 0)
		close(fd);
	return false;
}

/* Opens a group by its path from where the first of the hierarchy's mounts is. Returns -1 if there
 * is none. */
static int open_in_hierarchy(const char *path)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent *m;
	char full[4096];
	int fd = -1;

	while (mounts && fd < 0 && (m = getmntent(mounts)) != NULL) {
		if (strcmp(m->mnt_type, "cgroup2") != 0)
			continue;
		if ((size_t)snprintf(full, sizeof(full), "%s/%s", m->mnt_dir, path) < sizeof(full))
			fd = open_dir(full);
		if (!is_group(fd))
			fd = -1;
	}
	if (mounts)
		endmntent(mounts);
	return fd;
}

int control_group_open(const char *path)
{
	int fd = open_dir(path), err = fd < 0 ? errno : 0;

	if (is_group(fd))
		return fd;
	fd = open_in_hierarchy(path);
	if (fd >= 0)
		return fd;
	if (err && err != ENOENT)
		say_error("E_CGROUP", "give the directory of a control group",
			  "--cgroup: '%s': %s", path, strerror(err));
	else
		say_error("E_CGROUP",
			  "give the directory of one, such as /sys/fs/cgroup/system.slice, or its "
			  "path as shown in /proc/PID/cgroup after \"0::\"; findmnt -t cgroup2 "
			  "shows "
			  "where they are mounted",
			  "--cgroup: '%s' is not a control group of version 2%s", path,
			  err ? ": there is no such directory" : "");
	return -1;
}
