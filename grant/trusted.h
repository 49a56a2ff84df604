/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files of the administrator. They belong to root, as do all directories above them; nobody else
 * can write to any of these, and none of them is a symbolic link. Above the directory that a file
 * is in, directories like /tmp are trusted: there, others can't replace what belongs to root. (A
 * process that is not root accepts its own files as well, which is what tests need.)
 */
#ifndef GRANT_TRUSTED_H
#define GRANT_TRUSTED_H

#include <stddef.h>

/* Why something is not trusted, as part of a sentence. */
struct trusted_problem {
	char text[256];
};

/**
 * trusted_open - open a regular file for reading, checking every part of its path
 *
 * @path: absolute, without "." and ".."
 * @name: a file in the directory @path, or NULL: @path is the file
 *
 * Each part is opened in the directory that was checked before it, so what is checked is what is
 * opened. Returns a descriptor, or -errno with the reason in @why: -ENOENT: the last part does not
 * exist; -EPERM: something is not trusted; -EINVAL: @name is not a name of one part.
 */
int trusted_open(const char *path, const char *name, struct trusted_problem *why);

/** trusted_read - read all of the file @fd into memory of malloc() with room for one byte more.
 *  0 with @ret and @len, or -errno; -EFBIG: it has more than @max bytes. */
int trusted_read(int fd, size_t max, char **ret, size_t *len);

#endif
