/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces a file so that its readers never see a part of it, for the compiler and the loader. */
#ifndef SHARED_REPLACE_H
#define SHARED_REPLACE_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/** replace_write - write all of the @n bytes to @fd. 0 or -errno. */
static inline int replace_write(int fd, const void *bytes, size_t n)
{
	const char *p = bytes;

	while (n) {
		ssize_t done = write(fd, p, n);

		if (done < 0 && errno != EINTR)
			return -errno;
		if (done > 0) {
			p += done;
			n -= (size_t)done;
		}
	}
	return 0;
}

/**
 * replace_file - write @nparts pieces of memory, one after the other, to a temporary file with
 * @mode in the folder of @path, and rename it to @path. An older file stays as it is when this
 * fails. 0 or -errno.
 */
static inline int replace_file(const char *path, mode_t mode, const struct iovec *parts, int nparts)
{
	char *temporary;
	int fd, err = 0;

	if (asprintf(&temporary, "%s.XXXXXX", path) < 0)
		return -ENOMEM;
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0) {
		err = -errno;
		free(temporary);
		return err;
	}
	for (int i = 0; i < nparts && !err; i++)
		err = replace_write(fd, parts[i].iov_base, parts[i].iov_len);
	if (!err && fchmod(fd, mode))
		err = -errno;
	if (close(fd) && !err)
		err = -errno;
	if (!err && rename(temporary, path))
		err = -errno;
	if (err)
		unlink(temporary);
	free(temporary);
	return err;
}

#endif
