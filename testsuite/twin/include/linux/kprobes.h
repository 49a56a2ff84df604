/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_KPROBES_H
#define TWIN_LINUX_KPROBES_H

#define NOKPROBE_SYMBOL(name) _Static_assert(1, #name)

#endif
