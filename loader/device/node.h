/* SPDX-License-Identifier: GPL-2.0 */
/* A device node of our own, for systems whose /dev has none. */
#ifndef LOADER_NODE_H
#define LOADER_NODE_H

#include <sys/types.h>

/** node_open - open the character device @number through a node in a directory of our own in /dev,
 * /run or /tmp; both are removed before it returns. Returns a descriptor, or -1 with errno. */
int node_open(dev_t number);
/** node_sweep - remove such directories of ended processes in @where. */
void node_sweep(const char *where);
/** node_sweep_all - the same in all directories that node_open() uses. */
void node_sweep_all(void);

#endif
