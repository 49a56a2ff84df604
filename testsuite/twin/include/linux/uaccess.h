/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_UACCESS_H
#define TWIN_LINUX_UACCESS_H

#include <linux/types.h>

/* Returns -EFAULT unless the whole range is in the memory that the test made readable:
 * ../../machine.h. */
long copy_from_kernel_nofault(void *to, const void *from, size_t n);

#define __get_kernel_nofault(to, from, type, fault)                             \
	do {                                                                    \
		if (copy_from_kernel_nofault(to, from, sizeof(type)))           \
			goto fault;                                             \
	} while (0)

/* A process has the same memory. */
#define __user
#define TASK_SIZE_MAX                   (1ul << 47)
#define pagefault_disable()             do { } while (0)
#define pagefault_enable()              do { } while (0)
#define __uaccess_begin_nospec()        do { } while (0)
#define __uaccess_end()                 do { } while (0)
#define unsafe_put_user(x, to, fault)                                           \
	do {                                                                    \
		if (!(to))                                                      \
			goto fault;                                             \
		*(to) = (x);                                                    \
	} while (0)
#define unsafe_get_user(x, from, fault)                                         \
	do {                                                                    \
		if (copy_from_kernel_nofault(&(x), (const void *)(from), sizeof(x))) \
			goto fault;                                             \
	} while (0)

#endif
