/* SPDX-License-Identifier: GPL-2.0 */
/* Writes output to files of a limited size. */
#include "show/rotate.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared/file.h"
#include "shared/memory.h"

static int remove_numbered(struct rotate *r, unsigned number)
{
	char name[NAME_MAX + 1];

	if (snprintf(name, sizeof(name), "%s.%u", r->name, number) >= (int)sizeof(name))
		return -ENAMETOOLONG;
	return unlinkat(r->dir, name, 0) == 0 || errno == ENOENT ? 0 : -errno;
}

static int open_numbered(struct rotate *r)
{
	char name[NAME_MAX + 1];
	int err = remove_numbered(r, r->number);

	if (err)
		return err;
	snprintf(name, sizeof(name), "%s.%u", r->name, r->number);
	r->fd = openat(r->dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	return r->fd < 0 ? -errno : 0;
}

int rotate_open(struct rotate *r, const char *path, uint64_t limit, unsigned keep)
{
	const char *name = file_name(path);
	char dir[PATH_MAX];
	int n;

	*r = (struct rotate){ .fd = -1, .limit = limit, .keep = keep };
	n = name > path ? snprintf(dir, sizeof(dir), "%.*s", (int)(name - path), path) :
			  snprintf(dir, sizeof(dir), ".");
	if (n >= (int)sizeof(dir))
		return -ENAMETOOLONG;
	r->dir = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (r->dir < 0)
		return -errno;
	r->name = memory_zeroed(strlen(name) + 1, 1);
	strcpy(r->name, name);
	return open_numbered(r);
}

int rotate_resume(struct rotate *r, unsigned number)
{
	char name[NAME_MAX + 1];

	if (!r->name || number == r->number)
		return 0;
	close(r->fd);
	r->number = number;
	snprintf(name, sizeof(name), "%s.%u", r->name, number);
	r->fd = openat(r->dir, name, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
	return r->fd < 0 ? -errno : 0;
}

static int close_file(struct rotate *r)
{
	int fd = r->fd;

	r->fd = -1;
	return fd >= 0 && close(fd) != 0 ? -errno : 0;
}

static int next_file(struct rotate *r)
{
	int err = close_file(r);

	r->number++;
	if (r->told)
		*r->told = r->number;
	if (!err)
		err = open_numbered(r);
	if (!err)
		err = file_write_all(r->fd, r->heading.s, r->heading.len);
	r->written = r->heading.len;
	r->full = 0;
	if (!err && r->keep && r->number >= r->keep)
		err = remove_numbered(r, r->number - r->keep);
	return err;
}

/* Returns the number of bytes of the text that go into this file; 0: it is full. */
static size_t share(const struct rotate *r, const char *text, size_t len)
{
	uint64_t room = !r->full && r->written < r->limit ? r->limit - r->written : 0;
	const char *newline;

	if (len <= room)
		return len;
	newline = memrchr(text, '\n', room);
	if (newline)
		return (size_t)(newline - text) + 1;
	if (!r->within_line && (r->full || r->written > r->heading.len))
		return 0;
	/* A line that is already in the file, or longer than a file. */
	newline = memchr(text, '\n', len);
	return newline ? (size_t)(newline - text) + 1 : len;
}

int rotate_write(void *rotate, const char *text, size_t len)
{
	struct rotate *r = rotate;

	while (len > 0) {
		size_t n = share(r, text, len);
		int err = n ? file_write_all(r->fd, text, n) : next_file(r);

		if (err)
			return err;
		if (!n)
			continue;
		r->written += n;
		r->within_line = text[n - 1] != '\n';
		text += n;
		len -= n;
	}
	return 0;
}

int rotate_next(void *rotate)
{
	struct rotate *r = rotate;

	r->full = 1;
	return r->within_line ? 0 : next_file(r);
}

void rotate_heading(void *rotate, const char *line, size_t len)
{
	struct rotate *r = rotate;

	r->heading.len = 0;
	buf_write(&r->heading, line, len);
}

int rotate_close(struct rotate *r)
{
	int err;

	if (!r->name)
		return 0;
	err = close_file(r);
	close(r->dir);
	free(r->name);
	r->name = NULL;
	buf_deinit(&r->heading);
	return err;
}
