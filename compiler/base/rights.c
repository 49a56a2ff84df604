/* SPDX-License-Identifier: GPL-2.0 */
/* Checks that other users cannot have written a file or directory. */
#include "base/rights.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *rights_home(void)
{
	const char *dir = getenv("HOME");
	struct stat st;
	struct passwd *pw;

	if (dir && *dir == '/' && !stat(dir, &st) && st.st_uid == geteuid())
		return dir;
	pw = getpwuid(geteuid());
	return pw && pw->pw_dir && *pw->pw_dir == '/' ? pw->pw_dir : NULL;
}

bool rights_is_own_dir(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
	       !(st.st_mode & (S_IWGRP | S_IWOTH));
}

bool rights_is_of_root(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && S_ISDIR(st.st_mode) && !st.st_uid &&
	       !(st.st_mode & (S_IWGRP | S_IWOTH)) && rights_is_safe(path);
}

/* In a directory like /tmp, other users can write but not replace this user's files. */
bool rights_is_safe(const char *path)
{
	char dir[PATH_MAX];
	size_t len = strlen(path);

	if (len >= sizeof(dir) || *path != '/')
		return false;
	memcpy(dir, path, len + 1);
	do {
		char *slash = strrchr(dir, '/');
		struct stat st;

		slash[slash == dir] = '\0';
		if (lstat(dir, &st) || !S_ISDIR(st.st_mode) ||
		    (st.st_uid && st.st_uid != geteuid()) ||
		    (st.st_mode & (S_IWGRP | S_IWOTH) && !(st.st_mode & S_ISVTX)))
			return false;
	} while (dir[1]);
	return true;
}

int rights_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	char real[PATH_MAX];
	struct stat st;

	if (fd < 0)
		return -errno;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && (!st.st_uid || st.st_uid == geteuid()) &&
	    !(st.st_mode & (S_IWGRP | S_IWOTH)) && realpath(path, real) && rights_is_safe(real))
		return fd;
	close(fd);
	return -EPERM;
}
