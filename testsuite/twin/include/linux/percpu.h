/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_PERCPU_H
#define TWIN_LINUX_PERCPU_H

#include <linux/smp.h>

#define DECLARE_PER_CPU(type, name) extern __typeof__(type) name[TWIN_CPUS]
#define DEFINE_PER_CPU(type, name)  __typeof__(type) name[TWIN_CPUS]
#define per_cpu(name, nr)           (name)[nr]
#define this_cpu_read(name)         (name)[twin_cpu]
#define __this_cpu_read(name)       this_cpu_read(name)

#endif
