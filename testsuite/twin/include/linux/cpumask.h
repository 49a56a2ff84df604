/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_CPUMASK_H
#define TWIN_LINUX_CPUMASK_H

#include <linux/smp.h>
#include <linux/types.h>

extern bool twin_online[TWIN_CPUS];

#define cpu_online(nr) __atomic_load_n(&twin_online[nr], __ATOMIC_ACQUIRE)
#define for_each_online_cpu(nr) for_each_possible_cpu(nr) if (cpu_online(nr))
unsigned int num_online_cpus(void);

#endif
