/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reading and writing a value of the kernel's memory without a fault: macros with a label, which
 * arm64 has had since "arm64: uaccess: split user/kernel routines" (fc703d80130b). Before, the
 * kernel's functions for memory of processes do it, after a change of the limit that they know; the
 * one that reads so is exported. The size of the largest address space had no name there, either.
 */
#ifndef PRT_COMPAT_UACCESS_H
#define PRT_COMPAT_UACCESS_H

#include <linux/uaccess.h>

#ifdef __get_kernel_nofault
#define prt_compat_get_kernel(to, from, type, fault) __get_kernel_nofault(to, from, type, fault)
#define prt_compat_put_kernel(to, from, type, fault) __put_kernel_nofault(to, from, type, fault)
#else
#define prt_compat_get_kernel(to, from, type, fault)                                           \
	do {                                                                                   \
		if (copy_from_kernel_nofault(to, from, sizeof(type)))                          \
			goto fault;                                                            \
	} while (0)

#define prt_compat_put_kernel(to, from, type, fault)                                           \
	do {                                                                                   \
		mm_segment_t limit = get_fs();                                                 \
		unsigned long left;                                                            \
											       \
		set_fs(KERNEL_DS);                                                             \
		left = __copy_to_user_inatomic((void __user *)(to), from, sizeof(type));       \
		set_fs(limit);                                                                 \
		if (left)                                                                      \
			goto fault;                                                            \
	} while (0)
#endif

#ifdef TASK_SIZE_MAX
#define PRT_COMPAT_TASK_SIZE_MAX TASK_SIZE_MAX
#else
#define PRT_COMPAT_TASK_SIZE_MAX (UL(1) << VA_BITS)
#endif

#endif
