/* SPDX-License-Identifier: GPL-2.0 */
/* The types of headers, which are found by compiling them. */
#ifndef LOCATE_VALUES_HEADERS_H
#define LOCATE_VALUES_HEADERS_H

#include <stdbool.h>

struct btf_db;
struct state;

/**
 * headers_types - the types of headers, in addition to the kernel's
 * @name: "<a.h>" (of programs; several may follow each other) or "kernel<a.h>"
 * @why:  set to the reason for NULL
 *
 * returns NULL if they can't be compiled; otherwise valid until dwarf_close()
 */
struct btf_db *headers_types(struct state *s, const char *name, bool of_32bit, const char **why);
/** headers_of_user - whether types belong to a program or to its headers, so that their objects are
 *  in the memory of the process. */
bool headers_of_user(struct state *s, const struct btf_db *db);

#endif
