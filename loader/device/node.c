/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The directory of a node contains the number of its process in its name, so that the next start
 * recognises what a killed process has left: .probec-PID-XXXXXX. Everybody may create files in
 * /tmp, so only a directory that we own exclusively is removed, and no link is followed.
 */
#include "device/node.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/namespace.h"
#include "common/say.h"

#define PREFIX ".probec-"
#define NODE "device"

static const char *const places[] = { "/dev", "/run", "/tmp" };

enum { NPLACES = sizeof(places) / sizeof(places[0]) };

int node_open(dev_t number)
{
	int fd = -1, err = ENOENT;

	for (size_t i = 0; i < NPLACES && fd < 0; i++) {
		char dir[80], node[96], own[NAMESPACE_NAME];

		snprintf(dir, sizeof(dir), "%s/" PREFIX "%s-XXXXXX", places[i],
			 namespace_name(own));
		if (!mkdtemp(dir)) {
			err = errno;
			continue;
		}
		snprintf(node, sizeof(node), "%s/" NODE, dir);
		if (mknod(node, S_IFCHR | 0600, number) == 0) {
			fd = open(node, O_RDWR | O_CLOEXEC);
			err = errno;
			unlink(node);
		} else {
			err = errno;
		}
		rmdir(dir);
	}
	errno = err;
	return fd;
}

/* Returns whether the name is that of a directory whose process has ended. */
static bool is_stale(const char *name)
{
	const char *end;

	return strncmp(name, PREFIX, sizeof(PREFIX) - 1) == 0 &&
	       namespace_has_ended(name + sizeof(PREFIX) - 1, &end) && *end == '-' &&
	       strlen(end + 1) == 6;
}

static void remove_dir(int where, const char *name)
{
	int fd = openat(where, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && st.st_uid == geteuid() && (st.st_mode & 07777) == 0700) {
		unlinkat(fd, NODE, 0);
		if (unlinkat(where, name, AT_REMOVEDIR) == 0)
			say_step("removed %s, which a killed session had left", name);
	}
	close(fd);
}

void node_sweep(const char *where)
{
	DIR *d = opendir(where);
	struct dirent *e;

	if (!d)
		return;
	while ((e = readdir(d)) != NULL)
		if (is_stale(e->d_name))
			remove_dir(dirfd(d), e->d_name);
	closedir(d);
}

void node_sweep_all(void)
{
	for (size_t i = 0; i < NPLACES; i++)
		node_sweep(places[i]);
}
