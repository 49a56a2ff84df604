/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_KERNEL_H
#define TWIN_LINUX_KERNEL_H

#include <stdio.h>
#include <linux/minmax.h>
#include <linux/types.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

int kstrtos64(const char *s, unsigned int base, s64 *ret);

#endif
