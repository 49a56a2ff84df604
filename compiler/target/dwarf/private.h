/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An object's open debug information, for the files of this folder.
 *
 * Addresses (pc) are those of the debug information: linked addresses of the kernel, and for a
 * module those that libdwfl assigns, section after section. Symbols, lines, DIEs and call frame
 * information of one db agree on them.
 */
#ifndef DWARF_PRIVATE_H
#define DWARF_PRIVATE_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>

#include "base/map.h"
#include "base/vec.h"
#include "target/dwarf/dwarf.h"

struct demangle_pattern; /* object/demangle.h */

enum { DWARF_SYMBOL_NAME_MAX = (1 << 29) - 1 };

/* A symbol of code, as kallsyms shows it. */
struct dwarf_symbol {
	uint64_t address;
	uint32_t size;           /* bytes; 0: not known */
	uint32_t name : 29;      /* dwarf_symbols_name() */
	uint32_t exact : 1;      /* it is a function; otherwise a label of assembler */
	uint32_t global : 1;
	/* in code that is freed once the kernel or the module has started */
	uint32_t init : 1;
};

/* Code of a unit (@of: the offset of its header in .debug_info) or of a function
 * (dwarf_parts_offset() of its DIE). */
struct dwarf_range {
	uint64_t start, end;
	Dwarf_Off of;
};
struct dwarf_ranges { VEC(struct dwarf_range) v; };
/** dwarf_ranges_sort - sort by start, for dwarf_ranges_find(). */
void dwarf_ranges_sort(struct dwarf_ranges *ranges);
/** dwarf_ranges_find - the range that contains @pc, or NULL. */
const struct dwarf_range *dwarf_ranges_find(const struct dwarf_ranges *ranges, uint64_t pc);

/* The names of a unit's source files by their numbers, relative to the source tree if they are in
 * it; some are NULL. */
struct dwarf_files { const char **v; size_t n; };

/* A compilation unit that was needed. */
struct dwarf_unit {
	Dwarf_Die die;
	Dwarf_Die skeleton;      /* of a unit that was split (split.c); otherwise the same as die */
	Dwarf_Off offset;        /* dwarf_parts_offset() of the DIE */
	bool has_lines;
	bool has_scopes;         /* its language has namespaces or methods, unlike C */
	uint64_t lines;          /* DW_AT_stmt_list */
	/* Read when first needed. */
	bool files_read, code_read, rows_read;
	struct dwarf_files files;
	struct dwarf_ranges code; /* of functions; sorted */
	struct dwarf_ranges rows; /* of the line table; `of` has the file and the line */
	struct dwarf_marks *marks; /* code/beginnings.c; NULL: not needed yet */
};

struct dwarf_db {
	struct state *s;
	struct arena *arena;
	const char *object;      /* "kernel", a module's name, or a program's path */
	const char *path;        /* of the file with the debug information */
	bool is_module;
	bool is_program;         /* a program or library of user space */
	bool is_32bit;           /* it is for programs of 32 bits */
	/* is_program: the executed file, which has .eh_frame; debug information may be in another
	 * one */
	Elf *loaded;
	Dwarf_CFI *loaded_cfi;   /* of .eh_frame; NULL: not needed yet, or there is none */
	int fd;                  /* -1: owned by libdwfl */
	Elf *elf;
	Dwarf *dwarf;
	/* A module's: owns the two above. NULL for others; those of a program belong to its
	 * struct program_file. */
	Dwfl *dwfl;
	/* Read when first needed. */
	bool ranges_read, units_read;
	struct dwarf_symbols *symbols; /* NULL: none was needed */
	struct dwarf_ranges ranges; /* of units; sorted */
	struct dwarf_types *types; /* types.h; NULL: not needed yet */
	struct dwarf_written *written; /* written.h; NULL: as above */
	struct dwarf_index *index; /* of functions; NULL: not needed yet */
	struct dwarf_definitions *definitions; /* of types; NULL: not needed yet */
	struct map units;        /* offset -> struct dwarf_unit */
	/* in ascending order of their offsets; empty: none was needed */
	VEC(struct dwarf_part *) parts;
	struct map part_of;      /* (uintptr_t)Dwarf * -> struct dwarf_part */
	struct dwarf_split *split; /* NULL: no unit was split */
	/* name of a symbol -> name as users see it; NULL: not needed yet */
	struct map *shown;
};

/* The bytes of a section; they are not trusted. */
struct dwarf_section { const unsigned char *start; size_t size; };

/** dwarf_db_of_file - the debug information of any object file, or NULL with *@why. Valid until
 *  dwarf_close(). */
struct dwarf_db *dwarf_db_of_file(struct state *s, const char *path, const char **why);

/** dwarf_damage_has_info - whether a file has debug information, perhaps a damaged one. */
bool dwarf_damage_has_info(Elf *elf);
/** dwarf_damage_said - the text of a library's last error. A lack of memory ends the process. */
const char *dwarf_damage_said(const struct dwarf_db *db, const char *message);
/** dwarf_damage_unopened - why db->elf could not be opened; errno is that of open() if db->fd is
 *  negative. NULL: not known. Owned by the arena, like the next one. */
const char *dwarf_damage_unopened(const struct dwarf_db *db);
/** dwarf_damage_of - why the debug information of the open file db->elf can't be used, if it has
 *  some; NULL: nothing is wrong. db->dwarf is NULL if it could not be opened. */
const char *dwarf_damage_of(const struct dwarf_db *db);

/** dwarf_db_section - the contents of a section, decompressed and relocated, or NULL. */
const Elf_Data *dwarf_db_section(const struct dwarf_db *db, const char *name);
/** dwarf_db_bytes - the same as bytes; empty if there is no such section. */
struct dwarf_section dwarf_db_bytes(const struct dwarf_db *db, const char *name);
/** dwarf_string_at - the string at @offset of a section, or NULL if it does not end in the
 *  section. */
const char *dwarf_string_at(const struct dwarf_section *s, uint64_t offset);
/** dwarf_db_section_at - the section that contains an address, and its header, or NULL. */
Elf_Scn *dwarf_db_section_at(const struct dwarf_db *db, uint64_t address, GElf_Shdr *ret);
/** dwarf_db_moves_with - whether the distance of two addresses is the same wherever the object is
 *  loaded. */
bool dwarf_db_moves_with(const struct dwarf_db *db, uint64_t one, uint64_t other);

/* One of the files that the debug information is in: the first one, the .dwo file of a unit that
 * was split, one that several programs share (dwz). Offsets of DIEs follow those of the part
 * before it, so that an offset means one DIE of all parts. */
struct dwarf_part {
	Dwarf *dwarf;
	uint64_t base;           /* of the offsets of its DIEs */
	/* Offsets in .debug_types (DWARF 4) follow those in .debug_info. */
	struct dwarf_section info, types;
	Dwarf_Die unit;          /* of a .dwo file: the one for which it was opened */
};
/** dwarf_parts_first - the part that is the object's own file. */
struct dwarf_part *dwarf_parts_first(struct dwarf_db *db);
/** dwarf_parts_of - the part with that debug information; it may be a new one. */
struct dwarf_part *dwarf_parts_of(struct dwarf_db *db, Dwarf *dwarf);
/** dwarf_parts_offset - the offset of a DIE, and dwarf_parts_die - the DIE at an offset: struct
 *  dwarf_place's scope, struct dwarf_found's die. */
uint64_t dwarf_parts_offset(struct dwarf_db *db, Dwarf_Die *die);
bool dwarf_parts_die(struct dwarf_db *db, uint64_t offset, Dwarf_Die *ret);
/** dwarf_parts_bytes - a section of a part; that of a .dwo file may have the suffix ".dwo". */
struct dwarf_section dwarf_parts_bytes(const struct dwarf_part *part, const char *name);
/** dwarf_parts_units - call @visit for the first DIE of each unit, until it returns false; for that
 *  of the .dwo file if it was split. Returns false if damage hides some of them. */
bool dwarf_parts_units(struct dwarf_db *db, bool (*visit)(void *data, Dwarf_Die *unit),
		       void *data);

/** dwarf_split_open - if units of a program were split (-gsplit-dwarf), make db->dwarf ready for
 *  reading them. @file: the path of the file with db->dwarf, or NULL. */
void dwarf_split_open(struct dwarf_db *db, const char *file);
void dwarf_split_close(struct dwarf_db *db);
/** dwarf_split_refused - why the debug information of a kernel or module is not read, if its units
 *  were split, with the next step; otherwise NULL. */
const char *dwarf_split_refused(struct dwarf_db *db);
/** dwarf_split_unit - from the unit in the program's file to the one in its .dwo file, if it was
 *  split; otherwise nothing changes. Returns false if that file is missing. */
bool dwarf_split_unit(struct dwarf_db *db, Dwarf_Die *unit);
/** dwarf_split_skeleton - the unit of the program's file that belongs to one of a .dwo file.
 *  Returns false if it was not split. */
bool dwarf_split_skeleton(struct dwarf_db *db, Dwarf_Die *unit, Dwarf_Die *ret);
/** dwarf_split_load - open all .dwo files. */
void dwarf_split_load(struct dwarf_db *db);

/** dwarf_units_at - the unit that has code at @pc, or NULL. */
struct dwarf_unit *dwarf_units_at(struct dwarf_db *db, uint64_t pc);
/** dwarf_units_of - the unit of a DIE. */
struct dwarf_unit *dwarf_units_of(struct dwarf_db *db, Dwarf_Die *die);
struct bytes; /* shared/bytes.h */
/** dwarf_units_length - read the length with which a unit, or a table of one, begins (DWARF 5,
 *  7.4): what follows has so many bytes, and offsets in it have *@offset_size, 4 or 8. Returns 0 if
 *  the rest of the section is shorter, or if the unit is empty. */
uint64_t dwarf_units_length(struct bytes *c, unsigned *offset_size);
/** dwarf_units_producer - the compiler of the unit that a DIE is in, gcc's with its options, or "".
 *  Owned by the file. */
const char *dwarf_units_producer(Dwarf_Die *die);
/** dwarf_units_is_by_gcc - whether that compiler is one of GCC's. */
bool dwarf_units_is_by_gcc(Dwarf_Die *die);
/** dwarf_units_language - the language of the unit that a DIE is in. */
enum dwarf_language {
	DWARF_LANGUAGE_C, DWARF_LANGUAGE_CPP, DWARF_LANGUAGE_RUST, DWARF_LANGUAGE_GO,
	DWARF_LANGUAGE_OTHER,
};
enum dwarf_language dwarf_units_language(Dwarf_Die *die);
/** dwarf_units_language_has_scopes - whether functions of that DW_LANG_... may be in namespaces or
 *  types. -1 and 0 mean that the language is not known. */
bool dwarf_units_language_has_scopes(int language);
/** dwarf_units_file - the name of file @nr of a unit, or NULL. */
const char *dwarf_units_file(struct dwarf_db *db, struct dwarf_unit *unit, uint64_t nr);

/* The DIEs around a place: the function, then the inlined functions and blocks in it. */
enum { DWARF_SCOPES_MAX = 64 };
struct dwarf_scopes {
	Dwarf_Die v[DWARF_SCOPES_MAX];
	size_t n;
};
/** dwarf_scopes_at - find the DIEs around @pc. Returns false if no function has code there. */
bool dwarf_scopes_at(struct dwarf_db *db, uint64_t pc, struct dwarf_scopes *ret);
/** dwarf_scopes_down_to - the DIEs from the function that has code at @pc down to @scope. Returns
 *  false if the function does not contain it. */
bool dwarf_scopes_down_to(struct dwarf_db *db, uint64_t pc, Dwarf_Off scope,
			  struct dwarf_scopes *ret);
/** dwarf_scopes_functions - the ranges of a unit's functions; a function that was split has
 *  several. */
const struct dwarf_ranges *dwarf_scopes_functions(struct dwarf_db *db, struct dwarf_unit *unit);
/** dwarf_scopes_entry - the first instruction of a function or an inlined copy; if it has several
 *  ranges, where it is entered. Returns false if it has no code. */
bool dwarf_scopes_entry(Dwarf_Die *die, uint64_t *ret);
/** dwarf_scopes_name - DW_AT_name of a function or an inlined copy, or NULL. */
const char *dwarf_scopes_name(Dwarf_Die *die);
/** dwarf_scopes_linkage - its name in symbol tables: mangled in C++ and Rust. */
const char *dwarf_scopes_linkage(Dwarf_Die *die);
/** dwarf_scopes_function - its name as users see it: in C++ and Rust with scopes and parameters.
 *  Owned by db->arena. */
const char *dwarf_scopes_function(struct dwarf_db *db, Dwarf_Die *die);
/** dwarf_constant - the number of a DW_AT_const_value. Numbers of a fixed size (data1 to data8) are
 *  unsigned, as compilers use them. Returns false if it is not a number. */
bool dwarf_constant(Dwarf_Attribute *attr, int64_t *ret);
/** dwarf_scopes_declared - the file and line at which its source begins. @file: NULL if not
 *  known. */
void dwarf_scopes_declared(struct dwarf_db *db, Dwarf_Die *die, const char **file,
			   unsigned *line);
/** dwarf_entry_line - the line of the first instruction of a function, if that is in *@file, or in
 *  any file, which it sets, if *@file is NULL. Returns 0 if it is not known. */
unsigned dwarf_entry_line(struct dwarf_db *db, Dwarf_Die *die, const char **file);

/** dwarf_symbols_at - the symbol of the function that contains @pc, or NULL. */
const struct dwarf_symbol *dwarf_symbols_at(struct dwarf_db *db, uint64_t pc);
/** dwarf_symbols_name - its name, valid until dwarf_close(). */
const char *dwarf_symbols_name(struct dwarf_db *db, const struct dwarf_symbol *symbol);
/** dwarf_symbols_named - the next symbol of that name after @last (NULL: the first), in the order
 *  of kallsyms, or NULL. */
const struct dwarf_symbol *dwarf_symbols_named(struct dwarf_db *db, const char *name,
					       const struct dwarf_symbol *last);
/** dwarf_symbols_clone - the next clone (NAME.isra.0, ...) after @last, in ascending order of
 *  addresses. */
const struct dwarf_symbol *dwarf_symbols_clone(struct dwarf_db *db, const char *name,
					       const struct dwarf_symbol *last);
/** dwarf_symbols_namesake - its number among the symbols of its name, as in struct site. */
int dwarf_symbols_namesake(struct dwarf_db *db, const struct dwarf_symbol *symbol);
/** dwarf_symbols_mangled - whether a program has symbols of C++ or Rust. */
bool dwarf_symbols_mangled(struct dwarf_db *db);
/** dwarf_symbols_shown - whether a function is shown by the very name of the pattern. */
bool dwarf_symbols_shown(struct dwarf_db *db, const struct demangle_pattern *pattern);
/** dwarf_symbols_each - call @visit for each symbol of a function that a pattern means, in the
 *  order of addresses. */
void dwarf_symbols_each(struct dwarf_db *db, const struct demangle_pattern *pattern,
			void (*visit)(void *data, const struct dwarf_symbol *symbol), void *data);
/** dwarf_symbols_close - unmap the symbols. */
void dwarf_symbols_close(struct dwarf_db *db);

/* A row of a line table: code of a line, up to the address of the next row. */
struct dwarf_row {
	uint64_t address;
	uint32_t file, line;
	uint32_t column; /* 0: not known */
	bool is_stmt;  /* recommended for breakpoints */
	bool ends;     /* the end of the code; nothing but the address is valid */
};

/** dwarf_lines_file_matches - whether a pattern matches a path or its end. */
bool dwarf_lines_file_matches(const char *pattern, const char *file);
/** dwarf_lines_files, dwarf_lines_rows - read the table at an offset of .debug_line (a unit's
 *  DW_AT_stmt_list). Names are owned by db->arena. */
void dwarf_lines_files(struct dwarf_db *db, uint64_t offset, struct dwarf_files *ret);
void dwarf_lines_rows(struct dwarf_db *db, uint64_t offset,
		      void (*visit)(void *data, const struct dwarf_row *row), void *data);
/** dwarf_lines_tables - call @visit for each table with the names of its files. Names whose last
 *  component does not match that of @pattern are left out. @files is valid during the call. */
void dwarf_lines_tables(struct dwarf_db *db, const char *pattern,
			void (*visit)(void *data, uint64_t offset, const struct dwarf_files *files),
			void *data);

/** dwarf_functions_each - call @visit for each DIE of a function or copy with the name and file of
 *  the spec, whose lines are ignored; @wants: enum dwarf_wants. */
void dwarf_functions_each(struct dwarf_db *db, const struct dwarf_spec *spec, unsigned wants,
			  void (*visit)(void *data, Dwarf_Die *die), void *data);
/** dwarf_inside_each - call @visit for each DIE in a function or copy and in its blocks, with the
 *  function, copy or block around it. DIEs in inner copies are left out. */
void dwarf_inside_each(Dwarf_Die *of, void (*visit)(void *data, Dwarf_Die *die, Dwarf_Die *scope),
		       void *data);
/** dwarf_functions_place - the place of an instruction in @scope of the function or copy @of; its
 *  line is that where @of begins. Returns NULL if no symbol is known there. */
struct dwarf_place *dwarf_functions_place(struct dwarf_db *db, uint64_t pc, Dwarf_Die *scope,
					  Dwarf_Die *of);

/** dwarf_functions_pattern - prepare a function name of a script for comparisons in an object. */
void dwarf_functions_pattern(struct dwarf_db *db, const char *name, struct demangle_pattern *ret);

/** dwarf_parts_is_rest - whether an inlined copy is the rest of the function that directly contains
 *  it, which the compiler had split: not a call. */
bool dwarf_parts_is_rest(struct dwarf_db *db, Dwarf_Die *copy);

/** dwarf_parts_origin - the offset of the abstract function of a copy, or of the DIE itself. */
Dwarf_Off dwarf_parts_origin(Dwarf_Die *die);

/* Addresses in ascending order. */
struct dwarf_addresses { VEC(uint64_t) v; };
/**
 * dwarf_beginnings - find where calls of an inlined copy begin
 * @ret: appended to; empty if it has no code
 *
 * The code of a copy may have been repeated, in loops that the compiler unrolled for example, and
 * have several beginnings. Only debug information of gcc marks them, and only programs are asked
 * for them. If none is marked, *@ret is the address at which the copy is entered, as by
 * dwarf_scopes_entry().
 */
void dwarf_beginnings(struct dwarf_db *db, Dwarf_Die *copy, struct dwarf_addresses *ret);

/* The kind of an entry that a scan found. */
enum dwarf_found_kind {
	DWARF_FOUND_FUNCTION, /* a subprogram with that name and with code */
	DWARF_FOUND_CLONE,    /* one with code whose name is at its abstract origin */
	DWARF_FOUND_INLINED,  /* an inlined copy */
	DWARF_FOUND_ABSTRACT, /* an origin of copies; only during a scan */
};
struct dwarf_found {
	Dwarf_Off die;
	const char *name;
	enum dwarf_found_kind kind;
};

/**
 * dwarf_scan - call @visit for all functions and inlined copies with a name, unit by unit; a kernel
 * has half a million
 * @wants: whether a name is wanted; NULL: all are
 *
 * Reads all of .debug_info once: 100 ms for a kernel. Returns false if damage or lack of memory
 * hides some of them.
 */
bool dwarf_scan(struct dwarf_db *db, bool (*wants)(void *data, const char *name),
		void (*visit)(void *data, const struct dwarf_found *found), void *data);

/**
 * dwarf_index_each - as dwarf_scan(), for all names that match a pattern, from the index. The first
 * call makes it; that of a kernel is cached. The name of @found is valid as long as the index.
 *
 * returns false without calling @visit if the index can't be made
 */
bool dwarf_index_each(struct dwarf_db *db, const struct demangle_pattern *pattern,
		      void (*visit)(void *data, const struct dwarf_found *found), void *data);
/** dwarf_index_close - unmap the index. */
void dwarf_index_close(struct dwarf_db *db);

#endif
