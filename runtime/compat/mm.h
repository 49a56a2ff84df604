/* SPDX-License-Identifier: GPL-2.0 */
/*
 * vm_flags: assigned directly once, through vm_flags_mod() since "mm: introduce vma->vm_flags
 * wrapper functions" (bc292ab00f6c). Kbuild looks for the function.
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

#endif
