/* SPDX-License-Identifier: GPL-2.0 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/memory.h"
#include "shared/replace.h"

int file_read(const char *path, struct buf *b)
{
	enum { CHUNK = 1 << 16 };
	/* Opening a FIFO would wait for a writer. */
	int err = 0, fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;
	ssize_t n = 0;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) == 0 && !S_ISREG(st.st_mode)) {
		close(fd);
		return S_ISDIR(st.st_mode) ? -EISDIR : -ENOTSUP;
	}

	/* Files of /proc have no size, and those of /sys have to be read at once. */
	size_t size = !fstat(fd, &st) && st.st_size > CHUNK ? (size_t)st.st_size : CHUNK;
	char *chunk = malloc(size);

	if (!chunk)
		memory_lacks(path);
	while ((n = read(fd, chunk, size)) > 0)
		buf_write(b, chunk, (size_t)n);
	if (n < 0)
		err = -errno;
	free(chunk);
	close(fd);
	return err;
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

int file_write(const char *path, const void *data, size_t n)
{
	struct iovec part = { (void *)(uintptr_t)data, n };

	return replace_file(path, 0644, &part, 1);
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

/* ---- directories ---- */

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
