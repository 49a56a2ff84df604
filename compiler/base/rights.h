/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files and directories that nobody but the user who runs us, or root, could have written: what is
 * taken from them ends up in the kernel.
 */
#ifndef BASE_RIGHTS_H
#define BASE_RIGHTS_H

#include <stdbool.h>

/** rights_home - the home directory of the user who runs us, or NULL; sudo may leave HOME as it
 *  was: root's is then taken. */
const char *rights_home(void);
/** rights_is_own_dir - a directory of this user's that nobody else may write to. */
bool rights_is_own_dir(const char *path);
/** rights_is_safe - nobody else can exchange a directory above @path, which is absolute and has no
 *  links in it. */
bool rights_is_safe(const char *path);
/** rights_open - open a file for reading; -EPERM: others could have written it, or -errno. */
int rights_open(const char *path);

#endif
