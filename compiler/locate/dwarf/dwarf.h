/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Debug information of the kernel and of modules, for what BTF and the calling convention can't
 * answer: lines, inlined copies, labels, callees, clones, local variables, declared files. Nothing of
 * libdw is visible here, and only the files of this folder include its headers.
 *
 * Types are BTF's everywhere in the compiler. What debug information says of a type is written as
 * BTF on top of the kernel's (split BTF), so that paths, casts and printing know one kind of type.
 */
#ifndef LOCATE_DWARF_H
#define LOCATE_DWARF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "locate/access.h"

struct btf_db;
struct session;
struct dwarf_db; /* opaque: one object's debug information */

/**
 * dwarf_db_get - debug information of "kernel" or of a module; opened when it is first asked for, and
 * kept by the session until dwarf_close()
 * @why: where there is none, the reason and where it was looked for; owned by the arena
 * returns NULL where there is none, or none that belongs to this build of the object
 */
struct dwarf_db *dwarf_db_get(struct session *s, const char *object, const char **why);
/** dwarf_close - close all that the session opened. */
void dwarf_close(struct session *s);

/* A place in the code. */
struct dwarf_place {
	struct dwarf_db *db;
	uint64_t pc;           /* as linked; of a module: within its section */
	const char *symbol;    /* that it lies in, as in kallsyms */
	int namesake;          /* which of the symbols of that name: as struct site */
	uint64_t offset;       /* bytes from the symbol */
	uint64_t scope;        /* offset of the innermost DIE (subprogram, inlined subroutine, lexical
				* block) whose names are visible there */
	const char *function;  /* in whose source it is: the inlined one, where it is inlined */
	const char *file;      /* as its compilation unit names it, below the source tree */
	unsigned line;         /* 0: not known */
	bool inlined;
	bool at_entry;         /* the first instruction of a symbol: parameters are where the calling
				* convention has them, unless it is a clone */
	const char *target;    /* .callee: the function called; else NULL */
};

/* A variable or parameter that is visible at a place. */
struct dwarf_name {
	const char *name;
	bool param;
};
struct dwarf_names { VEC(struct dwarf_name) v; };
/** dwarf_value_names - all that are visible there, innermost first, each name once. */
void dwarf_value_names(struct session *s, const struct dwarf_place *at, struct dwarf_names *ret);

/**
 * dwarf_value - where a variable, parameter or global is, seen from a place
 * @name: without the $
 * @cu:   pattern of the file whose compilation unit has it (@var("v@file.c")); NULL: the place's
 * @ret:  where and of which type; owned by the arena
 * @why:  where it is not available, the reason and, where there is one, the nearest line with it
 * returns 0, -ENOENT (no such name), -ENODATA (known, but not available there)
 */
int dwarf_value(struct session *s, const struct dwarf_place *at, const char *name, const char *cu,
		struct location *ret, const char **why);

/**
 * dwarf_types_of_file - the types that an object file names, as BTF on top of the kernel's
 * @path: ELF with debug information of x86-64, as gcc -g -c makes it
 * @ret:  for btf_lookup_type() and paths; a name that it has comes before the kernel's own; its
 *        structures are the kernel's where name, size and members agree. Until dwarf_close().
 * returns 0 or -ENODATA (can't be read, no debug information, or more than BTF can hold)
 */
int dwarf_types_of_file(struct session *s, const char *path, struct btf_db **ret, const char **why);

#endif
