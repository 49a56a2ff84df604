/* SPDX-License-Identifier: GPL-2.0 */
/* Reads whole files, writes them so that readers never see an incomplete one, removes folders. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stddef.h>

struct buf;

/** file_read - append the contents of a regular file to @b, also of /proc and /sys. Returns 0 or
 *  -errno; -ENOTSUP for a FIFO or a device. */
int file_read(const char *path, struct buf *b);
/** file_open_input - open a file that may be a FIFO, as that of <(...) of a shell. A FIFO must have
 *  a writer, or get one within 5 seconds. Returns the descriptor, or -1 with errno set: ETIMEDOUT
 *  for a FIFO that no process writes to. */
int file_open_input(const char *path);
/** file_write - write a file with mode 0644. It appears complete by a rename and replaces an older
 *  one. Returns 0 or -errno. */
int file_write(const char *path, const void *data, size_t n);
/** file_make_dirs - make the directory @path and those above it that do not exist, with mode 0700.
 *  @path is changed meanwhile. Returns 0 or -errno. */
int file_make_dirs(char *path);
/** file_copy - copy a file; @dst appears as with file_write(). Returns 0 or -errno. */
int file_copy(const char *src, const char *dst);

/** file_remove_tree - remove @path; a directory with its contents. Links are not followed. Files
 *  that can't be removed are left. */
void file_remove_tree(const char *path);

#endif
