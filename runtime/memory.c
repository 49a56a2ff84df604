/* SPDX-License-Identifier: GPL-2.0 */
/* Allocation and fault injection: memory.h. */
#include <linux/cache.h>
#include <linux/atomic.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "limits.h"
#include "memory.h"

static unsigned int fail;
module_param(fail, uint, 0444);
MODULE_PARM_DESC(fail, "for tests: the number of the allocation or registration that fails");

static atomic_t calls;
module_param_named(calls, calls.counter, int, 0444);
MODULE_PARM_DESC(calls, "allocations and registrations so far");

static atomic_t lines;
module_param_named(lines, lines.counter, int, 0444);
MODULE_PARM_DESC(lines, "cache lines allocated so far; those that are free again count");

bool prt_fails(void)
{
	return atomic_inc_return(&calls) == fail;
}

void *prt_alloc(size_t n, size_t size, int node)
{
	void *ret;

	if (prt_fails() || size > (SIZE_MAX - L1_CACHE_BYTES) / max_t(size_t, n, 1))
		return NULL;
	/* Whole cache lines, so that no two CPUs write to the same one. */
	size = L1_CACHE_ALIGN(n * size);
	ret = kvmalloc_node(size, PRT_GFP, node);
	if (ret)
		atomic_add(size / L1_CACHE_BYTES, &lines);
	return ret;
}
