/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_JIFFIES_H
#define TWIN_LINUX_JIFFIES_H

#include <linux/types.h>

#define NSEC_PER_MSEC         1000000l
#define msecs_to_jiffies(ms)  (ms)
#define get_jiffies_64()      ((u64)rdtsc_ordered() / 1000)

#endif
