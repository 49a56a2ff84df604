/* SPDX-License-Identifier: GPL-2.0 */
/* Removing directories. */
#ifndef BASE_REMOVE_H
#define BASE_REMOVE_H

/** remove_tree - remove @path; a directory with its contents. Links are not followed. Files that
 *  can't be removed are left. */
void remove_tree(const char *path);

#endif
