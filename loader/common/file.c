/* SPDX-License-Identifier: GPL-2.0 */
/* Reads and writes whole files. */
#include "common/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/replace.h"

enum { READ_AT_LEAST = 4096, ROOM_MS = 1000 };

const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

int file_read_fd(int fd, struct text *ret)
{
	ssize_t n;

	do {
		text_reserve(ret, READ_AT_LEAST);
		n = read(fd, ret->s + ret->len, ret->capacity - ret->len - 1);
		if (n > 0)
			ret->len += (size_t)n;
	} while (n > 0 || (n < 0 && errno == EINTR));
	n = n < 0 ? -errno : 0;
	ret->s[ret->len] = '\0';
	return (int)n;
}

int file_read(const char *path, struct text *ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err;

	if (fd < 0)
		return -errno;
	err = file_read_fd(fd, ret);
	close(fd);
	return err;
}

int file_read_regular(const char *path, size_t max, struct text *ret)
{
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
	else
		err = file_read_fd(fd, ret);
	close(fd);
	return err;
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

int file_write_all(int fd, const void *data, size_t len)
{
	return replace_write(fd, data, len);
}

void file_wait_room(int fd)
{
	poll(&(struct pollfd){ .fd = fd, .events = POLLOUT }, 1, ROOM_MS);
}
