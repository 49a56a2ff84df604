/* SPDX-License-Identifier: GPL-2.0 */
/* The mode of the kernel's lockdown, which may forbid loading modules. */
#ifndef LOADER_LOCKDOWN_H
#define LOADER_LOCKDOWN_H

#include <stddef.h>

/** lockdown_mode - the mode in force ("integrity", "confidentiality"), or NULL. The result points
 *  into @buf. */
const char *lockdown_mode(char *buf, size_t size);

#endif
