/* SPDX-License-Identifier: GPL-2.0 */
/* A ring's pages: allocated one by one, mapped twice in a row here and in the loader. */
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "compat/mm.h"
#include "limits.h"
#include "memory.h"
#include "ring.h"

int prt_ring_init(struct prt_ring *r, u32 size, int node)
{
	u32 n = size / PAGE_SIZE, i;

	memset(r, 0, sizeof(*r));
	r->size = size;
	r->pages = prt_alloc(2 * n + 1, sizeof(*r->pages), node);
	if (!r->pages)
		return -ENOMEM;
	for (i = 0; i <= n; i++) {
		/* A test can fail one of these allocations on behalf of all. */
		if (i != n / 2 || !prt_fails())
			r->pages[i] = alloc_pages_node(node, PRT_GFP, 0);
		if (!r->pages[i])
			goto fail;
	}
	memcpy(&r->pages[n + 1], &r->pages[1], n * sizeof(*r->pages));
	if (!prt_fails())
		r->data = vmap(&r->pages[1], 2 * n, VM_MAP, PAGE_KERNEL);
	if (!r->data)
		goto fail;
	r->hdr = page_address(r->pages[0]);
	r->hdr->magic = PRT_MAGIC;
	r->hdr->size = size;
	r->mask = size - 1;
	r->half = size / 2;
	smp_store_release(&r->npages, 2 * n + 1);
	return 0;
fail:
	prt_ring_deinit(r);
	return -ENOMEM;
}

void prt_ring_deinit(struct prt_ring *r)
{
	u32 i;

	if (!r->pages)
		return;
	if (r->data)
		vunmap(r->data);
	/* From the first one on that could not be allocated, all are NULL. */
	for (i = 0; i <= r->size / PAGE_SIZE && r->pages[i]; i++)
		__free_page(r->pages[i]);
	kvfree(r->pages);
	kvfree(r->flight);
	memset(r, 0, sizeof(*r));
}

int prt_ring_mmap(struct prt_ring *r, struct vm_area_struct *vma, unsigned long page)
{
	unsigned long n = vma_pages(vma), i;
	int err;

	if (page >= r->npages || n > r->npages - page)
		return -EINVAL;
	if (page + n > 1) {
		if (vma->vm_flags & VM_WRITE)
			return -EPERM;
		prt_compat_vm_flags(vma, 0, VM_MAYWRITE);
	}
	prt_compat_vm_flags(vma, VM_DONTCOPY | VM_DONTEXPAND, VM_MAYEXEC);
	for (i = 0; i < n; i++) {
		err = vm_insert_page(vma, vma->vm_start + i * PAGE_SIZE, r->pages[page + i]);
		if (err)
			return err;
	}
	return 0;
}
