/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_BITOPS_H
#define TWIN_LINUX_BITOPS_H

#define __ffs(v) ((unsigned)__builtin_ctzl(v))

#endif
