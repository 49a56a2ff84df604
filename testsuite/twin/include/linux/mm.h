/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_MM_H
#define TWIN_LINUX_MM_H

#include <errno.h>

#include <linux/gfp.h>
#include <linux/minmax.h>
#include <linux/mm_types.h>
#include <linux/string.h>

#define PAGE_SIZE 4096ul
#define PAGE_ALIGN(n) (((n) + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1))

#define VM_WRITE      1ul
#define VM_MAYWRITE   2ul
#define VM_MAYEXEC    4ul
#define VM_DONTCOPY   8ul
#define VM_DONTEXPAND 16ul

#define vma_pages(vma) (((vma)->vm_end - (vma)->vm_start) / PAGE_SIZE)
int vm_insert_page(struct vm_area_struct *vma, unsigned long addr, struct page *p);

#endif
