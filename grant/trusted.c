/* SPDX-License-Identifier: GPL-2.0 */
#include "trusted.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- one part of a path ---- */

static int open_part(int dir, const char *part, bool last)
{
	return openat(dir, part, last ? O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY :
					O_PATH | O_NOFOLLOW | O_CLOEXEC);
}

/* In a directory like /tmp, others can put links to files of root, but not replace a directory. */
static const char *distrust(const struct stat *st, unsigned below)
{
	bool last = below == 0;

	if (S_ISLNK(st->st_mode))
		return "is a symbolic link";
	if (last ? !S_ISREG(st->st_mode) : !S_ISDIR(st->st_mode))
		return last ? "is not a regular file" : "is not a directory";
	if (st->st_uid != 0 && st->st_uid != geteuid())
		return "does not belong to root";
	if (st->st_mode & (S_IWGRP | S_IWOTH) && (below < 2 || !(st->st_mode & S_ISVTX)))
		return "can be written by users other than root";
	return NULL;
}

/* ---- paths ---- */

struct walk {
	const char *path;      /* the whole */
	size_t checked;        /* bytes of it that have been opened */
	struct trusted_problem *why;
};

static int refuse(const struct walk *w, int err, const char *what)
{
	snprintf(w->why->text, sizeof(w->why->text), "'%.*s' %s", (int)w->checked, w->path,
		 what ? what : strerror(-err));
	return err;
}

/* Closes @dir. @below: how many parts come after this one. Returns the descriptor of the part, or
 * -errno. */
static int step(struct walk *w, int dir, const char *part, unsigned below)
{
	bool last = below == 0;
	const char *what;
	struct stat st;
	int fd = open_part(dir, part, last), err = fd < 0 ? -errno : 0;

	close(dir);
	if (err == -ELOOP)
		return refuse(w, -EPERM, "is a symbolic link");
	if (err)
		return refuse(w, err == -ENOENT && !last ? -EPERM : err,
			      err == -ENOENT ? "does not exist" : NULL);
	err = fstat(fd, &st) ? -errno : 0;
	what = err ? NULL : distrust(&st, below);
	if (!err && !what)
		return fd;
	close(fd);
	return refuse(w, err ? err : -EPERM, what);
}

static unsigned parts_in(const char *path)
{
	unsigned n = 0;

	for (; *path; path++)
		n += *path == '/';
	return n;
}

/* Checks and opens all parts of w->path. */
static int walk(struct walk *w)
{
	char part[NAME_MAX + 1];
	const char *at = w->path;
	int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return refuse(w, -errno, NULL);
	while (fd >= 0 && *at == '/') {
		size_t n = strcspn(++at, "/");

		w->checked = (size_t)(at - w->path) + n;
		if (!n || n >= sizeof(part)) {
			close(fd);
			return refuse(w, -EPERM, "is not a path");
		}
		memcpy(part, at, n);
		part[n] = '\0';
		at += n;
		fd = step(w, fd, part, parts_in(at));
	}
	return fd;
}

int trusted_open(const char *path, const char *name, struct trusted_problem *why)
{
	char whole[PATH_MAX + NAME_MAX + 2];
	struct walk w = { .path = whole, .why = why };

	if (name && (!*name || strchr(name, '/') || strcmp(name, ".") == 0 ||
		     strcmp(name, "..") == 0 || strlen(name) > NAME_MAX)) {
		snprintf(why->text, sizeof(why->text), "'%.64s' is not the name of a file", name);
		return -EINVAL;
	}
	if (*path != '/' || strlen(path) >= PATH_MAX) {
		snprintf(why->text, sizeof(why->text), "'%.64s' is not an absolute path", path);
		return -EPERM;
	}
	snprintf(whole, sizeof(whole), "%s%s%s", path, name ? "/" : "", name ? name : "");
	return walk(&w);
}

int trusted_read(int fd, size_t max, char **ret, size_t *len)
{
	struct stat st;
	size_t size;
	ssize_t n;

	if (fstat(fd, &st))
		return -errno;
	if (st.st_size < 0 || (uintmax_t)st.st_size > max)
		return -EFBIG;
	size = (size_t)st.st_size;
	*ret = malloc(size + 1);
	if (!*ret)
		return -ENOMEM;
	for (*len = 0; *len < size; *len += (size_t)n) {
		n = pread(fd, *ret + *len, size - *len, (off_t)*len);
		if (n < 0 && errno == EINTR)
			n = 0;
		else if (n <= 0)
			break;
	}
	if (*len == size)
		return 0;
	n = n < 0 ? -errno : -EIO;
	free(*ret);
	return (int)n;
}
