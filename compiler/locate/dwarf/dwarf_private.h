/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An object's open debug information, for the files of this folder.
 *
 * Addresses (pc) are those of the debug information: of the kernel as it was linked, of a module as
 * libdwfl lays its sections out, one after the other. Both are the same for symbols, lines, DIEs and
 * call frame information of one db.
 */
#ifndef LOCATE_DWARF_PRIVATE_H
#define LOCATE_DWARF_PRIVATE_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>

#include "base/arena.h"
#include "locate/dwarf/dwarf.h"

/* A symbol of the code, as kallsyms will have it. */
struct dwarf_symbol {
	uint64_t address;
	uint64_t size;           /* bytes; 0: not known */
	const char *name;
	uint32_t nr;             /* in the symbol table */
	uint32_t next;           /* of the same hash, + 1; ascending by address */
	bool exact;              /* a function's; else a label of assembler */
	bool global;
	bool init;               /* of code that goes when the kernel or the module has begun */
};

/* An address range of a compilation unit. */
struct dwarf_unit_range {
	uint64_t start, end;
	Dwarf_Off unit;          /* of its header in .debug_info */
};

struct dwarf_db {
	struct arena *arena;
	const char *object;      /* "kernel" or a module's name */
	const char *path;        /* of the file with the debug information */
	bool is_module;
	int fd;                  /* -1: libdwfl has it */
	Elf *elf;
	Dwarf *dwarf;
	Dwfl *dwfl;              /* of a module: holds the two above; else NULL */
	/* Read when first asked for. */
	bool symbols_read, ranges_read, units_read;
	struct { struct dwarf_symbol *v; size_t n, cap; } symbols; /* ascending by address */
	struct { struct dwarf_unit_range *v; size_t n, cap; } ranges; /* ascending by start */
	uint32_t *names;         /* hash of a name -> its first symbol, + 1 */
	uint32_t names_mask;
	struct dwarf_types *types; /* types.h; NULL: none was asked for */
};

/** dwarf_db_of_file - any object file's; NULL: it has none. Until dwarf_close(). */
struct dwarf_db *dwarf_db_of_file(struct session *s, const char *path, const char **why);

/** dwarf_db_section - content of a section, or NULL; decompressed and relocated. */
const Elf_Data *dwarf_db_section(const struct dwarf_db *db, const char *name);
/** dwarf_db_die - the DIE at an offset (struct dwarf_place's scope). */
bool dwarf_db_die(const struct dwarf_db *db, uint64_t offset, Dwarf_Die *ret);

/** dwarf_units_at - the DIE of the unit that has code at @pc; false: none has. */
bool dwarf_units_at(struct dwarf_db *db, uint64_t pc, Dwarf_Die *ret);

/** dwarf_symbols_at - the symbol of the function that @pc lies in; NULL: none is known. */
const struct dwarf_symbol *dwarf_symbols_at(struct dwarf_db *db, uint64_t pc);
/** dwarf_symbols_named - the next symbol of that name after @last (NULL: the first), ascending by
 *  address; NULL: there are no more. */
const struct dwarf_symbol *dwarf_symbols_named(struct dwarf_db *db, const char *name,
					       const struct dwarf_symbol *last);
/** dwarf_symbols_namesake - which of the symbols of its name it is, as struct site has it. */
int dwarf_symbols_namesake(struct dwarf_db *db, const struct dwarf_symbol *symbol);

#endif
