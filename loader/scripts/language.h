/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A language whose frames stacks have. To add one: a file of this folder that defines a struct
 * script_language, and its name in the list of languages.c. It knows the offsets of the
 * interpreter's structures for each version, makes the program for the kernel half from them, and
 * reads the tables of lines.
 */
#ifndef LOADER_SCRIPTS_LANGUAGE_H
#define LOADER_SCRIPTS_LANGUAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "script_frames.h"

struct script_file;
struct script_program;

/* An object's description, in pieces that were checked. Texts are UTF-8 without control characters
 * and end with a NUL. */
struct script_object {
	char *function;      /* with its class or package; never empty */
	char *file;          /* "": not known */
	const unsigned char *lines;  /* the table of lines; NULL: there is none */
	size_t lines_len;
	uint64_t first, flags;
};

struct script_language {
	const char *name;
	const char *separator; /* between a class and the name of its function */
	const char *nameless;  /* the function of an object without a name; NULL: it is not known */
	/* Whether the file has this language's interpreter; then @version says which ("3.11.2"), as
	 * messages show it. */
	bool (*is_interpreter)(const struct script_file *f, char *version, size_t size);
	/* Appends the program and the ranges of the loop. false: this version is not supported. */
	bool (*compile)(const struct script_file *f, struct script_program *p);
	/* The line of a position in an object; 0: not known. The position may be any number. */
	uint32_t (*line)(const struct script_object *o, uint32_t position);
};

extern const struct script_language script_python, script_perl, script_php;

/* ---- the file (script_file.c) ---- */

/** script_file_symbol - the address of a dynamic symbol, or of one of .symtab, as in the program
 *  headers, and its size in bytes; false: there is none. is_interpreter() is called for every
 *  file that a process has mapped, so dynamic symbols are all that it finds. Variables of threads
 *  are not found. */
bool script_file_symbol(const struct script_file *f, const char *name, uint64_t *address,
			uint64_t *size);
/** script_file_bytes - bytes of the file's initialised data or code at an address. false: they are
 *  not all in the file. */
bool script_file_bytes(const struct script_file *f, uint64_t address, void *to, size_t n);
/** script_file_function - the function at an address, as call frame information has it. false:
 *  there is none. */
bool script_file_function(const struct script_file *f, uint64_t address, uint64_t *start,
			  uint64_t *end);
/** script_file_outlined - the range of code that belongs to the function at [start, start + size)
 *  and that the compiler has put elsewhere (gcc's NAME.cold): jumps of the function lead there, and
 *  it has call frame information of its own, which begins with the function's frame. false: there
 *  is none. */
bool script_file_outlined(const struct script_file *f, uint64_t start, uint64_t size,
			  uint64_t *at, uint64_t *length);

/* ---- the program (program.c) ---- */

/* A jump's target: script_label() says where it is. */
enum { SCRIPT_LABELS = 64 };

/** script_op - append an operation; that of a jump has a label in place of n. */
void script_op(struct script_program *p, enum prt_script_operation op, unsigned a, unsigned b,
	       unsigned c, int64_t n);
/** script_load - append a load of @size bytes: 1, 2, 4, 8; -4: with its sign. Loads that follow one
 *  another are joined (PRT_SCRIPT_MORE) unless a label is between them. */
void script_load(struct script_program *p, unsigned a, unsigned b, int64_t offset, int size);
/** script_same - append PRT_SCRIPT_SAME with the register that says which frame it is; loads of 8
 *  bytes follow, PRT_SCRIPT_SAME_LOADS at most, each of a register of its own. script_same_end -
 *  these were all. */
void script_same(struct script_program *p, unsigned frame);
void script_same_end(struct script_program *p);
/** script_label - the next operation is where jumps to @label go. */
void script_label(struct script_program *p, unsigned label);
/** script_address - append a load of the address of the file's @address as it is mapped. */
void script_address(struct script_program *p, unsigned a, uint64_t address);
/** script_loop - the code of the interpreter's loop is at [start, end). */
void script_loop(struct script_program *p, uint64_t start, uint64_t end);
/** script_through - the code at [start, end) is called by the loop, and calls it again for the same
 *  frames (PRT_SCRIPT_THROUGH). */
void script_through(struct script_program *p, uint64_t start, uint64_t end);
/** script_describe - the description of an object begins here. */
void script_describe(struct script_program *p);

#endif
