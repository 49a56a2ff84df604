/* SPDX-License-Identifier: GPL-2.0 */
#include "shared/file.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/buf.h"

enum { READ_AT_LEAST = 1 << 14, ROOM_MS = 1000 };

const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* ---- reading ---- */

int file_read_fd(int fd, struct buf *b)
{
	ssize_t n;

	do {
		buf_reserve(b, READ_AT_LEAST);
		n = read(fd, b->s + b->len, b->cap - b->len - 1);
		if (n > 0)
			b->len += (size_t)n;
	} while (n > 0 || (n < 0 && errno == EINTR));
	n = n < 0 ? -errno : 0;
	b->s[b->len] = '\0';
	return (int)n;
}

int file_read_limited(const char *path, size_t max, struct buf *b)
{
	/* Opening a FIFO would wait for a writer. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK), err = 0;
	struct stat st;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) != 0)
		err = -errno;
	else if (!S_ISREG(st.st_mode))
		err = S_ISDIR(st.st_mode) ? -EISDIR : -ENOTSUP;
	else if ((uint64_t)st.st_size > max)
		err = -EFBIG;
	if (!err) {
		/* Files of /proc have no size, and those of /sys have to be read at once. */
		buf_reserve(b, (size_t)st.st_size + READ_AT_LEAST);
		err = file_read_fd(fd, b);
	}
	close(fd);
	return err;
}

int file_read(const char *path, struct buf *b)
{
	return file_read_limited(path, SIZE_MAX, b);
}

int file_read_line(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = read(fd, buf, size - 1);
	if (n < 0)
		n = -errno;
	close(fd);
	if (n < 0)
		return (int)n;
	buf[n] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	return 0;
}

int file_read_at(int fd, void *to, size_t len, uint64_t offset)
{
	char *p = to;

	while (len) {
		ssize_t n = pread(fd, p, len, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -ENODATA;
		p += n;
		offset += (uint64_t)n;
		len -= (size_t)n;
	}
	return 0;
}

/* tee() sees the difference between a FIFO that nobody writes to and one whose writer takes its
 * time, and takes nothing from it. */
static bool has_writer(int fifo, int copies)
{
	ssize_t n = tee(fifo, copies, 1, SPLICE_F_NONBLOCK);

	return n > 0 || (n < 0 && errno == EAGAIN);
}

/* 0, or -1 with errno set: no process writes to @fifo. */
static int await_writer(int fifo)
{
	enum { LOOKS = 50, LOOK_MS = 100 };
	struct pollfd p = { .fd = fifo, .events = POLLIN };
	int copies[2];
	bool ret = false;

	if (pipe2(copies, O_CLOEXEC))
		return -1;
	for (int i = 0; i < LOOKS && !ret; i++)
		ret = has_writer(fifo, copies[1]) || poll(&p, 1, LOOK_MS) > 0;
	close(copies[0]);
	close(copies[1]);
	errno = ETIMEDOUT;
	return ret ? 0 : -1;
}

int file_open_input(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK), saved;
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode) && await_writer(fd)) {
		saved = errno;
		close(fd);
		errno = saved;
		return -1;
	}
	fcntl(fd, F_SETFL, 0);
	return fd;
}

/* ---- writing ---- */

int file_write_all(int fd, const void *data, size_t len)
{
	const char *p = data;

	while (len) {
		ssize_t done = write(fd, p, len);

		if (done < 0 && errno != EINTR)
			return -errno;
		if (done > 0) {
			p += done;
			len -= (size_t)done;
		}
	}
	return 0;
}

void file_wait_room(int fd)
{
	poll(&(struct pollfd){ .fd = fd, .events = POLLOUT }, 1, ROOM_MS);
}

int file_replace(const char *path, mode_t mode, const struct iovec *parts, int nparts)
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
		err = file_write_all(fd, parts[i].iov_base, parts[i].iov_len);
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

int file_write(const char *path, const void *data, size_t n)
{
	struct iovec part = { (void *)(uintptr_t)data, n };

	return file_replace(path, 0644, &part, 1);
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

/* ---- directories ---- */

int file_make_dirs(char *path)
{
	for (char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
		int err;

		*p = '\0';
		err = mkdir(path, 0700) && errno != EEXIST ? -errno : 0;
		*p = '/';
		if (err)
			return err;
	}
	return mkdir(path, 0700) && errno != EEXIST ? -errno : 0;
}

enum { OPEN_AT_ONCE = 16 };

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	remove(path);
	return 0;
}

void file_remove_tree(const char *path)
{
	nftw(path, remove_one, OPEN_AT_ONCE, FTW_DEPTH | FTW_PHYS);
}
