/* SPDX-License-Identifier: GPL-2.0 */
/* A user has a part of the file: a byte for each slot of each kind, and one that is locked while
 * somebody counts. */
#include "slots.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "policy.h"

enum { KINDS = 2, COUNTING = POLICY_SESSIONS_MAX, OF_KIND, OF_USER = KINDS * OF_KIND };

static struct flock lock_of(off_t at, short type)
{
	return (struct flock){ .l_type = type, .l_whence = SEEK_SET, .l_start = at, .l_len = 1 };
}

static int set_lock(int fd, off_t at, int command)
{
	struct flock lock = lock_of(at, F_WRLCK);
	int err;

	do
		err = fcntl(fd, command, &lock) ? -errno : 0;
	while (err == -EINTR);
	return err;
}

static bool is_taken(int fd, off_t at)
{
	struct flock lock = lock_of(at, F_WRLCK);

	return fcntl(fd, F_OFD_GETLK, &lock) || lock.l_type != F_UNLCK;
}

/* Takes the first free one of the slots at @first. Nobody else counts meanwhile. */
static int take_free(int fd, off_t first, unsigned n)
{
	off_t free = -1;
	unsigned taken = 0;

	for (off_t at = first; at < first + POLICY_SESSIONS_MAX; at++) {
		if (is_taken(fd, at))
			taken++;
		else if (free < 0)
			free = at;
	}
	return taken >= n || free < 0 ? -EUSERS : set_lock(fd, free, F_OFD_SETLK);
}

int slots_take(const char *file, uid_t uid, enum slots_kind kind, unsigned n)
{
	off_t first = (off_t)uid * OF_USER + (off_t)kind * OF_KIND;
	char path[PATH_MAX];
	struct flock counted = lock_of(first + COUNTING, F_UNLCK);
	int err, fd;

	snprintf(path, sizeof(path), "%s", file);
	err = run_dir_make(dirname(path));
	if (err)
		return err;
	fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return -errno;
	err = set_lock(fd, first + COUNTING, F_OFD_SETLKW);
	if (!err)
		err = take_free(fd, first, n);
	if (!err && fcntl(fd, F_OFD_SETLK, &counted))
		err = -errno;
	if (!err)
		return fd;
	close(fd);
	return err;
}
