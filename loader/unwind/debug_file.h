/* SPDX-License-Identifier: GPL-2.0 */
/* The separate debug file of a program or library. */
#ifndef LOADER_DEBUG_FILE_H
#define LOADER_DEBUG_FILE_H

#include <stdbool.h>

struct image;

/* Looks at a debug file, whose descriptor is closed afterwards. false: it is of no use. */
typedef bool debug_file_take(const struct image *f, int fd, void *arg);

/** debug_file_find - find the debug file of @f, by build-id below @root, or else by .gnu_debuglink
 *  beside @path and below @root. Returns whether @take has taken one. */
bool debug_file_find(const struct image *f, const char *path, const char *root,
		     debug_file_take *take, void *arg);

#endif
