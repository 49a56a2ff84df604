/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_DELAY_H
#define TWIN_LINUX_DELAY_H

#include <linux/wait.h>

#define msleep(ms)  twin_pause()
#define cpu_relax() __builtin_ia32_pause()

#endif
