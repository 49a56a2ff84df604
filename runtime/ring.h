/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A ring consists of pages that the loader maps as well. The loader can write the header page, so
 * its contents are not trusted: `head` and `size` are stored in struct prt_ring, and an invalid
 * `tail` makes the ring count as full. The data is mapped twice in a row, in the kernel and in the
 * loader, so that no group wraps.
 *
 * Growing. A ring begins small, and grows by PRT_RING_TIMES: that of a processor by the work item
 * of grow.h, when more than 1/PRT_RING_GROW_AT is unread, so that the rest is room for more than 20
 * ms at 100,000 records a second; that of the session's thread where that thread would have to wait
 * for room. Nothing that is unread is copied or waits for its reader. The larger ring has the same
 * pages: the byte at place P of the stream, which was at P % size, is at P % (new size) of it. So
 * the pages with what is unread when the new mapping is made, and with what can be written into the
 * free part of the old ring, go to where these places are in the new one, and new pages to all
 * others. The page in which the unread part begins is that of its end as well, for which the new
 * ring has another page with the same content.
 *
 *   1. prt_ring_extend() makes the pages and the mapping
 *   2. the producer takes them, when no group is open (prt_ring_take): on its processor, in an
 *      interrupt that no hit spans. If the reader has read so much meanwhile, and hits have written
 *      so much, that the places no longer fit, it leaves the ring as it is, and 1. is repeated
 *   3. prt_ring_settle() frees the old mapping; the loader's own stays until it makes another one
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
/* Its header's page, and those of the data, once: 1 + size / PAGE_SIZE. */
struct page *const *prt_ring_pages(const struct prt_ring *r);
/* Lets the ring grow to @most bytes; hits ask for that when one in @grow_at of its bytes is unread.
 * Before anything is written. */
void prt_ring_grows(struct prt_ring *r, u32 most, u32 grow_at);
/* The steps above, by one at a time for a ring: process context; the producer; process context.
 * false: it has its largest size, or grows no more, which the header says. prt_ring_settle():
 * whether it has grown. */
bool prt_ring_extend(struct prt_ring *r, int node);
void prt_ring_take(struct prt_ring *r);
bool prt_ring_settle(struct prt_ring *r);
/* All of that, for the producer of @r, in process context. false: it has not grown. */
bool prt_ring_grow(struct prt_ring *r);
/* Maps the part of the ring that @vma covers: @page 0 is the header, the others are read-only.
 * -EINVAL outside of the ring, -EPERM when data is to be writable. */
int prt_ring_mmap(struct prt_ring *r, struct vm_area_struct *vma, unsigned long page);

/* Whether it is allocated; then everything else of it can be read. Any context. */
static inline bool prt_ring_exists(const struct prt_ring *r)
{
	return smp_load_acquire(&r->pages);
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

/* Whether more is unread than a reader that sleeps should leave. */
static __always_inline bool prt_ring_is_used(const struct prt_ring *r)
{
	return unlikely(prt_ring_used(r) > r->half);
}

/* Whether the reader sleeps and must be woken because of that; true only once. */
static __always_inline bool prt_ring_wants_reader(struct prt_ring *r)
{
	if (!READ_ONCE(r->hdr->reader_asleep) || !prt_ring_is_used(r))
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
	WRITE_ONCE(r->hdr->dropped_at, prt_clock_now());
}

#endif
