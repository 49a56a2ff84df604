/* SPDX-License-Identifier: GPL-2.0 */
/* The source lines of the kernel's addresses, from its debug symbols and those of its modules. */
#ifndef LOADER_KERNEL_LINES_H
#define LOADER_KERNEL_LINES_H

#include <stddef.h>
#include <stdint.h>

struct kernel_lines;
struct line_frame;

/** kernel_lines_open - find vmlinux with debug information, by its build-id, in directories that
 *  ':' separates, which are kept; modules are looked for when they are needed. To
 *  kernel_lines_free(). */
struct kernel_lines *kernel_lines_open(const char *directories);
/** kernel_lines_find - as lines_find(), for an address of the running kernel. Accepts NULL. */
size_t kernel_lines_find(struct kernel_lines *k, uint64_t address, const struct line_frame **ret);
/** kernel_lines_free - accepts NULL. */
void kernel_lines_free(struct kernel_lines *k);

#endif
