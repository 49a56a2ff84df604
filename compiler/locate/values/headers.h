/* SPDX-License-Identifier: GPL-2.0 */
/* Types that a script takes from headers, by compiling them. */
#ifndef LOCATE_VALUES_HEADERS_H
#define LOCATE_VALUES_HEADERS_H

#include <stdbool.h>

struct btf_db;
struct state;

/**
 * headers_types - the types of headers, on top of the kernel's
 * @name: "<a.h>" (a program's; several may follow each other) or "kernel<a.h>"
 * @why:  where there are none, the reason
 * returns NULL where they can't be compiled. Until dwarf_close().
 */
struct btf_db *headers_types(struct state *s, const char *name, const char **why);
/** headers_of_user - whether types are of a program or of its header: what has them lies in the
 *  memory of the process. */
bool headers_of_user(struct state *s, const struct btf_db *db);

#endif
