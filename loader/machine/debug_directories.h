/* SPDX-License-Identifier: GPL-2.0 */
/* The directories of --debuginfo: DIRECTORY:DIRECTORY... */
#ifndef LOADER_DEBUG_DIRECTORIES_H
#define LOADER_DEBUG_DIRECTORIES_H

#include <stdbool.h>

/** debug_directories_search - call @try with @arg for each directory that is not "", until it
 * returns true. Returns whether it did. */
bool debug_directories_search(const char *directories,
			      bool (*try)(void *arg, const char *directory), void *arg);
/** debug_directories_by_id - call @try for the file that has the build-id @id, in hexadecimal
 * digits, below @directory. Returns what it returned; false: there is no build-id. */
bool debug_directories_by_id(const char *directory, const char *id,
			     bool (*try)(void *arg, const char *path), void *arg);

#endif
