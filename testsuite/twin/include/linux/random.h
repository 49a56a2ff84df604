/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_RANDOM_H
#define TWIN_LINUX_RANDOM_H

#include <linux/types.h>

void get_random_bytes(void *p, size_t len);

#endif
