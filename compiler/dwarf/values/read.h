/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the DIEs of types in the terms of BTF (btf_write.h). Attributes that a copy lacks are read
 * from its origin.
 */
#ifndef DWARF_VALUES_READ_H
#define DWARF_VALUES_READ_H

#include <elfutils/libdw.h>

#include "base/arena.h"
#include "btf/btf_write.h"

enum { DWARF_READ_MEMBERS = 65535 }; /* BTF has 16 bits for their number; the rest is left out */

/** dwarf_read_number - an attribute that is a number without sign; false if there is none, and *ret
 *  is left alone. */
bool dwarf_read_number(Dwarf_Die *die, unsigned name, uint64_t *ret);
/** dwarf_read_name - "" for what has none; owned by the file. */
const char *dwarf_read_name(Dwarf_Die *die);
/** dwarf_read_target - the type that it has; false: none, which is void. */
bool dwarf_read_target(Dwarf_Die *die, Dwarf_Die *ret);
/** dwarf_read_declared - whether it is a declaration, with the definition elsewhere. */
bool dwarf_read_declared(Dwarf_Die *die);

/** dwarf_read_members - read the members of a structure or union; @dies has their types, which stay
 *  0 in @v. */
struct dwarf_members { VEC(struct btf_member_sketch) v; VEC(Dwarf_Die) dies; };
void dwarf_read_members(struct arena *a, Dwarf_Die *die, struct dwarf_members *ret);
/** dwarf_read_constants - read the constants of an enumeration. */
void dwarf_read_constants(struct arena *a, Dwarf_Die *die, struct btf_constants *ret);

/** dwarf_read_top - calls @see for each DIE at the top level of its unit. */
void dwarf_read_top(Dwarf *dwarf, void (*see)(void *data, Dwarf_Die *die), void *data);

#endif
