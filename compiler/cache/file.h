/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files with information about a kernel in the cache, below symbols/: one for each kind and
 * build-id. Readers map them into memory.
 *
 *   HEAD SIZE    padded with blanks to whole words, and a newline
 *   SIZE bytes
 */
#ifndef CACHE_FILE_H
#define CACHE_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct buf;

/* A file's place. */
struct cache_file {
	const char *dir;  /* NULL: nothing is kept */
	const char *name;
	const char *head; /* what it must begin with: a format, and whose it is; no newline */
};

/* All zero: none. */
struct cache_mapping {
	void *map;
	size_t map_size;  /* bytes */
	const char *data; /* after the head, aligned for 8 bytes; NULL if there is none */
	size_t size;      /* bytes */
};

/** cache_file_open - map the file; false if there is none, it is cut, or has another head. */
bool cache_file_open(struct arena *a, const struct cache_file *at, struct cache_mapping *ret);
/** cache_file_write - make it at once, in place of another; what goes wrong is not reported. */
void cache_file_write(struct arena *a, const struct cache_file *at, const void *data, size_t size);
/** cache_file_close - accepts a zeroed one. */
void cache_file_close(struct cache_mapping *f);

#endif
