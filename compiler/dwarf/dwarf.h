/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Debug information of the kernel and of modules, for what BTF and the calling convention can't
 * answer: lines, inlined copies, labels, callees, clones, local variables, declared files. Nothing
 * of libdw is visible here, and only the files of this folder include its headers.
 *
 * Types are BTF's everywhere in the compiler. What debug information says of a type is written as
 * BTF on top of the kernel's (split BTF), so that paths, casts and printing know one kind of type.
 */
#ifndef DWARF_DWARF_H
#define DWARF_DWARF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "program/access.h"

struct btf_db;
struct code_call; /* locate/locate.h */
struct state;
struct dwarf_db; /* opaque: one object's debug information */

/**
 * dwarf_db_get - debug information of "kernel" or of a module; opened when it is first needed,
 * and kept by the state until dwarf_close()
 * @why: where there is none, the reason and where it was looked for; owned by the arena
 * returns NULL where there is none, or none that belongs to this build of the object
 */
struct dwarf_db *dwarf_db_get(struct state *s, const char *object, const char **why);
struct program_file;
/**
 * dwarf_db_of_program - debug information of a program or library, from its own file or from a
 * separate one that libdwfl finds by its build-id or .gnu_debuglink
 * Its addresses are those of the program's file. @why and the result are as of dwarf_db_get().
 */
struct dwarf_db *dwarf_db_of_program(struct state *s, const struct program_file *o,
				     const char **why);
/** dwarf_close - close all that was opened. */
void dwarf_close(struct state *s);

/* A place in the code. */
struct dwarf_place {
	struct dwarf_db *db;
	uint64_t pc;           /* as its debug information counts */
	const char *symbol;    /* that it lies in, as in kallsyms */
	int namesake;          /* which of the symbols of that name: as struct site */
	uint64_t offset;       /* bytes from the symbol */
	uint64_t scope;        /* offset of the innermost DIE (subprogram, inlined subroutine,
				* lexical block) whose names are visible there */
	uint64_t function_scope; /* offset of the DIE of the function or inlined copy it is in */
	const char *function;  /* in whose source it is: the inlined one, where it is inlined; a
				* name of C++ or Rust with its scopes and parameters */
	const char *linkage;   /* the same, as symbols have it */
	const char *file;      /* as its compilation unit names it, below the source tree */
	unsigned line;         /* 0: not known */
	bool inlined;
	bool at_entry;         /* the first instruction of a function's symbol: parameters are where
				* the calling convention has them, unless it is a clone */
	const char *target;    /* .callee: the function called; else NULL */
	const struct code_call *call; /* .callee: as struct site has it; else NULL */
	const char *label;     /* .label: its name; else NULL */
	bool is_init;          /* in code that is gone once the kernel or module has begun */
	bool is_global;        /* its symbol is not static */
};

struct dwarf_places { VEC(struct dwarf_place *) v; };

/* The argument of function("...") and statement("..."):
 *   FUNCTION[@FILE][:LINES | +N]   LINES: N, N-M, several with ',' between, or *
 * FUNCTION and FILE are shell patterns; FILE may leave out directories at its beginning. FUNCTION
 * may be a name of C++ or Rust, as object/demangle.h explains: a "::" does not begin lines. */
struct dwarf_span { unsigned from, to; };
struct dwarf_spec {
	const char *function;
	const char *file;      /* NULL: any */
	enum {
		DWARF_LINES_NONE,
		DWARF_LINES_AT,       /* spans are lines of the file */
		DWARF_LINES_RELATIVE, /* ... of the function, whose first is 0 */
		DWARF_LINES_ALL,
	} lines;
	VEC(struct dwarf_span) spans;
};
/** dwarf_spec_read - false: @text is none; then *@why says what is wrong. */
bool dwarf_spec_read(struct arena *a, const char *text, struct dwarf_spec *ret, const char **why);
/** dwarf_spec_is_pattern - whether it may be of several functions. */
bool dwarf_spec_is_pattern(const struct dwarf_spec *spec);

enum dwarf_wants {
	DWARF_ENTRIES = 1,     /* functions where they begin, clones too */
	DWARF_COPIES = 2,      /* inlined copies */
};

/**
 * dwarf_functions - where functions are entered
 * @wants: enum dwarf_wants
 * @ret:   appended to; owned by the arena. With lines, functions that have code of one of them.
 */
void dwarf_functions(struct dwarf_db *db, const struct dwarf_spec *spec, unsigned wants,
		     struct dwarf_places *ret);
/** dwarf_function_copied - whether there are inlined copies of a function that also has a symbol,
 *  without looking for them where the cache knows. */
bool dwarf_function_copied(struct dwarf_db *db, const char *name);
/** dwarf_function_names - names of all functions with code or copies, in no order, some twice; of
 *  C++ and Rust with their scopes, without parameters. */
struct dwarf_function_names { VEC(const char *) v; };
void dwarf_function_names(struct dwarf_db *db, struct dwarf_function_names *ret);

/**
 * dwarf_statements - places in lines: one for each run of instructions of a line, in each function
 * and inlined copy that has some
 * @nearest: where no code is of these lines, those of the line nearest to the first of them
 * @before, @after: nothing found: the nearest lines with code, 0: none; else untouched
 */
void dwarf_statements(struct dwarf_db *db, const struct dwarf_spec *spec, bool nearest,
		      struct dwarf_places *ret, unsigned *before, unsigned *after);
/** dwarf_labels - C labels that match a pattern, of the functions and copies of @spec */
void dwarf_labels(struct dwarf_db *db, const struct dwarf_spec *spec, const char *label,
		  struct dwarf_places *ret);
/* The calls that a search looks for, and the function from which it starts. */
struct dwarf_calls {
	unsigned most;            /* calls from the function to the last one; 1: its own alone */
	const char *const *names; /* a pattern for each of these, of what is called: the last one
				   * is a place. NULL: all of them are, whatever is called */
	size_t limit;             /* places; 0 if there is none */
	bool called;              /* no inlined copies */
	bool returns;             /* places are the entries of the functions that are called */
};
/** dwarf_callees - calls (place.target, place.call) that the functions and copies of @spec make,
 *  and those that what they call makes, at the instruction that calls, and inlined copies there.
 *  Calls through a pointer are not known; what a jump leads to, or a call of another object or, in
 *  a module, from another section, is not looked into, nor are returns from these known.
 *  returns how many places there are; those beyond the limit are not among @ret's */
size_t dwarf_callees(struct dwarf_db *db, const struct dwarf_spec *spec,
		     const struct dwarf_calls *which, struct dwarf_places *ret);
/** dwarf_address - where debug information has what lies @offset bytes from the beginning of the
 *  code: of the kernel, an address as it was linked, of a module, in its section .text. */
uint64_t dwarf_address(struct dwarf_db *db, uint64_t offset);
/** dwarf_place_at - the place of an instruction; NULL: it is in no function. */
struct dwarf_place *dwarf_place_at(struct dwarf_db *db, uint64_t pc);

/** dwarf_place_directory - the directory that the compiler ran in for the unit of a place, as
 *  DW_AT_comp_dir has it (DWARF 5, 3.1.1); place->file may be relative to it. NULL: it is unknown.
 *  Valid as long as the debug information is open. */
const char *dwarf_place_directory(const struct dwarf_place *at);

/** dwarf_place_of_symbol - the place of @offset bytes after a symbol; NULL: there is no such
 *  function. */
struct dwarf_place *dwarf_place_of_symbol(struct dwarf_db *db, const char *symbol, int namesake,
					  uint64_t offset);
/** dwarf_place_entry - the entry of the function around a place, which is not inlined there; NULL:
 *  it has none that can be named. */
struct dwarf_place *dwarf_place_entry(const struct dwarf_place *at);
/** dwarf_prototype - the prototype of the function around a place, which is not inlined there, with
 *  its types as BTF; false: BTF cannot express them. */
struct btf_func;
bool dwarf_prototype(struct state *s, const struct dwarf_place *at, struct btf_func *ret);
/** dwarf_is_go - whether the function around a place is of Go, whose calls follow a convention of
 *  their own: parameters and several results in registers of another order. */
bool dwarf_is_go(const struct dwarf_place *at);

/* A variable or parameter that is visible at a place. */
struct dwarf_name {
	const char *name;
	bool param;
};
struct dwarf_names { VEC(struct dwarf_name) v; };
/** dwarf_value_names - all that are visible there, innermost first, each name once. */
void dwarf_value_names(struct state *s, const struct dwarf_place *at, struct dwarf_names *ret);

/**
 * dwarf_value - where a variable, parameter or global is, seen from a place
 * @name: without the $
 * @ret:  where and of which type; owned by the arena
 * @why:  where it is not available, the reason
 * returns 0, -ENOENT (no such name), -ENODATA (known, but not available there)
 */
int dwarf_value(struct state *s, const struct dwarf_place *at, const char *name,
		struct location *ret, const char **why);
/** dwarf_value_nearest - the line of the place's file, nearest to it, where the variable is
 *  available; 0 if there is none. Goes over all lines of the unit. */
int dwarf_value_nearest(const struct dwarf_place *at, const char *name);

/**
 * dwarf_global - a variable that is not on a stack, of functions too (their static ones)
 * @file: as in struct dwarf_spec, of the unit that has it; NULL: any. One that other units see
 *        comes before those of one unit.
 * returns as dwarf_value(), or -ENOTUNIQ: several units have their own; @why names two
 */
int dwarf_global(struct state *s, struct dwarf_db *db, const char *name, const char *file,
		 struct location *ret, const char **why);

/* A type of a program as a script names it. */
struct dwarf_type_name {
	const char *scope;     /* "ns::inner::", the namespaces that it lies in; NULL: any unit's
				* outermost scope */
	const char *text;      /* without "struct" and its like, and without the scope */
	const char *other;     /* the same integer as other compilers write it, or NULL */
	unsigned pointers;     /* "*" after it */
	const char *constant;  /* not NULL: an enumeration that has this constant instead */
};

/**
 * dwarf_types_named - the structure, union, enumeration, typedef and base type of that name, of a
 * program's outermost scopes, each with as many pointers to it, and all that they are made of
 * @ret: for btf_lookup_type() and paths, and in the memory of processes; until dwarf_close()
 * returns NULL: the program has none, or BTF cannot hold so many types
 */
struct btf_db *dwarf_types_named(struct state *s, struct dwarf_db *db,
				 const struct dwarf_type_name *name);

/**
 * dwarf_types_of_file - the types that an object file names, as BTF on top of the kernel's
 * @path: ELF with debug information of x86-64, as gcc -g -c makes it
 * @ret:  for btf_lookup_type() and paths; a name that it has comes before the kernel's own; its
 *        structures are the kernel's where name, size and members agree. Until dwarf_close().
 * returns 0 or -ENODATA (can't be read, no debug information, or more than BTF can hold)
 */
int dwarf_types_of_file(struct state *s, const char *path, struct btf_db **ret, const char **why);

#endif
