/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A ring consists of pages that the loader maps as well. The loader can write the header page, so
 * its contents are not trusted: `head` and `size` are stored in struct prt_ring, and an invalid
 * `tail` makes the ring count as full. The data is mapped twice in a row, in the kernel and in the
 * loader, so that no group wraps.
 */
#ifndef PRT_RING_H
#define PRT_RING_H

#include <linux/atomic.h>
#include <linux/mm_types.h>

#include "clock.h"
#include "abi/script.h"
#include "abi/group.h"

/* Allocates a ring with @size bytes of data on NUMA node @node. Process context. -ENOMEM: nothing
 * is allocated. */
int prt_ring_init(struct prt_ring *r, u32 size, int node);
void prt_ring_deinit(struct prt_ring *r);
/* Maps the part of the ring that @vma covers: @page 0 is the header, the others are read-only.
 * -EINVAL outside of the ring, -EPERM when data is to be writable. */
int prt_ring_mmap(struct prt_ring *r, struct vm_area_struct *vma, unsigned long page);

/* Whether it is allocated; then everything else of it can be read. Any context. */
static inline bool prt_ring_exists(const struct prt_ring *r)
{
	return smp_load_acquire(&r->npages);
}

/* The other functions: any context, one producer at a time. */

/* The number of free bytes. */
static __always_inline u64 prt_ring_room(const struct prt_ring *r)
{
	u64 used = prt_ring_used(r);

	return unlikely(used > r->size) ? 0 : r->size - used;
}

/* Announces that a group is being written, and returns its time. */
static __always_inline u64 prt_ring_open(struct prt_ring *r)
{
	return PRT_RING_OPEN(r, prt_clock_now());
}

/* Whether the reader sleeps and must be woken because the ring is half full; true only once. */
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
