/* SPDX-License-Identifier: GPL-2.0 */
#include "slots.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy.h"

static int make_directory(const char *file)
{
	char path[PATH_MAX], *dir;
	struct stat st;

	snprintf(path, sizeof(path), "%s", file);
	dir = dirname(path);
	if (mkdir(dir, 0700) && errno != EEXIST)
		return -errno;
	if (lstat(dir, &st))
		return -errno;
	return S_ISDIR(st.st_mode) && st.st_uid == geteuid() && !(st.st_mode & 077) ? 0 : -EPERM;
}

int slots_take(const char *file, uid_t uid, unsigned n)
{
	int err = make_directory(file), fd;

	if (err)
		return err;
	fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return -errno;
	for (unsigned i = 0; i < n; i++) {
		struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1,
				      .l_start = (off_t)uid * POLICY_SESSIONS_MAX + i };

		if (!fcntl(fd, F_OFD_SETLK, &lock))
			return fd;
		if (errno != EAGAIN && errno != EACCES) {
			err = -errno;
			break;
		}
	}
	close(fd);
	return err ? err : -EUSERS;
}
