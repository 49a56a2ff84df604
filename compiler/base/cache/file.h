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

/* The path and the identification of a file. */
struct cache_file {
	const char *dir;  /* NULL: nothing is cached */
	const char *name;
	const char *head; /* how it begins: its format and what it belongs to; without a newline */
};

/* All zero: closed. */
struct cache_mapping {
	void *map;
	size_t map_size;  /* bytes */
	const char *data; /* after the head, aligned to 8 bytes; NULL if there is none */
	size_t size;      /* bytes */
};

/** cache_file_open - map the file. Returns false if it is missing or incomplete, has another head,
 *  or may have been written by another user. */
bool cache_file_open(struct arena *a, const struct cache_file *at, struct cache_mapping *ret);
/** cache_file_write - write the file in place of an older one; errors are not reported. */
void cache_file_write(struct arena *a, const struct cache_file *at, const void *data, size_t size);
/** cache_file_close - accepts a zeroed struct. */
void cache_file_close(struct cache_mapping *f);

#endif
