/* SPDX-License-Identifier: GPL-2.0 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"

int file_read(const char *path, struct buf *b)
{
	enum { CHUNK = 1 << 16 };
	int err = 0, fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	ssize_t n = 0;

	if (fd < 0)
		return -errno;
	/* Files of /proc have no size; those of /sys have to be read at once. */
	size_t size = !fstat(fd, &st) && st.st_size > CHUNK ? (size_t)st.st_size : CHUNK;
	char *chunk = malloc(size);

	while (chunk && (n = read(fd, chunk, size)) > 0)
		buf_write(b, chunk, (size_t)n);
	if (!chunk || n < 0)
		err = -errno;
	free(chunk);
	close(fd);
	return err;
}

static int write_all(int fd, const char *p, size_t n)
{
	while (n) {
		ssize_t done = write(fd, p, n);

		if (done < 0 && errno != EINTR)
			return -errno;
		if (done > 0) {
			p += done;
			n -= done;
		}
	}
	return 0;
}

int file_write(const char *path, const void *data, size_t n)
{
	char tmp[4096];
	int err, fd;

	if ((size_t)snprintf(tmp, sizeof(tmp), "%s.XXXXXX", path) >= sizeof(tmp))
		return -ENAMETOOLONG;
	fd = mkostemp(tmp, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = write_all(fd, data, n);
	if (!err && fchmod(fd, 0644))
		err = -errno;
	if (close(fd) && !err)
		err = -errno;
	if (!err && rename(tmp, path))
		err = -errno;
	if (err)
		unlink(tmp);
	return err;
}

int file_copy(const char *src, const char *dst)
{
	struct buf b;
	int err;

	buf_init(&b);
	err = file_read(src, &b);
	if (!err)
		err = file_write(dst, b.s, b.len);
	buf_deinit(&b);
	return err;
}
