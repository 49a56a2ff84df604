/* SPDX-License-Identifier: GPL-2.0 */
/*
 * vm_flags: assigned directly once, through vm_flags_mod() since "mm: introduce vma->vm_flags
 * wrapper functions" (bc292ab00f6c). Mappings are found by an iterator since "mm: add VMA iterator"
 * (f39af05949a4), and were a list before. Kbuild looks for both.
 */
#ifndef PRT_COMPAT_MM_H
#define PRT_COMPAT_MM_H

#include <linux/mm.h>

static inline void prt_compat_vm_flags(struct vm_area_struct *vma, unsigned long set,
				       unsigned long clear)
{
#ifdef PRT_HAVE_VM_FLAGS_MOD
	vm_flags_mod(vma, set, clear);
#else
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
#endif
}

/* All mappings of @mm in the order of their addresses. mmap_lock is held. Any context. */
#ifdef PRT_HAVE_VMA_ITERATOR
#define PRT_COMPAT_EACH_MAPPING(vma, mm)                                                       \
	VMA_ITERATOR(mappings_of_, mm, 0);                                                     \
	for_each_vma(mappings_of_, vma)
#else
#define PRT_COMPAT_EACH_MAPPING(vma, mm) for (vma = (mm)->mmap; vma; vma = vma->vm_next)
#endif

#endif
