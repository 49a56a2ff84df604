/* SPDX-License-Identifier: GPL-2.0 */
/* The addresses of a session's sites and variables, and whether they may be probed. */
#ifndef LOADER_RESOLVE_H
#define LOADER_RESOLVE_H

#include <stdbool.h>

struct kallsyms;
struct meta;

/** resolve_sites - find the addresses of @m's sites and variables, and check whether the kernel has
 * kprobes at all. @override_any: functions may be left early that are not on the kernel's list. 0
 * with @ret, which the caller frees; or -1 after reporting the error. */
int resolve_sites(const struct meta *m, bool override_any, struct kallsyms *ret);
/** resolve_modules - check again: modules may have been loaded or removed before the runtime began
 * to watch them. 0, or -1 after reporting the error. */
int resolve_modules(const struct meta *m, struct kallsyms *ret);

#endif
