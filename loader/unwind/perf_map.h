/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The file in which a process names the code that it makes at run time. perf defined two:
 * /tmp/perf-PID.map (linux/tools/perf/Documentation/jit-interface.txt), and jit-PID.dump anywhere,
 * a page of which the process maps as if it were code, so that others find it
 * (jitdump-specification.txt there). symbols_read_perf_map() reads both.
 */
#ifndef LOADER_PERF_MAP_H
#define LOADER_PERF_MAP_H

#include <stdbool.h>
#include <stdint.h>

struct mounts;

enum { PERF_MAP_PATH = 48 }; /* bytes */

/** perf_map_open - open the file of the process of @mounts. It is looked up where the process would
 *  find it: in its root, by its id in its namespace, whose path is written to @path, of
 *  PERF_MAP_PATH bytes. Returns a descriptor to close(); -1: there is none, it is no regular file,
 *  it belongs neither to the user of the process nor to root, or it may not be read. */
int perf_map_open(struct mounts *mounts, char *path);
/** perf_map_is_dump - whether what is mapped from @path may be a jitdump file. perf_map_open_dump()
 *  opens it as perf_map_open() does, where it is mapped, at [@start, @end). -1 as well if it is
 *  that of another process. */
bool perf_map_is_dump(const char *path);
int perf_map_open_dump(struct mounts *mounts, uint64_t start, uint64_t end, const char *path);

#endif
