/* SPDX-License-Identifier: GPL-2.0 */
/* The symbols of an object's code, as its symbol table has them. */
#ifndef DWARF_SYMTAB_H
#define DWARF_SYMTAB_H

#include "target/dwarf/private.h"

struct dwarf_symtab_entry {
	uint64_t address, size;  /* size: bytes; 0: not known */
	const char *name;        /* of the open file */
	uint32_t nr;             /* its number in the table */
	bool exact, global, init; /* as in struct dwarf_symbol */
};
struct dwarf_symtab { struct dwarf_symtab_entry *v; size_t n; };

/** dwarf_symtab_size - bytes of the table; 0 if there is none. */
uint64_t dwarf_symtab_size(const struct dwarf_db *db);
/**
 * dwarf_symtab_read - the functions and labels of code, in ascending order of addresses. Of several
 * at one address, the best name comes last: functions, then global names, then the first one of the
 * table.
 * @ret: the caller frees its v; empty if nothing can be read
 */
void dwarf_symtab_read(const struct dwarf_db *db, struct dwarf_symtab *ret);

#endif
