/* SPDX-License-Identifier: GPL-2.0 */
/* Reads whole files, writes them so that readers never see an incomplete one, removes folders. */
#ifndef SHARED_FILE_H
#define SHARED_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

struct buf;

/** file_name - the part of @path after its last slash. */
const char *file_name(const char *path);

/** file_read - append the contents of a regular file to @b, also of /proc and /sys. Returns 0 or
 *  -errno; -ENOTSUP for a FIFO or a device, for which nobody waits. */
int file_read(const char *path, struct buf *b);
/** file_read_limited - the same for a file of at most @max bytes. -EFBIG: it is larger. */
int file_read_limited(const char *path, size_t max, struct buf *b);
/** file_read_fd - append what can be read from @fd, which stays the caller's. 0 or -errno. */
int file_read_fd(int fd, struct buf *b);
/** file_read_line - read the first line of a file, without its newline. 0 or -errno. */
int file_read_line(const char *path, char *buf, size_t size);
/** file_read_at - read @len bytes from byte @offset of @fd on. 0, -errno, or -ENODATA: the file
 *  ends before. */
int file_read_at(int fd, void *to, size_t len, uint64_t offset);
/** file_open_input - open a file that may be a FIFO, as that of <(...) of a shell. A FIFO must have
 *  a writer, or get one within 5 seconds. Returns the descriptor, or -1 with errno set: ETIMEDOUT
 *  for a FIFO that no process writes to. */
int file_open_input(const char *path);

/** file_write_all - write all bytes to @fd. 0 or -errno. */
int file_write_all(int fd, const void *data, size_t len);
/** file_wait_room - after EAGAIN, when another process that shares @fd has made it non-blocking:
 *  wait until it takes bytes, a signal comes, or a second has passed. */
void file_wait_room(int fd);
/** file_replace - write @nparts pieces of memory, one after the other, to a temporary file with
 *  @mode in the folder of @path, and rename it to @path. An older file stays as it is when this
 *  fails. 0 or -errno. */
int file_replace(const char *path, mode_t mode, const struct iovec *parts, int nparts);
/** file_write - the same with mode 0644 and one piece. */
int file_write(const char *path, const void *data, size_t n);
/** file_copy - copy a file; @dst appears as with file_write(). Returns 0 or -errno. */
int file_copy(const char *src, const char *dst);

/** file_make_dirs - make the directory @path and those above it that do not exist, with mode 0700.
 *  @path is changed meanwhile. Returns 0 or -errno. */
int file_make_dirs(char *path);
/** file_remove_tree - remove @path; a directory with its contents. Links are not followed. Files
 *  that can't be removed are left. */
void file_remove_tree(const char *path);

#endif
