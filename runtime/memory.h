/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The source of all memory of a session, with fault injection: the module parameter `fail=N` makes
 * the N-th allocation or registration fail, counted from 1. The parameter `calls` is the number of
 * them so far, and `lines` the number of cache lines that prt_alloc() has returned. Hits use none
 * of this.
 */
#ifndef PRT_MEMORY_H
#define PRT_MEMORY_H

#include <linux/types.h>

struct page;

/* Allocates @n objects of @size bytes, zeroed, on @node or anywhere (NUMA_NO_NODE). Free them by
 * kvfree(). NULL: there is no memory; the kernel kills no process for it. Process context. */
void *prt_alloc(size_t n, size_t size, int node);
/* The same for @size bytes in whole pages, and no more than these, where kmalloc() would take 4 MB
 * for 2.5. They are freed by prt_free_pages(). */
void *prt_alloc_pages(size_t size, int node);
void prt_free_pages(void *p, size_t size);
/* Counts an allocation or registration; true: it is to fail. Process context. */
bool prt_fails(void);
/* Wraps a call that registers something and returns 0 or -errno, so that it can be made to fail. */
#define prt_register(call) (prt_fails() ? -ENOMEM : (call))

#endif
