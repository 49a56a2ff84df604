/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names for results: a hash of everything that a result depends on. Files that are read by the
 * thousand or by tools count by name, size and times; sources of the runtime count by content, so
 * that installing the same version again costs nothing.
 */
#ifndef BASE_IDENTITY_H
#define BASE_IDENTITY_H

#include <stdbool.h>

#include "base/sha256.h"

struct arena;

/* Digits of a name, of the 64 that the hash has; more would only make longer file names. */
enum { IDENTITY_LEN = 40 };

void identity_add_number(struct sha256 *c, long long v);
/** identity_add_file - a file's name, size, times and inode; a missing file counts as such. @path
 *  may be NULL. */
void identity_add_file(struct sha256 *c, const char *path);
/** identity_add_content - a file's content; one that cannot be read counts as empty. */
void identity_add_content(struct sha256 *c, const char *path);
/** identity_add_dir - all files below @dir whose names end in one of @ends (NULL-terminated), in
 *  the order of their names: by content, or as identity_add_file(). */
void identity_add_dir(struct sha256 *c, const char *dir, const char *const *ends, bool content);
/** identity_name - the first IDENTITY_LEN hexadecimal digits of the hash, owned by @a. */
const char *identity_name(struct arena *a, struct sha256 *c);

#endif
