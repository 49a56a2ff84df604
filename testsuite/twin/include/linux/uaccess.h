/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_UACCESS_H
#define TWIN_LINUX_UACCESS_H

#include <linux/types.h>

/* Returns -EFAULT unless the whole range is in the memory that the test made readable:
 * ../../machine.h. */
long copy_from_kernel_nofault(void *to, const void *from, size_t n);
long copy_from_user_nofault(void *to, const void *from, size_t n);

#endif
