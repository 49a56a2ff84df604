/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where all memory of a session comes from, and the switch that makes any allocation or
 * registration fail: the module's parameter `fail=N` lets the N-th of them fail, counted from 1 in
 * the order in which they are made; `calls` is how many there were, and `lines` what prt_alloc()
 * gave, in cache lines. Nothing of it is on the way of a hit.
 */
#ifndef PRT_MEMORY_H
#define PRT_MEMORY_H

#include <linux/types.h>

struct page;

/* Returns @n times @size bytes, zeroed, or NULL; no process is killed for them. kvfree() frees
 * them. @node: where they should be, or NUMA_NO_NODE. Process context. */
void *prt_alloc(size_t n, size_t size, int node);
/* true: this one is the one that is to fail. Process context. */
bool prt_fails(void);
/* A call that registers something and returns 0 or -errno. */
#define prt_register(call) (prt_fails() ? -ENOMEM : (call))

#endif
