/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_MM_TYPES_H
#define TWIN_LINUX_MM_TYPES_H

struct vm_area_struct {
	unsigned long vm_start, vm_end, vm_flags;
};

struct mm_struct {
	void *pgd;
};

#endif
