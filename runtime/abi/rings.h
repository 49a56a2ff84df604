/* SPDX-License-Identifier: GPL-2.0 */
/* The header of a ring, which the loader maps as well: records.h, "Rings", which includes this
 * file. */
#ifndef PRT_RINGS_H
#define PRT_RINGS_H

#include "records.h"

#define PRT_RING_MMAP_PAGES (1u << 20) /* pages from one ring to the next in mmap offsets: 4 GiB */

struct prt_ring_head {
	/* written by the producer */
	prt_u64 head;         /* bytes published */
	prt_u64 open;         /* see "Rings" */
	prt_u64 dropped;      /* groups that did not fit */
	prt_u64 dropped_bytes;
	prt_u64 asked, pad1[3]; /* flight recorder: the tail when the last snapshot was asked for */
	/* written by the consumer, on a cache line of its own */
	prt_u64 tail;         /* bytes consumed */
	prt_u64 reader_asleep;/* 1: the reader waits in poll(); the producer sets 0 when it wakes
			       * it */
	prt_u64 pad2[6];
	prt_u32 magic;
	prt_u32 size;         /* data bytes: see "Rings" */
	prt_u32 why;          /* enum prt_short: why it does not grow any more */
	prt_u32 pad3;
	/* written by the producer, rarely */
	prt_u64 dropped_at;   /* session clock: the last of `dropped`; 0: none was */
	/* flight recorder: since when this ring keeps its newer half for a snapshot, or has kept it
	 * for the last one, and what the two were then. What was dropped later is no hole in it. */
	prt_u64 kept_since, kept_dropped, kept_dropped_at;
	/* The time of the group that was open then, if its output was lost afterwards, and how
	 * often that is in `dropped`; both 0 otherwise. It is a hole in a snapshot of that time. */
	prt_u64 kept_lost, kept_lost_n;
};

#endif
