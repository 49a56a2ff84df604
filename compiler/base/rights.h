/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks that only the current user or root can have written a file or directory, because its
 * content ends up in the kernel.
 */
#ifndef BASE_RIGHTS_H
#define BASE_RIGHTS_H

#include <stdbool.h>

/** rights_home - the home directory of the user who runs us, or NULL; sudo may leave HOME as it
 *  was: root's is then taken. */
const char *rights_home(void);
/** rights_is_own_dir - whether it is a directory of this user to which no other user may write. */
bool rights_is_own_dir(const char *path);
/** rights_is_safe - whether no other user can replace a directory above @path, which is absolute
 *  and has no links in it. */
bool rights_is_safe(const char *path);
/** rights_open - open a file for reading; -EPERM: others could have written it, or -errno. */
int rights_open(const char *path);

#endif
