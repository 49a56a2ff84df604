/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An object's open debug information, for the files of this folder.
 *
 * Addresses (pc) are those of the debug information: of the kernel as it was linked, of a module
 * as libdwfl lays its sections out, one after the other. Both are the same for symbols, lines,
 * DIEs and call frame information of one db.
 */
#ifndef DWARF_PRIVATE_H
#define DWARF_PRIVATE_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>

#include "base/map.h"
#include "base/vec.h"
#include "dwarf/dwarf.h"

struct demangle_pattern; /* object/demangle.h */

enum { DWARF_SYMBOL_NAME_MAX = (1 << 29) - 1 };

/* A symbol of the code, as kallsyms will have it. */
struct dwarf_symbol {
	uint64_t address;
	uint32_t size;           /* bytes; 0: not known */
	uint32_t name : 29;      /* dwarf_symbols_name() */
	uint32_t exact : 1;      /* a function's; else a label of assembler */
	uint32_t global : 1;
	uint32_t init : 1;       /* of code that goes when the kernel or the module has begun */
};

/* Code of a unit (@of: its header in .debug_info) or of a function (its DIE). */
struct dwarf_range {
	uint64_t start, end;
	Dwarf_Off of;
};
struct dwarf_ranges { VEC(struct dwarf_range) v; };
/** dwarf_ranges_sort - ascending by start, as dwarf_ranges_find() needs them. */
void dwarf_ranges_sort(struct dwarf_ranges *ranges);
/** dwarf_ranges_find - the one that @pc lies in, or NULL. */
const struct dwarf_range *dwarf_ranges_find(const struct dwarf_ranges *ranges, uint64_t pc);

/* Names of the source files of a unit by their numbers, below the source tree where they lie in it;
 * some are NULL. */
struct dwarf_files { const char **v; size_t n; };

/* A compilation unit that was asked for something. */
struct dwarf_unit {
	Dwarf_Die die;
	Dwarf_Off offset;        /* of the DIE */
	bool has_lines;
	bool has_scopes;         /* its language has namespaces or methods: it is not C */
	uint64_t lines;          /* DW_AT_stmt_list */
	/* Read when first needed. */
	bool files_read, code_read;
	struct dwarf_files files;
	struct dwarf_ranges code; /* of functions; sorted */
};

struct dwarf_db {
	struct state *s;
	struct arena *arena;
	const char *object;      /* "kernel", a module's name, or a program's path */
	const char *path;        /* of the file with the debug information */
	bool is_module;
	bool is_program;         /* a program or library of user space */
	Elf *loaded;             /* is_program: the file that is run, not that with debug
				  * information; it has .eh_frame */
	int fd;                  /* -1: libdwfl has it */
	Elf *elf;
	Dwarf *dwarf;
	Dwfl *dwfl;              /* of a module: holds the two above; else NULL. Those of a program
				  * belong to its struct program_file. */
	/* Read when first needed. */
	bool ranges_read, units_read;
	struct dwarf_symbols *symbols; /* NULL: none was needed */
	struct dwarf_ranges ranges; /* of units; sorted */
	struct dwarf_types *types; /* types.h; NULL: none was needed */
	struct dwarf_index *index; /* of functions; NULL: none was needed */
	struct map units;        /* offset -> struct dwarf_unit, those that were needed */
	struct map *shown;       /* names as users see them, by those of the symbols; NULL: none */
};

/* The bytes of a section; they are not trusted. */
struct dwarf_section { const unsigned char *start; size_t size; };

/** dwarf_db_of_file - any object file's; NULL: it has none. Until dwarf_close(). */
struct dwarf_db *dwarf_db_of_file(struct state *s, const char *path, const char **why);

/** dwarf_db_section - content of a section, or NULL; decompressed and relocated. */
const Elf_Data *dwarf_db_section(const struct dwarf_db *db, const char *name);
/** dwarf_db_bytes - the bytes of a section, likewise; none if there is no such section. */
struct dwarf_section dwarf_db_bytes(const struct dwarf_db *db, const char *name);
/** dwarf_string_at - the string at @offset of a section; NULL if it does not end in the section. */
const char *dwarf_string_at(const struct dwarf_section *s, uint64_t offset);
/** dwarf_db_section_at - the section that is loaded to an address, and its head; NULL: none is. */
Elf_Scn *dwarf_db_section_at(const struct dwarf_db *db, uint64_t address, GElf_Shdr *ret);
/** dwarf_db_moves_with - whether the distance of two addresses is the same wherever the object is
 *  loaded to. */
bool dwarf_db_moves_with(const struct dwarf_db *db, uint64_t one, uint64_t other);
/** dwarf_db_die - the DIE at an offset (struct dwarf_place's scope). */
bool dwarf_db_die(const struct dwarf_db *db, uint64_t offset, Dwarf_Die *ret);

/** dwarf_units_at - the unit that has code at @pc; NULL: none has. */
struct dwarf_unit *dwarf_units_at(struct dwarf_db *db, uint64_t pc);
/** dwarf_units_of - the unit of a DIE. */
struct dwarf_unit *dwarf_units_of(struct dwarf_db *db, Dwarf_Die *die);
/** dwarf_units_language_has_scopes - whether functions may lie in namespaces or types in that
 *  DW_LANG_...; -1, 0: not known. */
bool dwarf_units_language_has_scopes(int language);
/** dwarf_units_file - the name of file @nr there, or NULL. */
const char *dwarf_units_file(struct dwarf_db *db, struct dwarf_unit *unit, uint64_t nr);

/* DIEs around a place, the function first, then what is in it: inlined functions and blocks. */
enum { DWARF_SCOPES_MAX = 64 };
struct dwarf_scopes {
	Dwarf_Die v[DWARF_SCOPES_MAX];
	size_t n;
};
/** dwarf_scopes_at - false: no function has code there. */
bool dwarf_scopes_at(struct dwarf_db *db, uint64_t pc, struct dwarf_scopes *ret);
/** dwarf_scopes_down_to - from the function that has code at @pc to the DIE @scope in it; false: it
 *  is not in it. */
bool dwarf_scopes_down_to(struct dwarf_db *db, uint64_t pc, Dwarf_Off scope,
			  struct dwarf_scopes *ret);
/** dwarf_scopes_functions - the functions of a unit that have code: one that was split several
 *  times. */
const struct dwarf_ranges *dwarf_scopes_functions(struct dwarf_db *db, struct dwarf_unit *unit);
/** dwarf_scopes_entry - the first instruction of a function or an inlined copy; of one in several
 *  ranges, where it is entered. False: it has no code. */
bool dwarf_scopes_entry(Dwarf_Die *die, uint64_t *ret);
/** dwarf_scopes_name - DW_AT_name of the function, also of an inlined copy, or NULL. */
const char *dwarf_scopes_name(Dwarf_Die *die);
/** dwarf_scopes_linkage - the same, as symbols have it: mangled in C++ and Rust. */
const char *dwarf_scopes_linkage(Dwarf_Die *die);
/** dwarf_scopes_function - the same, as users see it: with the scopes and parameters of C++ and
 *  Rust. Owned by db->arena. */
const char *dwarf_scopes_function(struct dwarf_db *db, Dwarf_Die *die);
/** dwarf_constant - the number of a DW_AT_const_value. In one of a fixed size (data1 to data8)
 *  compilers write what is not negative; false: it is no number. */
bool dwarf_constant(Dwarf_Attribute *attr, int64_t *ret);
/** dwarf_scopes_declared - where its source begins. @file: NULL when not known. */
void dwarf_scopes_declared(struct dwarf_db *db, Dwarf_Die *die, const char **file,
			   unsigned *line);

/** dwarf_symbols_at - the symbol of the function that @pc lies in; NULL: none is known. */
const struct dwarf_symbol *dwarf_symbols_at(struct dwarf_db *db, uint64_t pc);
/** dwarf_symbols_name - until dwarf_close(). */
const char *dwarf_symbols_name(struct dwarf_db *db, const struct dwarf_symbol *symbol);
/** dwarf_symbols_named - the next symbol of that name after @last (NULL: the first), in the order
 *  of kallsyms; NULL: there are no more. */
const struct dwarf_symbol *dwarf_symbols_named(struct dwarf_db *db, const char *name,
					       const struct dwarf_symbol *last);
/** dwarf_symbols_clone - the next clone (NAME.isra.0, ...) after @last, ascending by address. */
const struct dwarf_symbol *dwarf_symbols_clone(struct dwarf_db *db, const char *name,
					       const struct dwarf_symbol *last);
/** dwarf_symbols_namesake - its number among the symbols of its name, as in struct site. */
int dwarf_symbols_namesake(struct dwarf_db *db, const struct dwarf_symbol *symbol);
/** dwarf_symbols_mangled - whether some are names of C++ or Rust; only of a program. */
bool dwarf_symbols_mangled(struct dwarf_db *db);
/** dwarf_symbols_each - calls @see for each symbol of a function that a pattern means, ascending by
 *  address. */
void dwarf_symbols_each(struct dwarf_db *db, const struct demangle_pattern *pattern,
			void (*see)(void *data, const struct dwarf_symbol *symbol), void *data);
/** dwarf_symbols_close - unmap them. */
void dwarf_symbols_close(struct dwarf_db *db);

/* The start of code of a line, which ends at the next row. */
struct dwarf_row {
	uint64_t address;
	uint32_t file, line;
	bool is_stmt;  /* a good place for a breakpoint */
	bool ends;     /* the address is behind the last instruction; the rest means nothing */
};

/** dwarf_lines_file_matches - whether a pattern is for a file, or for the end of its path. */
bool dwarf_lines_file_matches(const char *pattern, const char *file);
/** dwarf_lines_files, dwarf_lines_rows - read the table at an offset of .debug_line (a unit's
 *  DW_AT_stmt_list); names are owned by db->arena. */
void dwarf_lines_files(struct dwarf_db *db, uint64_t offset, struct dwarf_files *ret);
void dwarf_lines_rows(struct dwarf_db *db, uint64_t offset,
		      void (*see)(void *data, const struct dwarf_row *row), void *data);
/** dwarf_lines_tables - calls @see for each table with the names of its files, those left out whose
 *  last part does not match that of @pattern; @files only lasts until the end. */
void dwarf_lines_tables(struct dwarf_db *db, const char *pattern,
			void (*see)(void *data, uint64_t offset, const struct dwarf_files *files),
			void *data);

/** dwarf_functions_each - calls @see for each DIE of a function or copy by name and file, whatever
 *  the spec's lines; @wants: enum dwarf_wants */
void dwarf_functions_each(struct dwarf_db *db, const struct dwarf_spec *spec, unsigned wants,
			  void (*see)(void *data, Dwarf_Die *die), void *data);
/** dwarf_inside_each - calls @see for all that is in a function or copy and in its blocks, with the
 *  function, copy or block around it, but not for what is in copies of others in it. */
void dwarf_inside_each(Dwarf_Die *of, void (*see)(void *data, Dwarf_Die *die, Dwarf_Die *scope),
		       void *data);
/** dwarf_functions_place - the place of an instruction in @scope of the function or copy @of, its
 *  line being where that begins; NULL: no symbol is known there. */
struct dwarf_place *dwarf_functions_place(struct dwarf_db *db, uint64_t pc, Dwarf_Die *scope,
					  Dwarf_Die *of);

/** dwarf_functions_pattern - prepare a script's name of a function for comparisons in an object. */
void dwarf_functions_pattern(struct dwarf_db *db, const char *name, struct demangle_pattern *ret);

/* The sort of an entry that a scan of all units found. */
enum dwarf_found_kind {
	DWARF_FOUND_FUNCTION, /* a subprogram with that name and code of its own */
	DWARF_FOUND_CLONE,    /* one with code, whose name stands at an abstract one */
	DWARF_FOUND_INLINED,  /* an inlined copy */
	DWARF_FOUND_ABSTRACT, /* the origin of copies; only during a scan */
};
struct dwarf_found {
	Dwarf_Off die;
	const char *name;
	enum dwarf_found_kind kind;
};

/**
 * dwarf_scan - calls @see for all functions and inlined copies of a name, unit by unit: a kernel
 * has half a million
 * @wants: whether a name is wanted; NULL: all are
 * Goes once over .debug_info: 100 ms for a kernel.
 */
void dwarf_scan(struct dwarf_db *db, bool (*wants)(void *data, const char *name),
		void (*see)(void *data, const struct dwarf_found *found), void *data);

/**
 * dwarf_index_each - dwarf_scan() of all names that match a pattern, from the index: it is made by
 * the first call, and a kernel's is kept in the cache. @found's name lasts as long as the index.
 * returns false, and calls nobody, where none can be made
 */
bool dwarf_index_each(struct dwarf_db *db, const struct demangle_pattern *pattern,
		      void (*see)(void *data, const struct dwarf_found *found), void *data);
/** dwarf_index_close - unmap it. */
void dwarf_index_close(struct dwarf_db *db);

#endif
