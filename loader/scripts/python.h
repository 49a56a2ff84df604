/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the files for CPython. */
#ifndef SCRIPTS_PYTHON_H
#define SCRIPTS_PYTHON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct script_file;
struct script_object;

/* The mark of the last of the frames that belong to one call of the loop. */
enum python_calls {
	PYTHON_ONE_FRAME,      /* up to 3.10: each frame is a call of the loop */
	PYTHON_ENTRY_FLAG,     /* 3.11: the outermost frame of a call has a flag */
	PYTHON_ENTRY_FRAME,    /* from 3.12 on: a frame behind it, which is owned by the C stack */
};

enum { PYTHON_NONE = 0xffff }; /* in place of an offset: there is no such member */

/* Where members are, in bytes. Frames: PyFrameObject up to 3.10, then _PyInterpreterFrame. */
struct python_offsets {
	unsigned version;      /* 309, 310, ... */
	enum python_calls calls;
	/* _PyRuntime: autoTSSkey; up to 3.11 the state of the thread that holds the GIL, and the
	 * first of the interpreters, which have lists of their threads */
	uint16_t key, holder, interpreters, next_interpreter, threads, next_thread;
	/* PyThreadState; current: in what `frame` points to (_PyCFrame), or PYTHON_NONE */
	uint16_t thread_id, frame, current;
	/* A frame; lasti: its instruction, as a number up to 3.10, then as a pointer; entry: the
	 * flag of PYTHON_ENTRY_FLAG */
	uint16_t previous, code, lasti, owner, entry;
	uint16_t tlbc_index;   /* PYTHON_NONE: threads have no code of their own */
	/* PyCodeObject; number: co_version, from 3.12 on, before it constants, and body: 64 bits
	 * about the instructions; traceable, instructions: from 3.11 on; tlbc: with tlbc_index */
	uint16_t name, file, lines, first, number, body, constants;
	uint16_t traceable, instructions, tlbc;
	uint16_t code_size;    /* tp_basicsize of PyCode_Type, and where that is in a type */
	uint16_t basicsize;
	uint16_t type;         /* ob_type */
	/* str; in its state, 3 bits from kind_bit on are its kind, then "compact", "ascii" */
	uint16_t length, hash, state, kind_bit, ascii, compact, data;
	uint16_t bytes_size, bytes;
};

/** script_python_version - the version of CPython in a file: PY_VERSION_HEX, with what is not known
 *  0. Returns 0 if the file has no CPython. */
uint32_t script_python_version(const struct script_file *f);
/** script_python_offsets - the offsets of a file's CPython of that version. false: they are not
 *  known, or its interpreter was built in an unusual way. */
bool script_python_offsets(const struct script_file *f, uint32_t version,
			   struct python_offsets *ret);
/** script_python_line - struct script_language, line(). */
uint32_t script_python_line(const struct script_object *o, uint32_t position);

#endif
