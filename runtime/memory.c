/* SPDX-License-Identifier: GPL-2.0 */
/* Allocation and fault injection: memory.h. */
#include <linux/cache.h>
#include <linux/atomic.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

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

/* Frees the pages of [@from, @end), which were allocated together and split. */
static void free_each(char *from, char *end)
{
	for (; from < end; from += PAGE_SIZE)
		__free_page(virt_to_page(from));
}

/* NULL: there are not as many pages in a row. */
static void *pages_in_a_row(size_t size, int node)
{
	unsigned int order = get_order(size);
	struct page *page = size <= KMALLOC_MAX_SIZE ? alloc_pages_node(node, PRT_GFP, order) :
						       NULL;
	char *ret;

	if (!page)
		return NULL;
	split_page(page, order);
	ret = page_address(page);
	free_each(ret + size, ret + (PAGE_SIZE << order));
	return ret;
}

void *prt_alloc_pages(size_t size, int node)
{
	void *ret;

	size = PAGE_ALIGN(size);
	if (prt_fails())
		return NULL;
	ret = pages_in_a_row(size, node);
	/* kmalloc() takes nothing that large; less could come from it, and not be free page by
	 * page. */
	if (!ret)
		ret = size > KMALLOC_MAX_SIZE ? kvmalloc_node(size, PRT_GFP, node) :
						__vmalloc(size, PRT_GFP);
	if (ret)
		atomic_add(size / L1_CACHE_BYTES, &lines);
	return ret;
}

void prt_free_pages(void *p, size_t size)
{
	if (is_vmalloc_addr(p))
		vfree(p);
	else if (p)
		free_each(p, (char *)p + PAGE_ALIGN(size));
}
