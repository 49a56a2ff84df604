/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The file in which a process names the code that it makes at run time, which perf defined:
 * /tmp/perf-PID.map (linux/tools/perf/Documentation/jit-interface.txt). symbols_read_perf_map()
 * reads it.
 */
#ifndef LOADER_PERF_MAP_H
#define LOADER_PERF_MAP_H

struct mounts;

enum { PERF_MAP_PATH = 48 }; /* bytes */

/** perf_map_open - open the file of the process of @mounts. It is looked up where the process would
 *  find it: in its root, by its id in its namespace, whose path is written to @path, of
 *  PERF_MAP_PATH bytes. Returns a descriptor to close(); -1: there is none, it is no regular file,
 *  it belongs neither to the user of the process nor to root, or it may not be read. */
int perf_map_open(struct mounts *mounts, char *path);

#endif
