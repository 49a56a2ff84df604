/* SPDX-License-Identifier: GPL-2.0 */
/* A net under the limits of what files and processes of others may make this program keep: it ends
 * before the machine has no memory. */
#ifndef LOADER_MEMORY_LIMIT_H
#define LOADER_MEMORY_LIMIT_H

/** memory_limit_set - from now on, this process has at most half of the machine's memory for data
 *  (RLIMIT_DATA), or what it could have before, if that is less. Allocations beyond it fail. */
void memory_limit_set(void);
/** memory_limit_undo - in a forked child, before it becomes a program of the user. */
void memory_limit_undo(void);

#endif
