/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_PREEMPT_H
#define TWIN_LINUX_PREEMPT_H

#include <linux/types.h>

extern bool machine_in_breakpoint;

#define in_nmi() machine_in_breakpoint

#endif
