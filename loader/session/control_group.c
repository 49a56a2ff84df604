/* SPDX-License-Identifier: GPL-2.0 */
#include "session/control_group.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "common/say.h"
#include "machine/containers.h"

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

static int open_named(const char *path)
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

/* ---- containers and pods ---- */

enum { DEPTH = 12 };

/* Whether a control group with that name is that of @id: libpod-ID.scope, but not the one of its
 * monitor; in names of slices, "_" stands for "-". */
static bool is_named(const char *group, const char *id)
{
	size_t len = strlen(id);

	if (strstr(group, "conmon"))
		return false;
	for (; strlen(group) >= len; group++) {
		size_t n = 0;

		while (n < len && (group[n] == id[n] || (group[n] == '_' && id[n] == '-')))
			n++;
		if (n == len)
			return true;
	}
	return false;
}

/* Opens the first group of @id in @dir and below, those nearer to it first; owns @dir. -1: there is
 * none. */
static int find_below(int dir, const char *id, int depth)
{
	DIR *d = depth ? fdopendir(dir) : NULL;
	struct dirent *e;
	int found = -1;

	if (!d) {
		close(dir);
		return -1;
	}
	for (int deeper = 0; deeper < 2 && found < 0; deeper++) {
		rewinddir(d);
		while (found < 0 && (e = readdir(d)) != NULL) {
			int inner;

			if (e->d_type != DT_DIR || *e->d_name == '.' ||
			    (!deeper && !is_named(e->d_name, id)))
				continue;
			inner = openat(dir, e->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC |
				       O_NOFOLLOW);
			if (inner >= 0)
				found = deeper ? find_below(inner, id, depth - 1) : inner;
		}
	}
	closedir(d);
	return found;
}

static int find_group(const char *id)
{
	int root = open_in_hierarchy("");

	return root < 0 ? -1 : find_below(root, id, DEPTH);
}

static bool may_be_id(const char *name)
{
	return strlen(name) >= 12 && strspn(name, "0123456789abcdef-") == strlen(name);
}

/* Opens that of a container or a pod by its name, or else by its id. */
static int open_container(enum container_kind kind, const char *name)
{
	struct containers all = { 0 };
	const char *what = kind == CONTAINER_POD ? "pod" : "container", *id;
	char first[80] = "";
	size_t at = 0;
	int found = -1;

	while ((id = containers_id(&all, kind, name, &at)) != NULL) {
		int fd = find_group(id);

		if (fd >= 0 && found >= 0) {
			say_error("E_CGROUP", "the id, or its first 12 digits, names one of them",
				  "several %ss on this machine have the name '%s': %s and %s", what,
				  name, first, id);
			close(fd);
			close(found);
			containers_deinit(&all);
			return -1;
		}
		if (fd < 0)
			continue;
		found = fd;
		snprintf(first, sizeof(first), "%s", id);
	}
	containers_deinit(&all);
	if (found < 0 && may_be_id(name))
		found = find_group(name);
	if (found < 0)
		say_error("E_CGROUP", "--cgroup PATH names a control group by its path",
			  "no %s of that name or id runs on this machine: '%s'", what, name);
	return found;
}

int control_group_choose(const struct group_name *n, bool wanted, int *fd)
{
	bool named = n->path || n->container || n->pod;

	if (wanted && !named) {
		say_error("E_CGROUP", "proberun --cgroup PATH, --container NAME or --pod NAME does",
			  "this module handles only hits of a control group, which nothing names");
		return -1;
	}
	if (named && !wanted) {
		say_error("E_CGROUP", "build it with probec -p4 --cgroup PATH",
			  "the module was not built for limiting its hits to a control group");
		return -1;
	}
	if (!named)
		return 0;
	*fd = n->path ? open_named(n->path) :
	      n->container ? open_container(CONTAINER, n->container) :
			     open_container(CONTAINER_POD, n->pod);
	return *fd < 0 ? -1 : 0;
}
