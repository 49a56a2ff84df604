/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Classes of C++ that are passed by the address of an object ("by invisible reference"): those with
 * a copy or move constructor or a destructor that is not trivial, and those that can't be copied at
 * all (Itanium C++ ABI, 1.1, "non-trivial for the purposes of calls").
 */
#ifndef DWARF_VALUES_CLASSES_H
#define DWARF_VALUES_CLASSES_H

#include "target/dwarf/values/types.h"

enum classes_passed {
	CLASSES_BY_VALUE,
	CLASSES_BY_ADDRESS,
	CLASSES_UNKNOWN,   /* debug information does not say enough */
};

/** classes_passed - how objects of a structure, class or union are passed. */
enum classes_passed classes_passed(struct dwarf_types *t, Dwarf_Die *die);
/** classes_of - the structure, class or union that a type is, without typedefs and qualifiers, or
 *  that the elements of an array are. Returns false if it is none. */
bool classes_of(Dwarf_Die *type, Dwarf_Die *ret);

#endif
