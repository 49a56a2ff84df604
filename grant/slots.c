/* SPDX-License-Identifier: GPL-2.0 */
#include "slots.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "policy.h"

int slots_take(const char *file, uid_t uid, unsigned n)
{
	char path[PATH_MAX];
	int err, fd;

	snprintf(path, sizeof(path), "%s", file);
	err = run_dir_make(dirname(path));
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
