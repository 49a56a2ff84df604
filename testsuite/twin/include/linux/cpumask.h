/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_CPUMASK_H
#define TWIN_LINUX_CPUMASK_H

#include <linux/smp.h>

#define cpu_online(nr) true
#define for_each_online_cpu(nr) for_each_possible_cpu(nr)

#endif
