/* SPDX-License-Identifier: GPL-2.0 */
/* Whole files in memory, and text that grows. */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "say.h"

enum { READ_AT_ONCE = 1 << 20 };

static void no_memory(void)
{
	say_error("E_NO_MEMORY", "free some, or use a smaller -s", "out of memory");
	exit(1);
}

void *file_alloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		no_memory();
	return p;
}

static void text_reserve(struct text *t, size_t more)
{
	size_t need = t->len + more + 1;

	if (need <= t->room)
		return;
	if (t->room < need / 2)
		t->room = need;
	else
		t->room *= 2;
	t->s = realloc(t->s, t->room);
	if (!t->s)
		no_memory();
}

void text_add(struct text *t, const char *s, size_t len)
{
	text_reserve(t, len);
	memcpy(t->s + t->len, s, len);
	t->len += len;
	t->s[t->len] = '\0';
}

void text_add_str(struct text *t, const char *s)
{
	text_add(t, s, strlen(s));
}

void text_deinit(struct text *t)
{
	free(t->s);
	*t = (struct text){ 0 };
}

int file_read(const char *path, struct text *ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -errno;
	do {
		text_reserve(ret, READ_AT_ONCE);
		n = read(fd, ret->s + ret->len, READ_AT_ONCE);
		if (n > 0)
			ret->len += (size_t)n;
	} while (n > 0 || (n < 0 && errno == EINTR));
	n = n < 0 ? -errno : 0;
	ret->s[ret->len] = '\0';
	close(fd);
	return (int)n;
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

int file_write_all(int fd, const void *data, size_t len)
{
	const char *p = data;

	while (len > 0) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}
