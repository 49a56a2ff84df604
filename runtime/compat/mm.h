/* SPDX-License-Identifier: GPL-2.0 */
/*
 * vm_flags: assigned directly once, through vm_flags_mod() since "mm: introduce vma->vm_flags
 * wrapper functions" (bc292ab00f6c). Mappings are found by an iterator since "mm: add VMA iterator"
 * (f39af05949a4), and were a list before. Kbuild looks for both.
 */
#ifndef PRT_COMPAT_MM_H
#define PRT_COMPAT_MM_H

#include <linux/mm.h>
#include <linux/mm_types.h>

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

/*
 * Resident pages: a struct with an array of atomic counters once, an array of counters by processor
 * since "mm: convert mm's rss stats into percpu_counter" (f1a7941243c1). Kbuild looks for the
 * array. The sum is read, not what processors still keep for themselves, as the kernel does.
 */
/* The 64-bit count of pages of a kind (MM_FILEPAGES, ...). */
#ifdef PRT_HAVE_RSS_PERCPU
#define PRT_COMPAT_RSS(mm, kind) (&(mm)->rss_stat[kind].count)
#else
#define PRT_COMPAT_RSS(mm, kind) (&(mm)->rss_stat.count[kind])
#endif

#endif
