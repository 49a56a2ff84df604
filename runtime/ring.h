/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A ring: pages that the loader maps. The header page is writable by the loader, so nothing in it
 * is trusted: `head` and `size` are kept here, and a senseless `tail` means a full ring. The data
 * is mapped twice in a row, here and there, so that a group never wraps.
 */
#ifndef PRT_RING_H
#define PRT_RING_H

#include <linux/atomic.h>
#include <linux/mm_types.h>

#include "clock.h"
#include "abi/script.h"

/* Process context; -ENOMEM leaves nothing behind. @node: where the memory is to be. */
int prt_ring_init(struct prt_ring *r, u32 size, int node);
void prt_ring_deinit(struct prt_ring *r);
/* Maps the part of the ring that @vma covers: @page 0 is the header, the others are read-only.
 * -EINVAL outside of the ring, -EPERM when data is to be writable. */
int prt_ring_mmap(struct prt_ring *r, struct vm_area_struct *vma, unsigned long page);

/* The rest: one producer at a time. Any context. */

/* Bytes that the reader has given back. */
static __always_inline u64 prt_ring_room(const struct prt_ring *r)
{
	u64 used = r->head - smp_load_acquire(&r->hdr->tail);

	return unlikely(used > r->size) ? 0 : r->size - used;
}

static __always_inline char *prt_ring_at(const struct prt_ring *r)
{
	return r->data + (r->head & r->mask);
}

/* Says that a group is being written, and returns its time: records.h, "Rings". */
static __always_inline u64 prt_ring_open(struct prt_ring *r)
{
	u64 now;

	xchg(&r->hdr->open, 1);
	now = prt_clock_now();
	WRITE_ONCE(r->hdr->open, now);
	return now;
}

static __always_inline void prt_ring_close(struct prt_ring *r)
{
	smp_store_release(&r->hdr->open, 0);
}

static __always_inline void prt_ring_publish(struct prt_ring *r, u32 len)
{
	r->head += len;
	smp_store_release(&r->hdr->head, r->head);
	prt_ring_close(r);
}

/* true: it is half full and the reader sleeps: wake it. Says so once. */
static __always_inline bool prt_ring_wants_reader(struct prt_ring *r)
{
	if (likely(!READ_ONCE(r->hdr->reader_asleep)) || prt_ring_room(r) > r->half)
		return false;
	WRITE_ONCE(r->hdr->reader_asleep, 0);
	return true;
}

static inline void prt_ring_drop(struct prt_ring *r, u32 len)
{
	WRITE_ONCE(r->dropped, r->dropped + 1);
	r->dropped_bytes += len;
	r->hdr->dropped = r->dropped;
	r->hdr->dropped_bytes = r->dropped_bytes;
}

#endif
