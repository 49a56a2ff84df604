/* SPDX-License-Identifier: GPL-2.0 */
/* The running kernel: who it is and what it allows. */
#ifndef LOADER_KERNEL_H
#define LOADER_KERNEL_H

#include <stddef.h>

struct meta;

#define KERNEL_BUILD_ID_SIZE (2 * 64 + 1)

/** kernel_build_id - lower-case hex of /sys/kernel/notes into @buf; "" when it can't be read. */
void kernel_build_id(char buf[KERNEL_BUILD_ID_SIZE]);
/** kernel_module_build_id - the same of a module that is loaded. */
void kernel_module_build_id(const char *name, char buf[KERNEL_BUILD_ID_SIZE]);
/** kernel_build_id_find - the same from the bytes of a notes section; false: there is none. */
int kernel_build_id_find(const void *notes, size_t len, char buf[KERNEL_BUILD_ID_SIZE]);
/** kernel_check - root, modules, and the kernel that @m was built for; says what is wrong. 0 or -1.
 */
int kernel_check(const struct meta *m);

#endif
