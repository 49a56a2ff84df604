/* SPDX-License-Identifier: GPL-2.0 */
/* A ring's pages: allocated one by one, mapped twice in a row here and in the loader. */
#include <linux/gfp.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "compat/mm.h"
#include "grow.h"
#include "limits.h"
#include "memory.h"
#include "ring.h"

struct prt_ring_pages {
	u32 n;
	struct page *page[];   /* the header, then the data twice */
};

/* A larger ring in the making. */
struct prt_ring_next {
	struct prt_ring_pages *pages;
	struct page **added;   /* the pages that the smaller ring does not have, then NULL */
	char *data;
	u32 size;
	u64 from;              /* the first page of what was unread, counted from the stream's */
	bool taken;            /* it is the ring's, and `pages` and `data` are what the ring had */
};

/* The pages of a ring of which a mapping is being made. */
static DEFINE_MUTEX(mapping);

static struct prt_ring_pages *allocate_pages(u32 size, int node)
{
	u32 n = 2 * (size / PAGE_SIZE) + 1;
	struct prt_ring_pages *ret = prt_alloc(1, struct_size(ret, page, n), node);

	if (ret)
		ret->n = n;
	return ret;
}

static char *map_data(struct prt_ring_pages *pages)
{
	return prt_fails() ? NULL : vmap(&pages->page[1], pages->n - 1, VM_MAP, PAGE_KERNEL);
}

/* Makes the second half of the pages of data the first one again. */
static void double_pages(struct prt_ring_pages *pages)
{
	u32 n = pages->n / 2;

	memcpy(&pages->page[1 + n], &pages->page[1], n * sizeof(*pages->page));
}

/* Frees pages that are there up to the first one that is not. */
static void free_pages_of(struct prt_ring_pages *pages)
{
	u32 i;

	for (i = 0; i <= pages->n / 2 && pages->page[i]; i++)
		__free_page(pages->page[i]);
	kvfree(pages);
}

static void free_next(struct prt_ring_next *next)
{
	u32 i;

	if (next->data)
		vunmap(next->data);
	for (i = 0; next->added && next->added[i]; i++)
		__free_page(next->added[i]);
	kvfree(next->added);
	kvfree(next->pages);
	kvfree(next);
}

int prt_ring_init(struct prt_ring *r, u32 size, int node)
{
	u32 n = size / PAGE_SIZE, i;
	struct prt_ring_pages *pages = allocate_pages(size, node);

	memset(r, 0, sizeof(*r));
	if (!pages)
		return -ENOMEM;
	for (i = 0; i <= n; i++) {
		/* A test can fail one of these allocations on behalf of all. */
		if (i != n / 2 || !prt_fails())
			pages->page[i] = alloc_pages_node(node, PRT_GFP, 0);
		if (!pages->page[i])
			goto fail;
	}
	double_pages(pages);
	r->data = map_data(pages);
	if (!r->data)
		goto fail;
	r->hdr = page_address(pages->page[0]);
	r->hdr->magic = PRT_MAGIC;
	r->hdr->size = size;
	r->size = r->most = size;
	r->mask = size - 1;
	r->half = size / 2;
	smp_store_release(&r->pages, pages);
	return 0;
fail:
	free_pages_of(pages);
	return -ENOMEM;
}

struct page *const *prt_ring_pages(const struct prt_ring *r)
{
	return r->pages->page;
}

void prt_ring_deinit(struct prt_ring *r)
{
	if (!r->pages)
		return;
	if (r->next)
		free_next(r->next);
	vunmap(r->data);
	free_pages_of(r->pages);
	kvfree(r->flight);
	memset(r, 0, sizeof(*r));
}

/* ---- growing ---- */

static u32 half_of(const struct prt_ring *r, u32 size)
{
	return size / (size < r->most ? r->grow_at : 2);
}

void prt_ring_grows(struct prt_ring *r, u32 most, u32 grow_at)
{
	r->most = max(most, r->size);
	r->grow_at = grow_at;
	r->half = half_of(r, r->size);
}

/* The ring keeps its size. */
static bool starve(struct prt_ring *r, enum prt_short why)
{
	WRITE_ONCE(r->hdr->why, why);
	WRITE_ONCE(r->most, r->size);
	return false;
}

/* Allocates what a ring of @size bytes has more than @r. NULL: there is no memory. */
static struct prt_ring_next *allocate(const struct prt_ring *r, u32 size, int node)
{
	u32 added = (size - r->size) / PAGE_SIZE, i;
	struct prt_ring_next *next = prt_alloc(1, sizeof(*next), node);

	if (!next)
		return NULL;
	next->size = size;
	next->pages = allocate_pages(size, node);
	next->added = prt_alloc(added + 1, sizeof(*next->added), node);
	for (i = 0; i < added && next->pages && next->added; i++) {
		/* A test can fail one of these allocations on behalf of all. */
		if (i != added / 2 || !prt_fails())
			next->added[i] = alloc_pages_node(node, PRT_GFP, 0);
		if (!next->added[i])
			break;
	}
	if (i == added)
		return next;
	free_next(next);
	return NULL;
}

/* Puts the pages where they belong. false: an invalid tail, or the reader is fast. */
static bool place_pages(const struct prt_ring *r, struct prt_ring_next *next)
{
	u32 n = r->size / PAGE_SIZE, all = next->size / PAGE_SIZE, i;
	u64 tail = READ_ONCE(r->hdr->tail);

	if (smp_load_acquire(&r->hdr->head) - tail > r->size)
		return false;
	next->from = tail / PAGE_SIZE;
	next->pages->page[0] = r->pages->page[0];
	for (i = 0; i < all; i++)
		next->pages->page[1 + (next->from + i) % all] =
			i < n ? r->pages->page[1 + (next->from + i) % n] : next->added[i - n];
	double_pages(next->pages);
	return true;
}

bool prt_ring_extend(struct prt_ring *r, int node)
{
	u32 size = min_t(u64, r->most, (u64)r->size * PRT_RING_TIMES);
	struct prt_ring_next *next = r->next;

	if (size <= r->size)
		return false;
	if (!next && !prt_grow_may(size - r->size))
		return starve(r, PRT_SHORT_LIMIT);
	if (!next)
		r->next = next = allocate(r, size, node);
	if (!next)
		return starve(r, PRT_SHORT_MEMORY);
	if (next->data)
		vunmap(next->data);
	next->data = NULL;
	if (!place_pages(r, next))
		return true;
	next->data = map_data(next->pages);
	return next->data || starve(r, PRT_SHORT_MEMORY);
}

void prt_ring_take(struct prt_ring *r)
{
	struct prt_ring_next *next = r->next;
	struct prt_ring_pages *pages;
	u32 n = r->size / PAGE_SIZE;

	/* Up to that place, each page of the stream is another one in the new ring. */
	if (!next || !next->data || r->head > (next->from + n + 1) * PAGE_SIZE)
		return;
	memcpy(next->data + (next->from + n) * PAGE_SIZE % next->size,
	       r->data + next->from * PAGE_SIZE % r->size, PAGE_SIZE);
	swap(r->data, next->data);
	pages = r->pages;
	/* A mapping of the new size is of these pages: they are stored before it. */
	smp_store_release(&r->pages, next->pages);
	next->pages = pages;
	r->mask = next->size - 1;
	r->half = half_of(r, next->size);
	WRITE_ONCE(r->size, next->size);
	/* The reader, which sees it, maps these pages. */
	smp_store_release(&r->hdr->size, next->size);
	next->taken = true;
}

bool prt_ring_settle(struct prt_ring *r)
{
	struct prt_ring_next *next = r->next;

	if (!next || !next->taken)
		return false;
	next->added[0] = NULL;
	mutex_lock(&mapping);
	mutex_unlock(&mapping);
	free_next(next);
	r->next = NULL;
	return true;
}

bool prt_ring_grow(struct prt_ring *r)
{
	bool ret = false;
	u32 tries;

	for (tries = 0; !ret && tries < PRT_RING_TRIES && prt_ring_extend(r, NUMA_NO_NODE);
	     tries++) {
		prt_ring_take(r);
		ret = prt_ring_settle(r);
	}
	return ret;
}

static int map_pages(const struct prt_ring_pages *pages, struct vm_area_struct *vma,
		     unsigned long page)
{
	unsigned long n = vma_pages(vma), i;
	int err;

	if (page >= pages->n || n > pages->n - page)
		return -EINVAL;
	if (page + n > 1) {
		if (vma->vm_flags & VM_WRITE)
			return -EPERM;
		prt_compat_vm_flags(vma, 0, VM_MAYWRITE);
	}
	prt_compat_vm_flags(vma, VM_DONTCOPY | VM_DONTEXPAND, VM_MAYEXEC);
	for (i = 0; i < n; i++) {
		err = vm_insert_page(vma, vma->vm_start + i * PAGE_SIZE, pages->page[page + i]);
		if (err)
			return err;
	}
	return 0;
}

int prt_ring_mmap(struct prt_ring *r, struct vm_area_struct *vma, unsigned long page)
{
	int err;

	mutex_lock(&mapping);
	err = map_pages(smp_load_acquire(&r->pages), vma, page);
	mutex_unlock(&mapping);
	return err;
}
