/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Types of debug information as BTF. A type that the kernel's BTF has with the same name, size and
 * members is that type; others are written as BTF that extends it. Each translation makes a BTF of
 * its own, with all types that are reached; if the kernel has no BTF, those of one object have one
 * in common. Structures that are only declared are found by name in the kernel's BTF, otherwise in
 * another unit.
 */
#ifndef DWARF_VALUES_TYPES_H
#define DWARF_VALUES_TYPES_H

#include <elfutils/libdw.h>

#include "program/access.h"

struct btf_db;
struct state;
struct dwarf_db;
struct dwarf_types; /* opaque: the translated types of one file's debug information */

/** dwarf_types_open - the types of @db, which owns the result; the kernel's BTF must outlive it. */
struct dwarf_types *dwarf_types_open(struct state *s, struct dwarf_db *db);
/** dwarf_types_close - close all translations; accepts NULL. */
void dwarf_types_close(struct dwarf_types *t);
/** dwarf_types_of - the type of a variable, parameter or function. Returns false if BTF can't hold
 *  it. */
bool dwarf_types_of(struct dwarf_types *t, Dwarf_Die *die, struct access_type *ret);
/** dwarf_types_at - the type that @die is (NULL: void), as dwarf_types_of(). */
bool dwarf_types_at(struct dwarf_types *t, Dwarf_Die *die, struct access_type *ret);

/** dwarf_types_define - replace the DIE of a class, structure or union that is only declared by its
 *  definition in another unit. Returns false if there is none. */
bool dwarf_types_define(struct dwarf_types *t, Dwarf_Die *die);

/* ---- for named.c ---- */

/** dwarf_types_begin, dwarf_types_take, dwarf_types_end - make a translation in which each type
 *  that is taken (NULL: void), with @pointers pointers to it, is found by its name. @all: all named
 *  types of the file are taken. dwarf_types_end() returns NULL if BTF can't hold them. */
void dwarf_types_begin(struct dwarf_types *t);
void dwarf_types_take(struct dwarf_types *t, Dwarf_Die *die, unsigned pointers);
struct btf_db *dwarf_types_end(struct dwarf_types *t, bool all);
/** dwarf_types_by_name - a map from each name that was translated to its struct btf_db. */
struct map *dwarf_types_by_name(struct dwarf_types *t);

#endif
