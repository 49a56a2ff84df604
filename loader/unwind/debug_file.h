/* SPDX-License-Identifier: GPL-2.0 */
/* The separate debug file of a program or library. */
#ifndef LOADER_DEBUG_FILE_H
#define LOADER_DEBUG_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct image;

enum { FILE_ID_MAX = 64 /* bytes */ };

/* A build-id. */
struct file_id {
	size_t n;                  /* 0: there is none */
	unsigned char v[FILE_ID_MAX];
};

/* Looks at a debug file, whose descriptor is closed afterwards. false: it is of no use. */
typedef bool debug_file_take(const struct image *f, int fd, void *arg);

/** debug_file_find - find the debug file of @f, by build-id below @root, or else by .gnu_debuglink
 *  beside @path and below @root. Returns whether @take has taken one. */
bool debug_file_find(const struct image *f, const char *path, const char *root,
		     debug_file_take *take, void *arg);
/** debug_file_open - open a file for reading whose path anyone may have chosen. -1: it can't be
 *  read, or is not a regular file. */
int debug_file_open(const char *path);
/** debug_file_id - the build-id of @f. */
void debug_file_id(const struct image *f, struct file_id *ret);
/** debug_file_by_id - the path of a debug file with that build-id below @root. false: there is no
 *  build-id. */
bool debug_file_by_id(const struct file_id *id, const char *root, char ret[PATH_MAX]);

#endif
