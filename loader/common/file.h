/* SPDX-License-Identifier: GPL-2.0 */
/* Reads and writes whole files. */
#ifndef LOADER_FILE_H
#define LOADER_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "common/text.h"

/** file_name - the part of @path after its last slash. */
const char *file_name(const char *path);
/** file_read - append a whole file, which may be one of /proc or /sys, to @ret. 0 or -errno. */
int file_read(const char *path, struct text *ret);
/** file_read_fd - append what can be read from @fd, which stays the caller's. 0 or -errno. */
int file_read_fd(int fd, struct text *ret);
/** file_read_regular - the same for a regular file of at most @max bytes, without waiting.
 * -ENOTSUP: not a regular file; -EFBIG: larger than @max. */
int file_read_regular(const char *path, size_t max, struct text *ret);
/** file_read_line - read the first line of a file, without its newline. 0 or -errno. */
int file_read_line(const char *path, char *buf, size_t size);
/** file_read_at - read @len bytes from byte @offset of @fd on. 0, -errno, or -ENODATA: the file
 * ends before. */
int file_read_at(int fd, void *to, size_t len, uint64_t offset);
/** file_write_all - write all bytes to @fd. 0 or -errno. */
int file_write_all(int fd, const void *data, size_t len);
/** file_wait_room - after EAGAIN, when another process that shares @fd has made it non-blocking:
 * wait until it takes bytes, a signal comes, or a second has passed. */
void file_wait_room(int fd);

#endif
