/* SPDX-License-Identifier: GPL-2.0 */
/* The symbols of an object's code, as its symbol table has them. */
#ifndef DWARF_SYMTAB_H
#define DWARF_SYMTAB_H

#include "dwarf/private.h"

struct dwarf_symtab_entry {
	uint64_t address, size;  /* size: bytes; 0: not known */
	const char *name;        /* of the open file */
	uint32_t nr;             /* in the table */
	bool exact, global, init; /* as struct dwarf_symbol has them */
};
struct dwarf_symtab { struct dwarf_symtab_entry *v; size_t n; };

/** dwarf_symtab_size - bytes of the table; 0 if there is none. */
uint64_t dwarf_symtab_size(const struct dwarf_db *db);
/**
 * dwarf_symtab_read - functions and labels of code, ascending by address; at one address what is
 * best to name it comes last: functions, names that others use, the first of the table
 * @ret: its v is the caller's to free(); empty where nothing can be read
 */
void dwarf_symtab_read(const struct dwarf_db *db, struct dwarf_symtab *ret);

#endif
