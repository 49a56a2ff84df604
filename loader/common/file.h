/* SPDX-License-Identifier: GPL-2.0 */
/* Whole files, read and written. */
#ifndef LOADER_FILE_H
#define LOADER_FILE_H

#include <stddef.h>

#include "common/text.h"

/** file_read - append a whole file, which may be one of /proc or /sys, to @ret. 0 or -errno. */
int file_read(const char *path, struct text *ret);
/** file_read_regular - the same for a regular file of @max bytes at most. -ENOTSUP: it is none,
 *  -EFBIG: it is larger. Waits for nobody. */
int file_read_regular(const char *path, size_t max, struct text *ret);
/** file_read_line - the first line of a file, without its newline. 0 or -errno. */
int file_read_line(const char *path, char *buf, size_t size);
/** file_write_all - all bytes to @fd. 0 or -errno. */
int file_write_all(int fd, const void *data, size_t len);

#endif
