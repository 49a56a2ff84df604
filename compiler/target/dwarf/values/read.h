/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the DIEs of types into structures of btf_write.h. Attributes that a copy lacks are read
 * from its origin.
 */
#ifndef DWARF_VALUES_READ_H
#define DWARF_VALUES_READ_H

#include <elfutils/libdw.h>

#include "base/arena.h"
#include "target/btf/btf_write.h"

/* BTF has 16 bits for the number of members; further ones are left out */
enum { DWARF_READ_MEMBERS = 65535 };

/** dwarf_read_number - read an unsigned number. Returns false if there is none, and leaves *ret
 *  alone. */
bool dwarf_read_number(Dwarf_Die *die, unsigned name, uint64_t *ret);
/** dwarf_read_name - the name, or ""; owned by the file. */
const char *dwarf_read_name(Dwarf_Die *die);
/** dwarf_read_target - the type to which it refers, also if that has a unit of its own. Returns
 *  false if there is none, which means void. */
bool dwarf_read_target(Dwarf_Die *die, Dwarf_Die *ret);
/** dwarf_read_child - find the first child with that tag. Returns false if there is none. */
bool dwarf_read_child(Dwarf_Die *die, int tag, Dwarf_Die *ret);
/** dwarf_read_location - read an attribute that has an expression or a list of them. Returns false
 *  if there is none. Go gives expressions as blocks, which libdw accepts only before DWARF 4. */
bool dwarf_read_location(Dwarf_Die *die, unsigned name, Dwarf_Attribute *ret);
/** dwarf_read_scope - the namespaces and types around a DIE: "ns::inner::", "" outside of all.
 *  Owned by @a. */
const char *dwarf_read_scope(struct arena *a, Dwarf_Die *die);
/** dwarf_read_declared - whether it is a declaration, with the definition elsewhere, or stands for
 *  a type with a unit of its own. */
bool dwarf_read_declared(Dwarf_Die *die);

/** dwarf_read_members - read the members of a structure or union; @dies are those of the members,
 *  whose types are 0 in @v. Members that begin beyond 512 MiB, which BTF can't hold, are left
 *  out. */
struct dwarf_members { VEC(struct btf_member_sketch) v; VEC(Dwarf_Die) dies; };
void dwarf_read_members(struct arena *a, Dwarf_Die *die, struct dwarf_members *ret);
/** dwarf_read_constants - read the constants of an enumeration. The sign of one that the file has
 *  in a form of a fixed size is that of the enumeration, which only dwarf_read_enum() respects. */
void dwarf_read_constants(struct arena *a, Dwarf_Die *die, struct btf_constants *ret);
/** dwarf_read_enum - read an enumeration. Its sign is that of its underlying type, else that of its
 *  own encoding, and without both, it is signed if a constant is negative. */
void dwarf_read_enum(struct arena *a, Dwarf_Die *die, struct btf_enum_sketch *ret);

struct dwarf_db;
/** dwarf_read_top - call @visit for each DIE at the top level of its unit. Returns false if damage
 *  hides some of them. */
bool dwarf_read_top(struct dwarf_db *db, void (*visit)(void *data, Dwarf_Die *die), void *data);

#endif
