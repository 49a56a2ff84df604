/* SPDX-License-Identifier: GPL-2.0 */
/* Reads whole files, and writes them so that readers never see a part of one. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stddef.h>

struct buf;

/** file_read - append the whole content of a file to @b, of /proc and /sys too. 0 or -errno. */
int file_read(const char *path, struct buf *b);
/** file_write - write a new file with mode 0644. It appears by a rename, complete or not at all,
 *  and replaces an older one. 0 or -errno. */
int file_write(const char *path, const void *data, size_t n);
/** file_copy - copy a file; @dst appears as with file_write(). 0 or -errno. */
int file_copy(const char *src, const char *dst);

#endif
