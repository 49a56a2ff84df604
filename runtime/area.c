/* SPDX-License-Identifier: GPL-2.0 */
/* Memory that grows in place: area.h. */
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "area.h"
#include "limits.h"
#include "memory.h"

static struct page *no_memory;   /* the page of what has no memory */

/* Addresses that an area had. */
struct prt_area_old {
	struct prt_area_old *before;
	char *base;
};

int prt_area_begin(void)
{
	if (!prt_fails())
		no_memory = alloc_pages_node(NUMA_NO_NODE, PRT_GFP, 0);
	return no_memory ? 0 : -ENOMEM;
}

void prt_area_end(void)
{
	if (no_memory)
		__free_page(no_memory);
	no_memory = NULL;
}

int prt_area_init(struct prt_area *a, size_t size, int node)
{
	u32 i;

	*a = (struct prt_area){ .n = PAGE_ALIGN(size) / PAGE_SIZE, .node = node };
	a->pages = prt_alloc(a->n, sizeof(*a->pages), node);
	if (!a->pages)
		return -ENOMEM;
	for (i = 0; i < a->n; i++)
		a->pages[i] = no_memory;
	return 0;
}

void prt_area_deinit(struct prt_area *a)
{
	u32 i;

	if (!a->pages)
		return;
	prt_area_forget(a);
	if (a->next)
		vunmap(a->next);
	if (a->base)
		vunmap(a->base);
	for (i = 0; i < a->n; i++)
		if (a->pages[i] != no_memory)
			__free_page(a->pages[i]);
	kvfree(a->pages);
	*a = (struct prt_area){ 0 };
}

u32 prt_area_lacks(const struct prt_area *a, size_t from, size_t end)
{
	size_t i;
	u32 n = 0;

	for (i = from / PAGE_SIZE; i < PAGE_ALIGN(end) / PAGE_SIZE; i++)
		n += a->pages[i] == no_memory;
	return n;
}

int prt_area_fill(struct prt_area *a, size_t from, size_t end)
{
	size_t i;

	/* A test can fail one of these allocations on behalf of all. */
	if (prt_fails())
		return -ENOMEM;
	for (i = from / PAGE_SIZE; i < PAGE_ALIGN(end) / PAGE_SIZE; i++) {
		struct page *p;

		if (a->pages[i] != no_memory)
			continue;
		p = alloc_pages_node(a->node, PRT_GFP, 0);
		if (!p)
			return -ENOMEM;
		a->pages[i] = p;
	}
	return 0;
}

int prt_area_map(struct prt_area *a)
{
	if (!prt_fails())
		a->next = vmap(a->pages, a->n, VM_MAP, PAGE_KERNEL);
	return a->next ? 0 : -ENOMEM;
}

void prt_area_settle(struct prt_area *a)
{
	if (!a->next)
		return;
	if (a->base && !(a->old && a->old->base == a->base))
		vunmap(a->base);
	a->base = a->next;
	a->next = NULL;
}

int prt_area_keep(struct prt_area *a)
{
	struct prt_area_old *old = prt_alloc(1, sizeof(*old), a->node);

	if (!old)
		return -ENOMEM;
	*old = (struct prt_area_old){ .before = a->old, .base = a->base };
	a->old = old;
	return 0;
}

void prt_area_forget(struct prt_area *a)
{
	while (a->old) {
		struct prt_area_old *old = a->old;

		a->old = old->before;
		vunmap(old->base);
		kvfree(old);
	}
}

/* A pointer and an entry of the page tables for each page, and the table that is not filled. */
u64 prt_area_overhead(u64 size)
{
	return PAGE_ALIGN(size / PAGE_SIZE * sizeof(struct page *)) +
	       PAGE_ALIGN(size / PAGE_SIZE * sizeof(void *)) + PAGE_SIZE;
}
