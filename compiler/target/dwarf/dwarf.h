/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Debug information of the kernel, of modules and of programs, for questions that BTF and the
 * calling convention can't answer: lines, inlined copies, labels, callees, clones, local variables,
 * files of declarations. Only the files of this folder include libdw's headers.
 *
 * The whole compiler uses BTF for types. Types of debug information are translated to BTF that
 * extends the kernel's (split BTF), so that paths, casts and printing handle one kind of type.
 */
#ifndef DWARF_DWARF_H
#define DWARF_DWARF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "target/btf/btf.h"
#include "program/access.h"

struct arch_taken; /* target/arch/flow.h */
struct btf_db;
struct code_call; /* locate/locate.h */
struct state;
struct dwarf_db; /* opaque: the debug information of one object */

/**
 * dwarf_db_get - the debug information of "kernel" or of a module. It is opened when it is first
 * needed, and owned by the state until dwarf_close().
 * @why: the reason for NULL and the directories that were searched; owned by the arena
 *
 * returns NULL if there is none, or none for this build of the object
 */
struct dwarf_db *dwarf_db_get(struct state *s, const char *object, const char **why);
struct program_file;
/**
 * dwarf_db_of_program - the debug information of a program or library, in its own file or in a
 * separate one that libdwfl finds by build-id or .gnu_debuglink. Addresses are those of the
 * program's file. @why and the result are as of dwarf_db_get().
 */
struct dwarf_db *dwarf_db_of_program(struct state *s, const struct program_file *o,
				     const char **why);
/**
 * dwarf_missing - the parts that a program lacks of its debug information if its units were split
 * (-gsplit-dwarf): .dwo files, or what its .dwp file does not have. It opens all of them.
 *
 * returns how many units lack theirs, the name of a file, and the next step; NULL: nothing is
 * missing. Owned by the arena, like the next one
 */
const char *dwarf_missing(struct dwarf_db *db);
/** dwarf_missing_types - the same, or that types of its .dwp file are not read. */
const char *dwarf_missing_types(struct dwarf_db *db);
/** dwarf_missing_at - the same for the unit that has code at @pc, an address of the program's file;
 *  NULL: it lacks nothing, or there is none. */
const char *dwarf_missing_at(struct dwarf_db *db, uint64_t pc);
/** dwarf_close - close all debug information. */
void dwarf_close(struct state *s);

/* A place in the code. */
struct dwarf_place {
	struct dwarf_db *db;
	uint64_t pc;           /* address in terms of the debug information */
	const char *symbol;    /* in which it lies, as in kallsyms */
	int namesake;          /* its number among the symbols of that name: as in struct site */
	uint64_t offset;       /* bytes from the symbol */
	/* offset of the innermost DIE around it (subprogram, inlined subroutine, lexical block),
	 * whose names are visible there */
	uint64_t scope;
	uint64_t function_scope; /* offset of the DIE of the function or inlined copy around it */
	/* the function whose source it is: in a copy, the inlined one; for C++ and Rust with its
	 * scopes and parameters */
	const char *function;
	const char *linkage;   /* the name of that function in symbol tables */
	const char *file;      /* as its compilation unit names it, relative to the source tree */
	unsigned line;         /* 0: not known */
	bool inlined;
	bool at_entry;         /* it is the first instruction of a function's symbol */
	const char *target;    /* .callee: the called function; otherwise NULL */
	/* .callee: the function whose source has the call, which is not `function` if a copy is
	 * called; otherwise NULL */
	const char *caller, *caller_file;
	unsigned caller_line;
	const struct code_call *call; /* .callee: as in struct site; otherwise NULL */
	const char *label;     /* .label: its name; otherwise NULL */
	bool is_init;          /* in code that is freed once the kernel or module has started */
	bool is_global;        /* its symbol is global */
};

struct dwarf_places { VEC(struct dwarf_place *) v; };

/*
 * The argument of function("...") and statement("..."):
 *
 *   FUNCTION[@FILE][:LINES | +N]
 *   LINES: N, N-M, several of these separated by ',', or *
 *
 * FUNCTION and FILE are shell patterns; FILE may omit leading directories. FUNCTION may be a name
 * of C++ or Rust, as object/demangle.h explains: "::" does not begin LINES.
 */
struct dwarf_span { unsigned from, to; };
struct dwarf_spec {
	const char *function;
	const char *file;      /* NULL: any */
	enum {
		DWARF_LINES_NONE,
		DWARF_LINES_AT,       /* spans are line numbers of the file */
		DWARF_LINES_RELATIVE, /* ... counted from the function's first line, which is 0 */
		DWARF_LINES_ALL,
	} lines;
	VEC(struct dwarf_span) spans;
};
/** dwarf_spec_read - parse the argument. Returns false with *@why if it is invalid. */
bool dwarf_spec_read(struct arena *a, const char *text, struct dwarf_spec *ret, const char **why);
/** dwarf_spec_is_pattern - whether it may match several functions. */
bool dwarf_spec_is_pattern(const struct dwarf_spec *spec);

enum dwarf_wants {
	DWARF_ENTRIES = 1,     /* beginnings of functions, including clones */
	DWARF_COPIES = 2,      /* inlined copies */
};

/**
 * dwarf_functions - find the places where functions are entered
 * @wants: enum dwarf_wants
 * @ret:   appended to; owned by the arena
 *
 * If the spec has lines, only functions with code of one of them are found.
 */
void dwarf_functions(struct dwarf_db *db, const struct dwarf_spec *spec, unsigned wants,
		     struct dwarf_places *ret);
/** dwarf_function_copied - whether a function that also has a symbol has inlined copies. Does not
 *  search for them if the index is cached. */
bool dwarf_function_copied(struct dwarf_db *db, const char *name);
/** dwarf_function_names - the names of all functions with code or copies, unsorted, some of them
 *  twice; for C++ and Rust with their scopes, without parameters. */
struct dwarf_function_names { VEC(const char *) v; };
void dwarf_function_names(struct dwarf_db *db, struct dwarf_function_names *ret);

/**
 * dwarf_statements - find places in lines: one for each run of instructions of a line, in each
 * function and inlined copy that has some
 * @nearest:       if the lines have no code, find the places of the line nearest to the first one
 * @before, @after: if nothing is found, the nearest lines with code, or 0; otherwise unchanged
 */
void dwarf_statements(struct dwarf_db *db, const struct dwarf_spec *spec, bool nearest,
		      struct dwarf_places *ret, unsigned *before, unsigned *after);
/** dwarf_labels - find the C labels that match a pattern, in the functions and copies of @spec. */
void dwarf_labels(struct dwarf_db *db, const struct dwarf_spec *spec, const char *label,
		  struct dwarf_places *ret);
/* The calls that a search looks for. */
struct dwarf_calls {
	/* length of the longest chain, from a call in the function itself; 1: only those calls */
	unsigned most;
	/* patterns of the functions called in a chain, `most` of them, of which the last call is a
	 * place; NULL: any function, and each call is a place */
	const char *const *names;
	size_t limit;             /* most places; 0: no limit */
	bool called;              /* ignore inlined copies */
	/* find the entries of the called functions instead of the calls */
	bool returns;
};
/** dwarf_callees - find the calls (place.target, place.call) that the functions and copies of @spec
 *  make, directly or by way of other functions: call instructions, and inlined copies. Calls
 *  through pointers are not known. Nothing is followed through jumps, into other objects or, in a
 *  module, into another section, nor are returns of these known. Returns the number of places;
 *  those beyond the limit are not in @ret. */
size_t dwarf_callees(struct dwarf_db *db, const struct dwarf_spec *spec,
		     const struct dwarf_calls *which, struct dwarf_places *ret);
/** dwarf_address - the address in debug information of the byte @offset bytes from the beginning of
 *  the code: in the kernel, the linked address; in a module, in its section .text. */
uint64_t dwarf_address(struct dwarf_db *db, uint64_t offset);
/** dwarf_place_at - the place of an instruction. Returns NULL if it is in no function. */
struct dwarf_place *dwarf_place_at(struct dwarf_db *db, uint64_t pc);

/** dwarf_place_directory - the directory in which the compiler ran for the unit of a place
 *  (DW_AT_comp_dir, DWARF 5, 3.1.1); place->file may be relative to it. NULL if it is unknown.
 *  Valid while the debug information is open. */
const char *dwarf_place_directory(const struct dwarf_place *at);

/** dwarf_place_around - the function_scope of the function or copy that directly contains an
 *  inlined copy. 0 if @copy is none. */
uint64_t dwarf_place_around(const struct dwarf_place *copy);

/** dwarf_place_of_symbol - the place @offset bytes after a symbol. Returns NULL if there is no such
 *  function. */
struct dwarf_place *dwarf_place_of_symbol(struct dwarf_db *db, const char *symbol, int namesake,
					  uint64_t offset);
/** dwarf_place_entry - the entry of the function around a place, which is not inlined there.
 *  Returns NULL if it can't be named. */
struct dwarf_place *dwarf_place_entry(const struct dwarf_place *at);
/** dwarf_prototype - the prototype of the function around a place, which is not inlined there, with
 *  its types as BTF. Returns false if BTF can't express them. */
struct btf_func;
bool dwarf_prototype(struct state *s, const struct dwarf_place *at, struct btf_func *ret);
/** dwarf_prototype_merged - the same for the function of a kernel or module with that name, if
 *  debug information does not say where its code is, because the compiler merged it with another
 *  one. @name must live as long as @ret. */
bool dwarf_prototype_merged(struct state *s, struct dwarf_db *db, const char *name,
			    struct btf_func *ret);
/** dwarf_is_go - whether the function around a place is written in Go, whose calling convention
 *  differs: parameters and several results in registers of another order. */
bool dwarf_is_go(const struct dwarf_place *at);
/** dwarf_is_rust - whether it is written in Rust. */
bool dwarf_is_rust(const struct dwarf_place *at);
/** dwarf_is_assembler - whether the function around a place is written in assembler: its debug
 *  information has lines, but neither parameters nor a result. */
bool dwarf_is_assembler(const struct dwarf_place *at);
/** dwarf_is_32bit - whether a place is in a program of 32 bits. Only debug information says how
 *  arguments of its functions are passed. */
bool dwarf_is_32bit(const struct dwarf_place *at);

/* A variable or parameter that is visible at a place. */
struct dwarf_name {
	const char *name;
	bool param;
};
struct dwarf_names { VEC(struct dwarf_name) v; };
/** dwarf_value_names - all variables and parameters that are visible at a place, innermost first,
 *  each name once. */
void dwarf_value_names(struct state *s, const struct dwarf_place *at, struct dwarf_names *ret);

/**
 * dwarf_value - find a variable, parameter or global, as seen from a place
 * @name: without the $
 * @ret:  its location and type; owned by the arena
 * @why:  the reason if it is not available
 *
 * returns 0, -ENOENT (no such name), or -ENODATA (known, but not available there)
 */
int dwarf_value(struct state *s, const struct dwarf_place *at, const char *name,
		struct location *ret, const char **why);
/* A parameter at the first instruction of its function. */
struct dwarf_param {
	enum dwarf_passed {
		DWARF_PASSED_HERE,  /* it has a location there, made of what the caller left */
		DWARF_PASSED_LATER, /* it has one later, or one that is not filled yet */
		DWARF_PASSED_NOT,   /* it has none for any instruction of the function */
	} passed;
	struct location at;    /* DWARF_PASSED_HERE; owned by the arena */
	bool is_whole;         /* it has one location for the whole function */
	/* DWARF_PASSED_LATER: that location; without pieces: it has none, or it can't be read */
	struct location whole;
	/* the argument registers that the function's first instructions store in its slot of the
	 * frame, which has the value or the address of the object, and 8 bytes later; -1: none */
	int stored[2];
	/* the address of the object is in this argument register where the first location begins;
	 * -1: it is not */
	int later_address;
	int later_register;    /* the same, of the value itself */
	const char *why;       /* not DWARF_PASSED_HERE: the reason, as dwarf_value() gives it */
};
/** dwarf_param_at - read what debug information says of parameter @i, numbered as in the prototype,
 *  of the function whose first instruction is the place. Returns false if there is none. */
bool dwarf_param_at(struct state *s, const struct dwarf_place *at, unsigned i,
		    struct dwarf_param *ret);
/** dwarf_taken - follow the code of the function whose first instruction is the place:
 *  arch_flow_taken(). */
bool dwarf_taken(const struct dwarf_place *at, struct arch_taken *ret);
/** dwarf_has_frame_pointer - whether the function of the place addresses its frame by a register of
 *  its own, as compilers do without optimization. */
bool dwarf_has_frame_pointer(const struct dwarf_place *at);
/** dwarf_is_unoptimized - whether the function of the place was compiled without optimization, as
 *  far as can be seen: it has a register for its frame, and all its parameters and variables, at
 *  least one, are in the frame as long as it runs. */
bool dwarf_is_unoptimized(const struct dwarf_place *at);
/** dwarf_breaks_convention - whether debug information says that the function of the place has
 *  another calling convention (DW_AT_calling_convention; DWARF 5, 3.3.1.1): one of the source's
 *  choice, or DW_CC_nocall, by which newer LLVM marks functions that it changed. */
bool dwarf_breaks_convention(const struct dwarf_place *at);
/** dwarf_marks_convention - whether the compiler of the place marks the functions whose parameters
 *  or results it changed: LLVM does since version 16, which is in rustc since 1.70. */
bool dwarf_marks_convention(const struct dwarf_place *at);
/** dwarf_keeps_convention - whether the compiler of the place renames a function when it changes
 *  how that is called, as gcc does (NAME.isra.0). clang and rustc change functions that only their
 *  own code calls, and keep the name. */
bool dwarf_keeps_convention(const struct dwarf_place *at);

/** dwarf_value_nearest - the line of the place's file, nearest to it, on which the variable is
 *  available; 0 if there is none. Reads all lines of the unit. */
int dwarf_value_nearest(const struct dwarf_place *at, const char *name);

/**
 * dwarf_global - find a variable that is not on a stack, including static ones of functions
 * @file: as in struct dwarf_spec, of the unit that has it; NULL: any. A global variable comes
 *        before a static one.
 *
 * returns as dwarf_value(), or -ENOTUNIQ: several units have one of their own; @why names two
 */
int dwarf_global(struct state *s, struct dwarf_db *db, const char *name, const char *file,
		 struct location *ret, const char **why);

/** dwarf_is_per_cpu - whether each processor has its own of the variable with that symbol. */
bool dwarf_is_per_cpu(struct dwarf_db *db, const char *name);

/** dwarf_types_indexed - whether the types of the kernel or of a module can be looked up by name;
 *  @why: the reason if they can't. May read all units. */
bool dwarf_types_indexed(struct dwarf_db *db, const char **why);

/* A type as a script names it. */
struct dwarf_type_name {
	/* the kind of type, which only the kernel and modules are searched for; BTF_ANY: as in
	 * btf_lookup_type() */
	enum btf_word word;
	/* "ns::inner::", its namespaces; NULL: the outermost scope of any unit */
	const char *scope;
	const char *text;      /* without "struct", "union" and "enum", and without the scope */
	const char *other;     /* another spelling of the same integer type, or NULL */
	unsigned pointers;     /* number of "*" after it */
	const char *constant;  /* if not NULL, the enumeration that has this constant is meant */
};

/* Two definitions of a name that differ. */
struct dwarf_types_differ {
	const char *where;     /* where they are; NULL: none differ */
	const char *header;    /* "linux/fs.h", which has one of them; NULL: none is known */
};

/**
 * dwarf_types_named - find the structure, union, enumeration, typedef and base type of that name in
 * the outermost scopes of a program, of the kernel or of a module
 * @differ: if some do, the reason for NULL: none of them is taken; empty for a program. Owned by
 *          the arena
 *
 * returns the types, pointers to them and all types that they consist of, for btf_lookup_type() and
 * paths, valid until dwarf_close(); those of a program have their values in the memory of
 * processes. NULL if there is none, or BTF can't hold so many types
 */
struct btf_db *dwarf_types_named(struct state *s, struct dwarf_db *db,
				 const struct dwarf_type_name *name,
				 struct dwarf_types_differ *differ);
/** dwarf_type_names - append the names of all types, or of all constants, of the kernel or a
 *  module, for "did you mean". They are valid until dwarf_close(). */
struct btf_names;
void dwarf_type_names(struct dwarf_db *db, bool constants, struct btf_names *ret);

/**
 * dwarf_types_of_file - the types in an object file, as BTF that extends the kernel's
 * @path: ELF with debug information of x86-64, as gcc -g -c makes it
 * @ret:  for btf_lookup_type() and paths. A name in it hides that of the kernel; its structures are
 *        the kernel's if name, size and members agree. Valid until dwarf_close()
 *
 * returns 0, or -ENODATA (can't be read, no debug information, or more than BTF can hold)
 */
int dwarf_types_of_file(struct state *s, const char *path, struct btf_db **ret, const char **why);

/** dwarf_db_with_types - the debug information that @types were translated from, or NULL. */
struct dwarf_db *dwarf_db_with_types(struct state *s, const struct btf_db *types);
/* A type as its source names it. */
struct dwarf_source_name {
	const char *name;      /* with its scopes: "std::vector<int, std::allocator<int> >" */
	const char *language;  /* "c", "cxx", "rust", "go"; NULL: another one */
};
/** dwarf_source_name - the name in the source of a structure or union of a program. Returns false
 *  if @type is not a type of debug information. */
bool dwarf_source_name(struct state *s, struct access_type type, struct dwarf_source_name *ret);
/** dwarf_source_argument - the type that such a type has for its template parameter @name ("T").
 *  Returns false if there is none. */
bool dwarf_source_argument(struct state *s, struct access_type type, const char *name,
			   struct access_type *ret);
/* The variants of an enumeration of Rust, of which an object is one at a time. */
struct dwarf_variant {
	const char *name;
	uint64_t is;              /* the number that tells it from others, without a sign */
	bool is_rest;             /* it is the one if no other is */
	uint32_t at;              /* bytes from the object on */
	struct access_type type;  /* a structure with what it has */
};
struct dwarf_variants {
	/* the number that tells which: `size` bytes from `at` on; 0: there is only one variant */
	uint32_t at, size;
	VEC(struct dwarf_variant) v;
};
/** dwarf_variants - the variants of such a type; they belong to its translation. Returns false if
 *  it has none, or they can't be read. */
bool dwarf_variants(struct state *s, struct access_type type, struct dwarf_variants *ret);

#endif
