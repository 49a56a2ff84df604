/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory that grows in place, while hits use it.
 *
 * An area has addresses for all that it may ever have, and memory for a part of them; all its other
 * pages are one and the same page, which nothing reads or writes. To grow, it gets pages of its own
 * for more of them, and all of it is mapped once more, at new addresses. Nothing is moved or
 * copied: until the old addresses are unmapped, both are the same memory, for writers as well,
 * since the caches of our processors know memory by where it is, not by its addresses. Offsets in
 * the area stay as they are.
 *
 * All functions run in process context, and one at a time for an area.
 */
#ifndef PRT_AREA_H
#define PRT_AREA_H

#include <linux/types.h>

struct page;
struct prt_area_old;

struct prt_area {
	struct page **pages;   /* NULL: there is no such area */
	char *base;            /* its addresses */
	char *next;            /* those that prt_area_map() has made; NULL: none */
	struct prt_area_old *old; /* those that prt_area_keep() keeps, the last one first */
	u32 n;                 /* pages */
	int node;
};

/* Allocates the page of what has no memory, for all areas of a session. -ENOMEM. */
int prt_area_begin(void);
void prt_area_end(void);
/* Makes an area of @size bytes on NUMA node @node, without memory and without addresses. -ENOMEM:
 * nothing is allocated. */
int prt_area_init(struct prt_area *a, size_t size, int node);
void prt_area_deinit(struct prt_area *a);
/* The number of pages with bytes of [@from, @end) that have no memory. */
u32 prt_area_lacks(const struct prt_area *a, size_t from, size_t end);
/* Gives the bytes [@from, @end) memory, zeroed, at the next prt_area_map(). -ENOMEM: some of them
 * may have got it. */
int prt_area_fill(struct prt_area *a, size_t from, size_t end);
/* Makes a->next, new addresses with what prt_area_fill() has added. -ENOMEM. */
int prt_area_map(struct prt_area *a);
/* Takes a->next for a->base, whose addresses nobody uses any more. */
void prt_area_settle(struct prt_area *a);
/* Lets the present addresses stay valid after the next prt_area_settle(), until prt_area_forget().
 * -ENOMEM. */
int prt_area_keep(struct prt_area *a);
void prt_area_forget(struct prt_area *a);
/* The number of bytes that the kernel takes to describe an area of @size bytes. */
u64 prt_area_overhead(u64 size);

#endif
