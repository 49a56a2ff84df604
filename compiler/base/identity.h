/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Identities: hashes of everything that a result depends on. Files that are numerous, or that only
 * tools read, count by name, size and times. Sources of the runtime count by their contents, so
 * that installing the same version again costs nothing.
 */
#ifndef BASE_IDENTITY_H
#define BASE_IDENTITY_H

#include <stdbool.h>

#include "base/sha256.h"

struct arena;

/* Digits of an identity, of the 64 of the hash; more would only make file names longer. */
enum { IDENTITY_LEN = 40 };

void identity_add_number(struct sha256 *c, long long v);
/** identity_add_file - add a file's name, size, times and inode, or that it is missing. @path may
 *  be NULL. */
void identity_add_file(struct sha256 *c, const char *path);
/** identity_add_content - add a file's contents; a file that can't be read counts as empty. */
void identity_add_content(struct sha256 *c, const char *path);
/** identity_add_dir - add all files below @dir whose names end with one of @ends (NULL-terminated),
 *  in the order of their names: their contents, or as identity_add_file(). */
void identity_add_dir(struct sha256 *c, const char *dir, const char *const *ends, bool content);
/** identity_name - the first IDENTITY_LEN hexadecimal digits of the hash, owned by @a. */
const char *identity_name(struct arena *a, struct sha256 *c);

#endif
