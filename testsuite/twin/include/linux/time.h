/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_TIME_H
#define TWIN_LINUX_TIME_H

#include <time.h>

#include <linux/types.h>

void time64_to_tm(s64 seconds, int offset, struct tm *ret);

#endif
