/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Programs and libraries as files: their functions, the offsets of addresses in the file, and
 * their SDT markers. Nothing here depends on probes or on the kernel; dwarf/ reads debug
 * information.
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
	/* It is an indirect function (STT_GNU_IFUNC): at `address` is its resolver, which chooses
	 * its implementation when a process starts. */
	bool is_indirect;
};

/* A marker of <sys/sdt.h>: a note of type 3 and owner "stapsdt" in .note.stapsdt. */
struct object_mark {
	const char *provider, *name;
	uint64_t address;      /* of the nop at that address */
	/* file offset of its semaphore, a 16-bit counter of users; 0: it has none */
	uint64_t counter;
	const char *arguments; /* "8@%rax -4@$3 ...", as the compiler wrote them */
};

/* A function of another build that was not found in a file, and why: "it ...", "none has ...". */
struct object_unfound { const char *name, *why; };

struct program_file {
	const char *path;      /* absolute, symbolic links followed */
	const char *build_id;  /* lower-case hex; NULL: the file has none */
	bool is_fixed;         /* it is loaded at the addresses in the file (ET_EXEC) */
	bool is_32bit;         /* it is for programs of 32 bits */
	bool is_program;       /* processes can be started from it; otherwise it is a library */
	uint64_t first_code;   /* address of its first segment of code */
	uint64_t entry;        /* address of the instruction at which a process begins; 0: none */
	VEC(struct object_symbol) symbols; /* functions with code, in order of their addresses */
	VEC(struct object_symbol) indirect; /* indirect functions, in order of their resolvers */
	bool has_mangled;      /* some of them are names of C++ or Rust */
	VEC(struct object_mark) marks;     /* in order of the notes */
	/* entries of the procedure linkage table (PLT), through which the file calls functions of
	 * other files; in ascending order of their addresses */
	VEC(struct object_symbol) imports;
	/* The other build from which it has symbols (--symbols), and the functions of that build
	 * that were not found; NULL: none. */
	const char *other_build;
	VEC(struct object_unfound) unfound;
	bool is_go;            /* it was compiled from Go */
	/* A function in it, or one that it calls, that switches to another stack; NULL: none is
	 * known. */
	const char *switches_stacks;
};

/* How calls of a function end. */
struct object_exits {
	VEC(uint64_t) offsets; /* of its instructions that return, in the file */
	bool pops;             /* some of them remove arguments from the stack */
	/* NULL: each call ends at one of them, and only calls of this function do; otherwise why
	 * this is not so, or not known: "it ..." */
	const char *why;
};

/**
 * object_open - read a program or library; each path is read once
 * @path: a file
 * @why:  the reason for NULL; owned by the arena
 *
 * returns NULL if it is not a regular file, if it is not an ELF file of x86-64 that can be run or
 * loaded, or if it is damaged. Symbols come from its own tables, from .gnu_debugdata, and from a
 * separate debug file, which is found by build-id or .gnu_debuglink in the directories of
 * --debuginfo or in the usual ones, or on a server of DEBUGINFOD_URLS. With `--debuginfo=`, only
 * its own tables count.
 */
struct program_file *object_open(struct state *s, const char *path, const char **why);

/** object_close - close all open files. Every struct program_file remains valid. */
void object_close(struct state *s);

/** object_offset - store the file offset of the code at @address in *@ret. Returns false if no
 *  segment of code contains it. */
bool object_offset(const struct program_file *o, uint64_t address, uint64_t *ret);

/** object_writes_code - whether the program may write to the code at a file offset. */
bool object_writes_code(const struct program_file *o, uint64_t offset);

/** object_saves_flags - whether the instruction at a file offset is one that arch_flow() says that
 *  of. */
bool object_saves_flags(const struct program_file *o, uint64_t offset);
/** object_is_unsteppable - whether arch_flow() says so of the instruction at a file offset. */
bool object_is_unsteppable(const struct program_file *o, uint64_t offset);
/** object_is_exclusive - whether the instruction at a file offset is one of an exclusive load and
 *  store, or between them (arch/flow.h); none is on x86-64. */
bool object_is_exclusive(const struct program_file *o, uint64_t offset);

/** object_exits - how calls of the function @name at @address end. Owned by the arena. */
const struct object_exits *object_exits(struct state *s, const struct program_file *o,
					const char *name, uint64_t address);

/**
 * object_calls - whether the function at @from calls the function at @to
 *
 * Calls and jumps to a known address count, also by way of the procedure linkage table or of the
 * global offset table. Those through other pointers don't. False if the size of the function is not
 * known.
 */
bool object_calls(const struct program_file *o, uint64_t from, uint64_t to);
/** object_calls_first - whether the code at @from calls the function at @to before any branch. */
bool object_calls_first(const struct program_file *o, uint64_t from, uint64_t to);
/* The implementations of an indirect function. */
struct object_choices {
	VEC(uint64_t) addresses; /* in ascending order */
	const char *why;         /* why they are not all that can be chosen, "its ..."; NULL: they
				  * are */
};
/**
 * object_choices - the addresses that a resolver can return, from its code
 * @resolver: the address of an indirect function. Owned by the arena.
 */
const struct object_choices *object_choices(struct state *s, const struct program_file *o,
					    uint64_t resolver);

/** object_chosen - the implementation of an indirect function that processes of this machine use.
 *  @choices may be unknown. Returns false if probec's own process does not use the file, or uses a
 *  function elsewhere. */
bool object_chosen(const struct program_file *o, const struct object_symbol *of,
		   const struct object_choices *choices, uint64_t *ret);

/**
 * object_bound - the implementation of an indirect function that a process uses, from its memory
 * @of:  one of o->indirect
 * @ret: its address in the file, if OBJECT_BOUND is returned
 */
enum object_bound {
	OBJECT_BOUND_UNKNOWN, /* the process can't be read, or none of its words has the address */
	OBJECT_BOUND,         /* it is in the file */
	OBJECT_BOUND_VDSO,    /* it is a function of the vDSO, in which nothing can be probed */
};
enum object_bound object_bound(struct state *s, int64_t pid, const struct program_file *o,
			       const struct object_symbol *of, uint64_t *ret);

/** object_passes - append the addresses of @to that the code at @from calls or jumps to, other than
 *  by pointers, to @ret; not @from itself, if it is called. */
struct object_addresses { VEC(uint64_t) v; };
void object_passes(struct state *s, const struct program_file *o, uint64_t from,
		   const struct object_choices *to, struct object_addresses *ret);

/** object_address - the address of the code at a file offset that object_offset() returned. */
uint64_t object_address(const struct program_file *o, uint64_t offset);

/** object_find - append the functions that a name means, as in demangle.h, to @ret; indirect ones
 *  after the others. */
struct object_symbols { VEC(const struct object_symbol *) v; };
void object_find(struct state *s, const struct program_file *o, const char *pattern,
		 struct object_symbols *ret);

/** object_variable - store the address of a variable in *@ret. Returns false if the file has none
 *  of that name, or several. */
bool object_variable(const struct program_file *o, const char *name, uint64_t *ret);

/** object_symbol_at - the function whose code contains @address, or NULL. */
const struct object_symbol *object_symbol_at(const struct program_file *o, uint64_t address);

/**
 * object_program - the file that running @name would execute
 * @name: a path with a slash, or a name that is searched in $PATH
 *
 * returns an absolute path without symbolic links, owned by the arena, or NULL
 */
const char *object_program(struct state *s, const char *name);

/** object_path_of_process - the path by which this process opens a file that process @pid, which
 *  may be in a container, knows as @path. NULL if there is none. */
const char *object_path_of_process(struct state *s, int64_t pid, const char *path);

/* A library: the name by which another file needs it, or its file name; and its path. */
struct object_library { const char *name, *path; };
struct object_libraries { VEC(struct object_library) v; };

/** object_libraries - append the libraries that ld.so would load with a program to @ret, in that
 *  order. Libraries that are not found are left out. */
void object_libraries(struct state *s, const struct program_file *program,
		      struct object_libraries *ret);
/** object_libraries_of_process - append the files with code that a process has mapped to @ret. They
 *  include files that it opened with dlopen(). */
void object_libraries_of_process(struct state *s, int64_t pid, struct object_libraries *ret);
/**
 * object_libraries_named - append the libraries of @all that @name means to @ret
 * @name: a name with its version ("libc.so.6") or a beginning of it ("libc.so", "libc"), or a
 *        shell pattern; a name with a slash is compared with paths
 *
 * returns how many there are
 */
size_t object_libraries_named(const struct object_libraries *all, struct state *s,
			      const char *name, struct object_libraries *ret);
/**
 * object_library - the file that ld.so would load if @program called dlopen(@name)
 * @program: its path; NULL: any
 * @name:    a path, or as for object_libraries_named(), but not a pattern
 *
 * returns as object_program()
 */
const char *object_library(struct state *s, const char *program, const char *name);
/** object_library_of_process - the same for process @pid, which runs @program, in its root
 *  directory. */
const char *object_library_of_process(struct state *s, int64_t pid, const char *program,
				      const char *name);

#endif
