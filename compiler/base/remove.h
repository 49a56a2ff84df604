/* SPDX-License-Identifier: GPL-2.0 */
/* Removing directories. */
#ifndef BASE_REMOVE_H
#define BASE_REMOVE_H

/** remove_tree - remove @path and, where it is a directory, all that is in it; links are not
 *  followed. What can't be removed stays. */
void remove_tree(const char *path);

#endif
