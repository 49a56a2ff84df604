/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_VMALLOC_H
#define TWIN_LINUX_VMALLOC_H

#include <linux/gfp.h>

#define VM_MAP      0
#define PAGE_KERNEL 0

void *vmap(struct page **pages, unsigned int n, unsigned long flags, int prot);
void vunmap(const void *p);

#endif
