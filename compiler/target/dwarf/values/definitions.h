/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The definitions of types by name, of an object in C: those at the outermost scope of a unit.
 * Structures and unions are the same definition if their size and members agree, enumerations if
 * their size and constants agree, typedefs if their types agree; names of other types agree if they
 * are the same name. An object has many copies of most definitions, one for each unit that includes
 * the header; only the first of them is found.
 */
#ifndef DWARF_VALUES_DEFINITIONS_H
#define DWARF_VALUES_DEFINITIONS_H

#include "target/dwarf/private.h"

/** definitions_each - call @visit for each different definition of that name and kind, in the order
 *  of the file. BTF_ANY means the first kind that has the name, in the order of
 *  btf_lookup_type(). */
void definitions_each(struct dwarf_db *db, enum btf_word word, const char *name,
		      void (*visit)(void *data, Dwarf_Die *die), void *data);
/** definitions_constant - the same for the enumerations that have the constant @name; those that
 *  give it the same value are one. */
void definitions_constant(struct dwarf_db *db, const char *name,
			  void (*visit)(void *data, Dwarf_Die *die), void *data);
/** definitions_word - the kind of a structure, union or enumeration; BTF_ANY for any other DIE. */
enum btf_word definitions_word(Dwarf_Die *die);
/** definitions_same - the definition of the structure, union or enumeration that @die is a copy of,
 *  or that it declares. Returns false if there is none, as for a type that is defined within a
 *  function, or if it declares what has several definitions that differ. */
bool definitions_same(struct dwarf_db *db, Dwarf_Die *die, Dwarf_Die *ret);
/** definitions_function - the definition of a function whose code debug information does not have,
 *  because the compiler replaced it by that of a function that does the same. Returns false if
 *  there is none, or several that differ. */
bool definitions_function(struct dwarf_db *db, const char *name, Dwarf_Die *ret);
/** definitions_close - unmap the index; accepts a db that has none. */
void definitions_close(struct dwarf_db *db);

#endif
