/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_STRING_H
#define TWIN_LINUX_STRING_H

#include <string.h>

#endif
