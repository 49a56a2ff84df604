/* SPDX-License-Identifier: GPL-2.0 */
/* Compressed files: modules, and the kernel's image. */
#ifndef KERNEL_DECOMPRESS_H
#define KERNEL_DECOMPRESS_H

#include <stddef.h>

struct arena;
struct buf;

/**
 * decompress_by_tool - append the output of `TOOL -dc PATH` to @b
 * @why: the reason of a failure, owned by @a
 *
 * returns 0 or -ENOENT
 */
int decompress_by_tool(struct arena *a, const char *tool, const char *path, struct buf *b,
		       const char **why);
/** decompress_lz4 - append the contents of a file in lz4's legacy format to @b. Linux compresses
 *  its image so, and few machines have the tool. Returns 0, or -EINVAL if the data is damaged. */
int decompress_lz4(const void *data, size_t size, struct buf *b);

#endif
