/* SPDX-License-Identifier: GPL-2.0 */
/* The states in the kernel's hotplug of processors, of which all modules share a few. */
#ifndef LOADER_HOTPLUG_H
#define LOADER_HOTPLUG_H

#include <stdint.h>

#include "records.h"

/** hotplug_free - how many states of @range are free by @states, the text of
 * /sys/devices/system/cpu/hotplug/states: lines of a number, a colon and a name. */
uint32_t hotplug_free(const char *states, const struct prt_hotplug *range);
/** hotplug_check - 0 if the states that the session takes are free, or it is not known; otherwise
 * it would make the kernel warn: -1, after a message. */
int hotplug_check(const struct prt_hello *hello);

#endif
