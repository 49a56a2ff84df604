/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_CPU_H
#define TWIN_LINUX_CPU_H

#include <linux/smp.h>

/* machine_bring_up() has it for writing. */
void cpus_read_lock(void);
void cpus_read_unlock(void);

#endif
