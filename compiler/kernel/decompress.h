/* SPDX-License-Identifier: GPL-2.0 */
/* Compressed files: modules, and the kernel's image. */
#ifndef KERNEL_DECOMPRESS_H
#define KERNEL_DECOMPRESS_H

#include <stddef.h>

struct arena;
struct buf;

/**
 * decompress_by_tool - append what `TOOL -dc PATH` prints to @b
 * @why: on failure, the reason; owned by @a
 * returns 0 or -ENOENT
 */
int decompress_by_tool(struct arena *a, const char *tool, const char *path, struct buf *b,
		       const char **why);
/** decompress_lz4 - append what a file of lz4's legacy format has to @b; 0, or -EINVAL where it is
 *  damaged. Linux compresses its image so, and few machines have the tool. */
int decompress_lz4(const void *data, size_t size, struct buf *b);

#endif
