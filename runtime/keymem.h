/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A buddy allocator for long keys: blocks of 64, 128, ... bytes, each aligned to its size. A block
 * that is freed is merged with its buddy if that is free. So if no key is longer than the mean for
 * which the keymem was sized, there is a block for a key whenever there is an element for it.
 *
 * Memory after `used` was not allocated since the last clear. Before it, `holes` has a byte for
 * each 64 bytes: whether a free block begins there, and of which class. The free blocks of a class
 * form a list that is stored in them.
 */
#ifndef PRT_KEYMEM_H
#define PRT_KEYMEM_H

#include <linux/types.h>

#include "limits.h"

#define PRT_KEYMEM_FULL U32_MAX

struct prt_keymem {
	char *data;
	u8 *holes;             /* 0, or class + 1 of the free block that begins there */
	u32 size, used;        /* bytes */
	u32 low;               /* `used` from which on more is to be requested: grow.h */
	u32 first[PRT_KEY_CLASSES]; /* free block: offset + 1; 0: empty list */
};

/* The number of bytes in holes[] for a keymem of @size bytes, a multiple of PRT_KEY_BLOCK. */
static inline u32 prt_keymem_holes(u32 size)
{
	return size / PRT_KEY_BLOCK;
}

/* All functions: any context in which the caller owns the keymem. */
/* Frees all blocks, in a time that does not depend on the size. */
void prt_keymem_clear(struct prt_keymem *a);
/* Allocates a block for @len bytes, and returns its offset, or PRT_KEYMEM_FULL. */
u32 prt_keymem_get(struct prt_keymem *a, u32 len);
/* Frees the block at offset @at, which was allocated for @len bytes. */
void prt_keymem_put(struct prt_keymem *a, u32 at, u32 len);

#endif
