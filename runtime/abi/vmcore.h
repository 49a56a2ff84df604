/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A flight recorder in physical memory, as `probec vmcore` finds it in a dump of the machine after
 * the kernel has crashed. That reader has no page tables and no symbols, so everything refers to
 * physical addresses.
 *
 * The anchor is at the beginning of a page. It is valid if `self` is that page's address: other
 * pages with these bytes are copies. It is written when a session with PRT_SETUP_FLIGHT is set up,
 * and erased when that session is freed. The variable probec_flight_recorder of the session's
 * module points to it, for debuggers.
 *
 * A list of pages is a chain of struct prt_vmcore_pages. The anchor leads to one list for the text
 * of section .probec and to one for each processor's ring: its header page (struct prt_ring_head),
 * then its data, once. A ring is read as records.h says; when the dump is made, no hit of its
 * processor need have ended, and what it has not published does not count.
 */
#ifndef PRT_VMCORE_H
#define PRT_VMCORE_H

#include "records.h"

#define PRT_VMCORE_MAGIC "probec flight recorder, anchor\n" /* 31 bytes, and a NUL */

/* A page of a list. */
struct prt_vmcore_pages {
	prt_u64 next;         /* address of the next one of this list; 0: there is none */
	prt_u64 sibling;      /* the first one of rings only: that of another ring; 0: none */
	prt_u32 cpu;          /* ... and whose ring it is */
	prt_u32 n;            /* pages that are listed here */
	prt_u64 page[];       /* their addresses */
};

struct prt_vmcore {
	char magic[32];       /* PRT_VMCORE_MAGIC */
	prt_u64 self;         /* address of this page */
	prt_u32 abi;          /* PRT_ABI_VERSION */
	prt_u32 page_size;    /* of all lists, in bytes; of this page at least */
	prt_u64 about;        /* list: section .probec; 0: it is not set yet */
	prt_u64 about_len;    /* bytes of it */
	prt_u64 rings;        /* the first list of a ring; 0: none is ready */
	/* as in struct prt_status: */
	prt_u64 clock_khz, epoch_ns, epoch_clock;
	prt_u64 loops_per_jiffy; /* address of that variable of the kernel in its own address
				  * space, which begins elsewhere with each boot */
	char module[64];      /* its name */
	char host[65], release[65], pad[6]; /* of the machine, and of its kernel */
};

/* Section .probec of the module, at most PRT_VMCORE_ABOUT bytes of it. After SETUP. -EEXIST: it
 * is set; -ENOMEM; -EINVAL: too long, or without PRT_SETUP_FLIGHT. */
struct prt_vmcore_about {
	prt_u64 text;         /* user pointer */
	prt_u64 len;
};
#define PRT_VMCORE_ABOUT    (64u << 20)
#define PRT_IOC_ABOUT       _IOW('p', 24, struct prt_vmcore_about)

#endif
