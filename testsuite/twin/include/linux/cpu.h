/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_CPU_H
#define TWIN_LINUX_CPU_H

#include <linux/smp.h>

/* There is no CPU hotplug here. */
#define cpus_read_lock()   do { } while (0)
#define cpus_read_unlock() do { } while (0)

#endif
