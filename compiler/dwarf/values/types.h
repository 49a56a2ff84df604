/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Types of debug information as BTF. What the kernel's BTF has, with the same name, size and
 * members, is that type; the rest is written as BTF on top of it, each translation with all that
 * it reaches in a BTF of its own. Structures that are only declared are found in the kernel's BTF
 * by name, or else in another unit.
 */
#ifndef DWARF_VALUES_TYPES_H
#define DWARF_VALUES_TYPES_H

#include <elfutils/libdw.h>

#include "program/access.h"

struct btf_db;
struct state;
struct dwarf_db;
struct dwarf_types; /* opaque: what was translated of one file's debug information */

/** dwarf_types_open - the types of @db, which owns them; the kernel's BTF must outlive it. */
struct dwarf_types *dwarf_types_open(struct state *s, struct dwarf_db *db);
/** dwarf_types_close - close what was written; accepts NULL. */
void dwarf_types_close(struct dwarf_types *t);
/** dwarf_types_of - the type that the DIE of a variable, parameter or function has. false: it can't
 *  be held in BTF. */
bool dwarf_types_of(struct dwarf_types *t, Dwarf_Die *die, struct access_type *ret);

/* ---- for named.c ---- */

/** dwarf_types_begin, dwarf_types_take, dwarf_types_end - a translation of its own: of each type
 *  that is taken, with @pointers pointers to it. NULL: it is more than BTF can hold. */
void dwarf_types_begin(struct dwarf_types *t);
void dwarf_types_take(struct dwarf_types *t, Dwarf_Die *die, unsigned pointers);
struct btf_db *dwarf_types_end(struct dwarf_types *t);
/** dwarf_types_by_name - for each name that was translated, its struct btf_db. */
struct map *dwarf_types_by_name(struct dwarf_types *t);

#endif
