/* SPDX-License-Identifier: GPL-2.0 */
/* The source lines of addresses in the kernel's modules, from their debug symbols or their own
 * files. */
#ifndef LOADER_MODULE_LINES_H
#define LOADER_MODULE_LINES_H

#include <stddef.h>
#include <stdint.h>

struct line_frame;
struct module_lines;

/** module_lines_open - @directories: where files are looked for, separated by ':', besides the
 *  installed ones; kept. Nothing is read yet. To module_lines_free(). */
struct module_lines *module_lines_open(const char *directories);
/** module_lines_find - as lines_find(), for an address of a module that is loaded now. */
size_t module_lines_find(struct module_lines *m, uint64_t address, const struct line_frame **ret);
void module_lines_free(struct module_lines *m);

#endif
