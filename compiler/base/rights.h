/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks that only the current user or root can have written a file or directory, because its
 * contents end up in the kernel.
 */
#ifndef BASE_RIGHTS_H
#define BASE_RIGHTS_H

#include <stdbool.h>

/** rights_home - the home directory of the current user, or NULL. sudo may leave HOME unchanged;
 *  root's directory is used then. */
const char *rights_home(void);
/** rights_is_own_dir - whether it is a directory of this user to which nobody else can write. */
bool rights_is_own_dir(const char *path);
/** rights_is_safe - whether no other user can replace a directory above @path, which is absolute
 *  and has no links. */
bool rights_is_safe(const char *path);
/** rights_is_of_root - whether it is a directory of root to which nobody else can write, and which
 *  nobody but root and this user can replace. @path is absolute and has no links. */
bool rights_is_of_root(const char *path);
/** rights_open - open a file for reading. Returns -EPERM if others could have written it, or
 *  -errno. */
int rights_open(const char *path);

#endif
