/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_SLAB_H
#define TWIN_LINUX_SLAB_H

#include <linux/gfp.h>

void *twin_alloc(size_t size, unsigned int gfp);
void twin_free(void *p);

#define kzalloc(size, gfp)              twin_alloc(size, (gfp) | __GFP_ZERO)
#define kzalloc_node(size, gfp, node)   kzalloc(size, gfp)
#define kvmalloc(size, gfp)             twin_alloc(size, gfp)
#define kvmalloc_node(size, gfp, node)  twin_alloc(size, gfp)
#define kvcalloc(n, size, gfp)          kzalloc((size_t)(n) * (size), gfp)
/* Nothing has pages in a row: what is large is as of vmalloc(). */
#define KMALLOC_MAX_SIZE                0
#define get_order(size)                 0
#define split_page(page, order)         ((void)(page))
#define virt_to_page(p)                 ((struct page *)(p))
#define is_vmalloc_addr(p)              ((p) != NULL)
#define __vmalloc(size, gfp)            twin_alloc(size, gfp)
#define vfree(p)                        twin_free(p)
#define kfree(p)                        twin_free(p)
#define kvfree(p)                       twin_free(p)

#endif
