/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_KERNEL_H
#define TWIN_LINUX_KERNEL_H

#include <linux/minmax.h>
#include <linux/types.h>

int kstrtos64(const char *s, unsigned int base, s64 *ret);

#endif
