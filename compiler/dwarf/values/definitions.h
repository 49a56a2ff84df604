/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The definitions of types by name, of an object in C: those at the outermost scope of a unit.
 * Structures and unions are the same definition if their size and members agree, enumerations if
 * their size and constants agree, typedefs if their types agree. An object has many copies of most
 * definitions, one for each unit that includes the header; only the first of them is found.
 */
#ifndef DWARF_VALUES_DEFINITIONS_H
#define DWARF_VALUES_DEFINITIONS_H

#include "dwarf/private.h"

/** definitions_each - call @visit for each different definition of that name, those of a kind
 *  together, each kind in the order of the file. */
void definitions_each(struct dwarf_db *db, const char *name,
		      void (*visit)(void *data, Dwarf_Die *die), void *data);
/** definitions_constant - the same for the enumerations that have the constant @name; those that
 *  give it the same value are one. */
void definitions_constant(struct dwarf_db *db, const char *name,
			  void (*visit)(void *data, Dwarf_Die *die), void *data);
/** definitions_only - the definition of the structure, union or enumeration whose name @die has.
 *  Returns false if there is none, or several that differ. */
bool definitions_only(struct dwarf_db *db, Dwarf_Die *die, Dwarf_Die *ret);
/** definitions_function - the definition of a function whose code debug information does not have,
 *  because the compiler replaced it by that of a function that does the same. Returns false if
 *  there is none, or several that differ. */
bool definitions_function(struct dwarf_db *db, const char *name, Dwarf_Die *ret);
/** definitions_close - unmap the index; accepts a db that has none. */
void definitions_close(struct dwarf_db *db);

#endif
