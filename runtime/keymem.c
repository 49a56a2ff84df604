/* SPDX-License-Identifier: GPL-2.0 */
/* Memory for keys: keymem.h has the theory. */
#include <linux/bitops.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/string.h>

#include "keymem.h"

/* A free block begins with its links in the list: offsets + 1, 0 at the ends. */
struct hole {
	u32 next, prev;
};

static __always_inline u32 class_size(u32 class)
{
	return (u32)PRT_KEY_BLOCK << class;
}

static __always_inline u32 class_of(u32 len)
{
	return len <= PRT_KEY_BLOCK ? 0 : ilog2(len - 1) + 1 - ilog2(PRT_KEY_BLOCK);
}

static __always_inline struct hole *hole_at(struct prt_keymem *a, u32 at)
{
	return (struct hole *)(a->data + at);
}

static void link_hole(struct prt_keymem *a, u32 at, u32 class)
{
	struct hole *h = hole_at(a, at);

	h->prev = 0;
	h->next = a->first[class];
	if (h->next)
		hole_at(a, h->next - 1)->prev = at + 1;
	a->first[class] = at + 1;
	a->holes[at / PRT_KEY_BLOCK] = class + 1;
}
NOKPROBE_SYMBOL(link_hole);

static void unlink_hole(struct prt_keymem *a, u32 at, u32 class)
{
	struct hole *h = hole_at(a, at);

	*(h->prev ? &hole_at(a, h->prev - 1)->next : &a->first[class]) = h->next;
	if (h->next)
		hole_at(a, h->next - 1)->prev = h->prev;
	a->holes[at / PRT_KEY_BLOCK] = 0;
}
NOKPROBE_SYMBOL(unlink_hole);

static void put_block(struct prt_keymem *a, u32 at, u32 class)
{
	while (class + 1 < PRT_KEY_CLASSES) {
		u32 other = at ^ class_size(class);

		if (other >= a->used || a->holes[other / PRT_KEY_BLOCK] != class + 1)
			break;
		unlink_hole(a, other, class);
		at = min(at, other);
		class++;
	}
	link_hole(a, at, class);
}
NOKPROBE_SYMBOL(put_block);

/* Nothing is known of what lies after `used`: so all of it is free at once. */
static void extend(struct prt_keymem *a, u32 bytes)
{
	memset(a->holes + a->used / PRT_KEY_BLOCK, 0, prt_keymem_holes(bytes));
	a->used += bytes;
}
NOKPROBE_SYMBOL(extend);

/* Takes a block from the memory after `used`. The bytes that alignment skips become free blocks,
 * and may be merged to one that is large enough. */
static u32 grow(struct prt_keymem *a, u32 class)
{
	u32 size = class_size(class), at = a->used;

	while (at & (size - 1)) {
		u32 gap = __ffs(at) - ilog2(PRT_KEY_BLOCK);

		if (class_size(gap) > a->size - at)
			return PRT_KEYMEM_FULL;
		extend(a, class_size(gap));
		put_block(a, at, gap);
		at = a->used;
	}
	if (size > a->size - at)
		return PRT_KEYMEM_FULL;
	extend(a, size);
	return at;
}
NOKPROBE_SYMBOL(grow);

u32 prt_keymem_get(struct prt_keymem *a, u32 len)
{
	u32 class = class_of(len), from = class, at;

	if (!a->first[class]) {
		at = grow(a, class);
		if (at != PRT_KEYMEM_FULL)
			return at;
	}
	while (from < PRT_KEY_CLASSES && !a->first[from])
		from++;
	if (from == PRT_KEY_CLASSES)
		return PRT_KEYMEM_FULL;
	at = a->first[from] - 1;
	unlink_hole(a, at, from);
	while (from > class) {
		from--;
		link_hole(a, at + class_size(from), from);
	}
	return at;
}
NOKPROBE_SYMBOL(prt_keymem_get);

void prt_keymem_put(struct prt_keymem *a, u32 at, u32 len)
{
	put_block(a, at, class_of(len));
}
NOKPROBE_SYMBOL(prt_keymem_put);

void prt_keymem_clear(struct prt_keymem *a)
{
	memset(a->first, 0, sizeof(a->first));
	a->used = 0;
}
NOKPROBE_SYMBOL(prt_keymem_clear);
