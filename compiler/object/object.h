/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Programs and libraries as files: their functions, where in the file an address lies, and their
 * SDT markers. Nothing here knows of probes or of the kernel; debug information is read elsewhere
 * (dwarf/).
 *
 * Addresses are those of the file's own program headers (virtual addresses before relocation).
 */
#ifndef OBJECT_OBJECT_H
#define OBJECT_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct state;

/* A function. */
struct object_symbol {
	const char *name;
	uint64_t address;
	uint64_t size;         /* bytes; 0: not known */
	bool is_global;        /* it is not static */
	bool is_exported;      /* it is in the dynamic symbol table */
};

/* A marker of <sys/sdt.h>: a note of type 3 and owner "stapsdt" in .note.stapsdt. */
struct object_mark {
	const char *provider, *name;
	uint64_t address;      /* of the nop at that address */
	uint64_t counter;      /* file offset of its 16-bit counter of users; 0: it has none */
	const char *arguments; /* "8@%rax -4@$3 ...", as the compiler wrote them */
};

struct program_file {
	const char *path;      /* absolute, symbolic links followed */
	const char *build_id;  /* lower-case hex; NULL: the file has none */
	bool is_fixed;         /* it is loaded to the addresses that it has (ET_EXEC) */
	bool is_program;       /* processes are started from it; else a library */
	uint64_t first_code;   /* where its first segment of code begins */
	VEC(struct object_symbol) symbols; /* functions with code, in order of their addresses */
	bool has_mangled;      /* there are names of C++ or Rust among them */
	VEC(struct object_mark) marks;     /* in order of the notes */
	/* entries of the procedure linkage table (PLT): where the file calls functions of others;
	 * in order of their addresses */
	VEC(struct object_symbol) imports;
	bool is_go;            /* the compiler of Go has made it */
	/* A function of it, or one that it calls, that switches to another stack; NULL: none is
	 * known. */
	const char *switches_stacks;
};

/* How calls of a function end. */
struct object_exits {
	VEC(uint64_t) offsets; /* in the file, of its instructions that return */
	const char *why;       /* NULL: each call ends at one of them, and no other call does;
				* else why this is not so, or not known: "it ..." */
};

/**
 * object_open - read a program or library, once for each path
 * @path: a file; the caller looked it up
 * @why:  where it can't be read, the reason; owned by the arena
 * returns NULL: it is not a regular file, not an ELF file of x86-64 that can be run or loaded, or
 * it is damaged.
 * Symbols come from its own tables, from .gnu_debugdata, and from a separate debug file: by
 * build-id or .gnu_debuglink, in the directories of --debuginfo or in the usual ones, or from a
 * server of DEBUGINFOD_URLS. `--debuginfo=` means none but its own.
 */
struct program_file *object_open(struct state *s, const char *path, const char **why);

/** object_close - close all that were opened; what is in struct program_file stays. */
void object_close(struct state *s);

/** object_offset - the offset in the file of the code at @address; false: no segment of code has
 *  it. */
bool object_offset(const struct program_file *o, uint64_t address, uint64_t *ret);

/** object_exits - how calls of the function @name at @address end. Owned by the arena. */
const struct object_exits *object_exits(struct state *s, const struct program_file *o,
					const char *name, uint64_t address);

/** object_address - the address of the code at a file offset that object_offset() returned. */
uint64_t object_address(const struct program_file *o, uint64_t offset);

/** object_find - functions that a name means, as in demangle.h; @ret is appended to. */
struct object_symbols { VEC(const struct object_symbol *) v; };
void object_find(struct state *s, const struct program_file *o, const char *pattern,
		 struct object_symbols *ret);

/** object_variable - the address of a variable; false: the file has none of that name, or
 *  several. */
bool object_variable(const struct program_file *o, const char *name, uint64_t *ret);

/** object_symbol_at - the function whose code has @address; NULL: none. */
const struct object_symbol *object_symbol_at(const struct program_file *o, uint64_t address);

/**
 * object_program - the file that running @name would execute
 * @name: a path with a slash, or a name that is looked up in $PATH
 * returns an absolute path without symbolic links, owned by the arena; NULL if there is none
 */
const char *object_program(struct state *s, const char *name);

/** object_path_of_process - the path by which this process opens a file that process @pid knows as
 *  @path, which may be another one in a container; NULL if there is none. */
const char *object_path_of_process(struct state *s, int64_t pid, const char *path);

/* A library: the name by which another file needs it, or that of its file; and the file. */
struct object_library { const char *name, *path; };
struct object_libraries { VEC(struct object_library) v; };

/** object_libraries - the libraries that ld.so would load with a program, in that order; those that
 *  are not found are left out. @ret is appended to, as in the next two. */
void object_libraries(struct state *s, const struct program_file *program,
		      struct object_libraries *ret);
/** object_libraries_of_process - files with code that a process has mapped, among them those of
 *  dlopen(). */
void object_libraries_of_process(struct state *s, int64_t pid, struct object_libraries *ret);
/**
 * object_libraries_named - select the libraries of @all that @name means
 * @name: with its version ("libc.so.6"), the beginning of one ("libc.so", "libc"), or a shell
 *        pattern; of paths where it has a slash
 * returns how many
 */
size_t object_libraries_named(const struct object_libraries *all, struct state *s,
			      const char *name, struct object_libraries *ret);
/**
 * object_library - the file that ld.so would load if @program opened @name with dlopen()
 * @program: its path; NULL: any
 * @name: a path, or as for object_libraries_named(), but no pattern
 * returns as object_program()
 */
const char *object_library(struct state *s, const char *program, const char *name);
/** object_library_of_process - the same for process @pid, which runs @program, by what its root
 *  directory has. */
const char *object_library_of_process(struct state *s, int64_t pid, const char *program,
				      const char *name);

#endif
