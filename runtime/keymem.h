/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Room for keys: blocks of 64, 128, ... bytes, each at a multiple of its size. A block that is
 * given back is joined with its other half when that is free, so what was free once can be free
 * again: as long as no key is longer than the mean that the keymem was made for, one fits whenever
 * there is an element for it.
 *
 * What lies after `used` was not given out since the last clear. `holes` tells of each 64 bytes
 * before it whether a free block begins there, and of which class; free blocks of a class are a
 * list, linked through themselves.
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
	u32 first[PRT_KEY_CLASSES]; /* free block: offset + 1; 0: empty list */
};

/* Bytes of holes[] for a keymem of @size bytes, a multiple of PRT_KEY_BLOCK. */
static inline u32 prt_keymem_holes(u32 size)
{
	return size / PRT_KEY_BLOCK;
}

/* The caller owns all memory. */
void prt_keymem_init(struct prt_keymem *a, char *data, u8 *holes, u32 size);
/* Everything is free again, in the same time whatever the size. Any context, as the rest. */
void prt_keymem_clear(struct prt_keymem *a);
/* The offset of a block for @len bytes, or PRT_KEYMEM_FULL. */
u32 prt_keymem_get(struct prt_keymem *a, u32 len);
/* Gives back the block at @at, got for @len bytes. */
void prt_keymem_put(struct prt_keymem *a, u32 at, u32 len);

#endif
