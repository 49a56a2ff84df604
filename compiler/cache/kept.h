/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files with information about a kernel in the cache, below symbols/: one for each kind and
 * build-id. Readers map them into memory.
 *
 *   HEAD SIZE    padded with blanks to whole words, and a newline
 *   SIZE bytes
 */
#ifndef CACHE_KEPT_H
#define CACHE_KEPT_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct buf;

/* A file's place. */
struct kept {
	const char *dir;  /* NULL: nothing is kept */
	const char *name;
	const char *head; /* what it must begin with: a format, and whose it is; no newline */
};

/* All zero: none. */
struct kept_file {
	void *map;
	size_t map_size;  /* bytes */
	const char *data; /* behind the head, aligned for 8 bytes; NULL: there is none */
	size_t size;      /* bytes */
};

/** kept_open - map the file; false: there is none, it is cut, or has another head. */
bool kept_open(struct arena *a, const struct kept *at, struct kept_file *ret);
/** kept_write - make it at once, in place of another; what goes wrong is not reported. */
void kept_write(struct arena *a, const struct kept *at, const void *data, size_t size);
/** kept_close - accepts a zeroed one. */
void kept_close(struct kept_file *f);

#endif
