/* SPDX-License-Identifier: GPL-2.0 */
/* Whole files in memory, and text that grows. */
#ifndef LOADER_FILE_H
#define LOADER_FILE_H

#include <stddef.h>

/* A growing text; all zero is empty. */
struct text {
	char *s; /* @len bytes and a NUL, or NULL when nothing was ever added */
	size_t len, room;
};

/** text_add / text_add_str - append; ends the program with E_NO_MEMORY when there is none. */
void text_add(struct text *t, const char *s, size_t len);
void text_add_str(struct text *t, const char *s);
void text_deinit(struct text *t);

/** file_alloc - zeroed memory for @n elements of @size bytes; without it the program ends. */
void *file_alloc(size_t n, size_t size);
/** file_read - append a whole file, which may be one of /proc or /sys, to @ret. 0 or -errno. */
int file_read(const char *path, struct text *ret);
/** file_read_line - the first line of a file, without its newline. 0 or -errno. */
int file_read_line(const char *path, char *buf, size_t size);
/** file_write_all - all bytes to @fd. 0 or -errno. */
int file_write_all(int fd, const void *data, size_t len);

#endif
