/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CPython. The state of a thread has a list of its frames, innermost first; what belongs to one
 * call of the loop, which calls functions of Python without calling itself from 3.11 on, ends as
 * enum python_calls says.
 *
 * The state is the value of the thread's key autoTSSkey. From 3.12 on the key follows the thread to
 * each interpreter. Up to 3.11 it has the thread's first state. If the thread holds the GIL, its
 * state there is the right one; else, if there are several interpreters, it is the one with frames
 * in the newest of them, as one that runs another waits for it. The frames of that other one are
 * not found.
 *
 * Frames that the interpreter has not entered yet, or that are its own, are left out as a traceback
 * leaves them out (_PyFrame_IsIncomplete()).
 */
#include <stdio.h>

#include "arch/arch.h"
#include "scripts/language.h"
#include "scripts/python.h"

/* Registers. The key of an object is in those from CODE on. From 3.12 on each code object has a
 * number of its own. Before, the memory of one that was freed may become another one, of which
 * these are hardly all the same: the hash of its name; the last bytes of its file's name; its table
 * of lines, where that is, and its first and last bytes; where its constants are; its code's length
 * or place; its first line. */
enum {
	FRAME, ZERO, TYPE, NEXT, AT,
	CODE, HASH, FILE_NAME, LINES, LINES_HEAD, LINES_TAIL, CONSTANTS, BODY, FIRST, KEY_END,
	T = KEY_END, U,
	VERSION = HASH, VERSION_END,
	NAME = NEXT,           /* in the description */
};

enum {
	L_OTHERS, L_INTERPRETER, L_THREAD, L_OTHER, L_NEXT_INTERPRETER, L_KEY, L_STATE,
	L_NEXT, L_FRAME, L_EARLY, L_COMPLETE, L_LEFT_OUT, L_ON, L_CALL, L_PRECALL, L_NO_THREAD,
	L_DAMAGED, L_END, L_TEXT,
	TEXT_LABELS = 5,
};

enum { OWNED_BY_GENERATOR = 1, OWNED_BY_C = 3 /* or more */ };

/* A tagged pointer, from 3.14 on: its lowest two bits are no part of it. */
enum { UNTAGGED = -4 };

static void copy(struct script_program *p, unsigned to, unsigned from)
{
	script_op(p, PRT_SCRIPT_ADD, to, from, 0, 0);
}

static void jump(struct script_program *p, unsigned label)
{
	script_op(p, PRT_SCRIPT_JUMP, 0, 0, 0, label);
}

static void if_zero(struct script_program *p, unsigned a, unsigned label)
{
	script_op(p, PRT_SCRIPT_IF_ZERO, a, 0, 0, label);
}

static void end(struct script_program *p, enum prt_script_end why)
{
	script_op(p, PRT_SCRIPT_END, 0, 0, 0, why);
}

/* ---- the thread ---- */

/* @to = the innermost frame of a thread's state. */
static void load_first(struct script_program *p, const struct python_offsets *o, unsigned to,
		       unsigned state)
{
	script_load(p, to, state, o->frame, 8);
	if (o->current != PYTHON_NONE)
		script_load(p, to, to, o->current, 8);
}

/* U = the state of the thread that holds the GIL, if it is this one, at L_STATE; else go on. */
static void find_holder(struct script_program *p, const struct python_offsets *o, unsigned runtime,
			unsigned self)
{
	script_load(p, U, runtime, o->holder, 8);
	if_zero(p, U, L_OTHERS);
	script_load(p, NEXT, U, o->thread_id, 8);
	script_op(p, PRT_SCRIPT_IF_SAME, NEXT, self, 0, L_STATE);
	script_label(p, L_OTHERS);
}

/* U = the state in the newest interpreter in which the thread has frames, at L_STATE, if there is
 * more than one interpreter; else go on. */
static void find_interpreter(struct script_program *p, const struct python_offsets *o,
			     unsigned runtime, unsigned self)
{
	script_load(p, NEXT, runtime, o->interpreters, 8);
	if_zero(p, NEXT, L_NO_THREAD);
	script_load(p, U, NEXT, o->next_interpreter, 8);
	if_zero(p, U, L_KEY);
	script_label(p, L_INTERPRETER);
	script_load(p, U, NEXT, o->threads, 8);
	script_label(p, L_THREAD);
	if_zero(p, U, L_NEXT_INTERPRETER);
	script_load(p, HASH, U, o->thread_id, 8);
	script_op(p, PRT_SCRIPT_IF_OTHER, HASH, self, 0, L_OTHER);
	load_first(p, o, CODE, U);
	script_op(p, PRT_SCRIPT_IF_NOT, CODE, 0, 0, L_STATE);
	script_label(p, L_OTHER);
	script_load(p, U, U, o->next_thread, 8);
	jump(p, L_THREAD);
	script_label(p, L_NEXT_INTERPRETER);
	script_load(p, NEXT, NEXT, o->next_interpreter, 8);
	script_op(p, PRT_SCRIPT_IF_NOT, NEXT, 0, 0, L_INTERPRETER);
	jump(p, L_NO_THREAD);
}

/* U = the state of the thread. */
static void find_thread(struct script_program *p, const struct python_offsets *o, uint64_t runtime)
{
	script_address(p, T, runtime);
	script_op(p, PRT_SCRIPT_THREAD, AT, 0, 0, 0);
	if (o->holder != PYTHON_NONE && ARCH_THREAD_IS_BASE) {
		find_holder(p, o, T, AT);
		find_interpreter(p, o, T, AT);
	}
	script_label(p, L_KEY);
	/* Py_tss_t: whether there is a key; the key */
	script_load(p, U, T, o->key, 4);
	script_load(p, T, T, o->key + 4, 4);
	if_zero(p, U, L_NO_THREAD);
	script_op(p, PRT_SCRIPT_KEY, U, T, 0, 0);
	if_zero(p, U, L_NO_THREAD);
	script_load(p, NEXT, U, o->thread_id, 8);
	if (ARCH_THREAD_IS_BASE)
		script_op(p, PRT_SCRIPT_IF_OTHER, NEXT, AT, 0, L_DAMAGED);
	script_label(p, L_STATE);
}

/* ---- frames ---- */

static void load_frame(struct script_program *p, const struct python_offsets *o)
{
	script_load(p, NEXT, FRAME, o->previous, 8);
	script_load(p, CODE, FRAME, o->code, 8);
	script_load(p, AT, FRAME, o->lasti, o->instructions == PYTHON_NONE ? 4 : 8);
	if (o->calls != PYTHON_ENTRY_FRAME)
		return;
	script_load(p, T, FRAME, o->owner, 1);
	script_op(p, PRT_SCRIPT_ADD, T, T, 0, -OWNED_BY_C);
	script_op(p, PRT_SCRIPT_IF_BELOW, T, ZERO, 0, L_FRAME);
	script_op(p, PRT_SCRIPT_YIELD, 0, 0, 0, 0);
	copy(p, FRAME, NEXT);
	jump(p, L_NEXT);
	script_label(p, L_FRAME);
	if (o->version >= 314)
		script_op(p, PRT_SCRIPT_AND, CODE, CODE, 0, UNTAGGED);
}

/* @to = the last 8 bytes of what is @offset behind an object, whose length is another member. */
static void load_tail(struct script_program *p, unsigned to, unsigned object, unsigned length,
		      int64_t offset)
{
	script_load(p, T, object, length, 8);
	script_op(p, PRT_SCRIPT_SUM, T, T, object, 0);
	script_load(p, to, T, offset - 8, 8);
}

/* Loads the key of a code object without a number. */
static void load_parts(struct script_program *p, const struct python_offsets *o)
{
	script_load(p, HASH, CODE, o->name, 8);
	script_load(p, FILE_NAME, CODE, o->file, 8);
	script_load(p, LINES, CODE, o->lines, 8);
	script_load(p, CONSTANTS, CODE, o->constants, 8);
	script_load(p, BODY, CODE, o->body, 8);
	script_load(p, FIRST, CODE, o->first, 4);
	script_load(p, HASH, HASH, o->hash, 8);
	script_load(p, LINES_HEAD, LINES, o->bytes, 8);
	load_tail(p, FILE_NAME, FILE_NAME, o->length, o->ascii);
	load_tail(p, LINES_TAIL, LINES, o->bytes_size, o->bytes);
}

/* Loads the key, and U = the number of the instruction before which a frame is not complete. */
static void load_code(struct script_program *p, const struct python_offsets *o)
{
	script_load(p, T, CODE, o->type, 8);
	if (o->traceable != PYTHON_NONE)
		script_load(p, U, CODE, o->traceable, 4);
	if (o->number != PYTHON_NONE)
		script_load(p, VERSION, CODE, o->number, 4);
	script_op(p, PRT_SCRIPT_IF_OTHER, T, TYPE, 0, L_DAMAGED);
	if (o->number == PYTHON_NONE)
		load_parts(p, o);
}

/* In 3.11, PRECALL, which is 2 bytes and a cache of as many before CALL, makes the call itself once
 * it is specialised. AT = the address of CALL in both cases, so that a place of the script is one
 * place. The numbers are those of Lib/opcode.py. */
static void find_call(struct script_program *p)
{
	static const struct { int from, end; } precalls[] = {
		{ 64, 68 }, { 72, 74 }, { 76, 82 }, { 113, 114 }, { 121, 122 }, { 127, 128 },
		{ 141, 142 }, { 143, 144 }, { 166, 167 },
	};
	int at = 0;

	script_load(p, T, AT, 0, 1);
	for (size_t i = 0; i < sizeof(precalls) / sizeof(*precalls); i++) {
		script_op(p, PRT_SCRIPT_ADD, T, T, 0, at - precalls[i].from);
		script_op(p, PRT_SCRIPT_IF_BELOW, T, ZERO, 0, L_CALL);
		at = precalls[i].end;
		script_op(p, PRT_SCRIPT_ADD, T, T, 0, precalls[i].from - at);
		script_op(p, PRT_SCRIPT_IF_BELOW, T, ZERO, 0, L_PRECALL);
	}
	jump(p, L_CALL);
	script_label(p, L_PRECALL);
	script_op(p, PRT_SCRIPT_ADD, AT, AT, 0, 4);
	script_label(p, L_CALL);
}

/* AT = the offset of the instruction. */
static void find_position(struct script_program *p, const struct python_offsets *o)
{
	if (o->instructions == PYTHON_NONE)
		return;
	if (o->version == 311)
		find_call(p);
	if (o->tlbc == PYTHON_NONE) {
		script_op(p, PRT_SCRIPT_LESS, AT, AT, CODE, 0);
		script_op(p, PRT_SCRIPT_ADD, AT, AT, 0, -(int64_t)o->instructions);
		return;
	}
	/* Each thread has a copy: co_tlbc->entries[tlbc_index], behind the number of entries. */
	script_op(p, PRT_SCRIPT_ADD, T, FRAME, 0, o->tlbc_index);
	script_load(p, T, T, 0, -4);
	script_op(p, PRT_SCRIPT_TIMES, T, T, 0, 8);
	script_load(p, NEXT, CODE, o->tlbc, 8);
	script_op(p, PRT_SCRIPT_SUM, T, T, NEXT, 0);
	script_load(p, T, T, 8, 8);
	script_op(p, PRT_SCRIPT_LESS, AT, AT, T, 0);
	script_load(p, NEXT, FRAME, o->previous, 8);
}

/* A frame is as before if these words are: where it is called from, its code and instruction, who
 * owns it, and of a code object without a number its name and lines. They are loaded again where
 * the frame is new. */
static void load_same(struct script_program *p, const struct python_offsets *o)
{
	const bool has_number = o->number != PYTHON_NONE;

	script_same(p, FRAME);
	script_load(p, NEXT, FRAME, o->previous, 8);
	script_load(p, CODE, FRAME, o->code, 8);
	script_load(p, AT, FRAME, o->lasti, 8);
	if (o->owner != PYTHON_NONE)
		/* Ends with the byte itself: what comes after it changes. */
		script_load(p, T, FRAME, o->owner - 7, 8);
	if (has_number) {
		script_load(p, VERSION, CODE, o->number, 8);
	} else {
		script_load(p, HASH, CODE, o->name, 8);
		script_load(p, LINES, CODE, o->lines, 8);
		script_load(p, FIRST, CODE, o->first, 8);
		script_load(p, BODY, HASH, o->hash, 8);
		script_load(p, LINES_HEAD, LINES, o->bytes, 8);
		script_load(p, LINES_TAIL, LINES, o->bytes_size, 8);
	}
	script_same_end(p);
}

static void find_frames(struct script_program *p, const struct python_offsets *o)
{
	script_label(p, L_NEXT);
	if_zero(p, FRAME, L_END);
	load_same(p, o);
	load_frame(p, o);
	load_code(p, o);
	find_position(p, o);
	if (o->traceable != PYTHON_NONE) {
		script_op(p, PRT_SCRIPT_SUM, U, U, U, 0); /* 2 bytes each */
		script_op(p, PRT_SCRIPT_IF_BELOW, AT, U, 0, L_EARLY);
	}
	script_label(p, L_COMPLETE);
	script_op(p, PRT_SCRIPT_FRAME, AT, CODE,
		  (o->number == PYTHON_NONE ? KEY_END : VERSION_END) - CODE, FRAME + 1);
	script_label(p, L_LEFT_OUT);
	if (o->calls == PYTHON_ENTRY_FLAG) {
		script_load(p, T, FRAME, o->entry, 1);
		if_zero(p, T, L_ON);
	}
	if (o->calls != PYTHON_ENTRY_FRAME)
		script_op(p, PRT_SCRIPT_YIELD, 0, 0, 0, 0);
	script_label(p, L_ON);
	copy(p, FRAME, NEXT);
	jump(p, L_NEXT);
	if (o->traceable != PYTHON_NONE) {
		script_label(p, L_EARLY);
		script_load(p, T, FRAME, o->owner, 1);
		script_op(p, PRT_SCRIPT_ADD, T, T, 0, -OWNED_BY_GENERATOR);
		if_zero(p, T, L_COMPLETE);
		jump(p, L_LEFT_OUT);
	}
	script_label(p, L_NO_THREAD);
	end(p, PRT_SCRIPT_NO_THREAD);
	script_label(p, L_DAMAGED);
	end(p, PRT_SCRIPT_DAMAGED);
	script_label(p, L_END);
	end(p, PRT_SCRIPT_WHOLE);
}

/* ---- the description ---- */

/* Jumps to @label if the bits of @state, which has been shifted, are @n. */
static void if_kind(struct script_program *p, unsigned state, int n, unsigned label)
{
	script_op(p, PRT_SCRIPT_AND, TYPE, state, 0, 7);
	script_op(p, PRT_SCRIPT_ADD, TYPE, TYPE, 0, -n);
	if_zero(p, TYPE, label);
}

/* A str. @label is the first of TEXT_LABELS. AT and TYPE are not needed any more. */
static void describe_text(struct script_program *p, const struct python_offsets *o,
			  unsigned text, enum prt_script_kind kind, unsigned label)
{
	const unsigned two = label, four = label + 1, done = label + 2, here = label + 3;

	script_load(p, U, text, o->state, 4);
	script_load(p, AT, text, o->length, 8);
	script_op(p, PRT_SCRIPT_SHIFT, U, U, 0, o->kind_bit);
	script_op(p, PRT_SCRIPT_ADD, T, text, 0, o->ascii);
	script_op(p, PRT_SCRIPT_AND, TYPE, U, 0, 16);
	script_op(p, PRT_SCRIPT_IF_NOT, TYPE, 0, 0, here);
	script_op(p, PRT_SCRIPT_ADD, T, text, 0, o->compact);
	script_label(p, here);
	script_op(p, PRT_SCRIPT_AND, TYPE, U, 0, 8);
	script_op(p, PRT_SCRIPT_IF_NOT, TYPE, 0, 0, label + 4);
	script_load(p, T, text, o->data, 8);
	script_label(p, label + 4);
	if_kind(p, U, 2, two);
	if_kind(p, U, 4, four);
	script_op(p, PRT_SCRIPT_TEXT, T, AT, kind, 1);
	jump(p, done);
	script_label(p, two);
	script_op(p, PRT_SCRIPT_TEXT, T, AT, kind, 2);
	jump(p, done);
	script_label(p, four);
	script_op(p, PRT_SCRIPT_TEXT, T, AT, kind, 4);
	script_label(p, done);
}

static void describe(struct script_program *p, const struct python_offsets *o)
{
	script_describe(p);
	script_load(p, NAME, CODE, o->name, 8);
	script_load(p, FILE_NAME, CODE, o->file, 8);
	script_load(p, LINES, CODE, o->lines, 8);
	script_load(p, FIRST, CODE, o->first, 4);
	describe_text(p, o, NAME, PRT_SCRIPT_NAME, L_TEXT);
	describe_text(p, o, FILE_NAME, PRT_SCRIPT_FILE, L_TEXT + TEXT_LABELS);
	script_load(p, T, LINES, o->bytes_size, 8);
	script_op(p, PRT_SCRIPT_ADD, U, LINES, 0, o->bytes);
	script_op(p, PRT_SCRIPT_TEXT, U, T, PRT_SCRIPT_LINES, 1);
	script_op(p, PRT_SCRIPT_NUMBER, FIRST, 0, PRT_SCRIPT_FIRST, 0);
	script_op(p, PRT_SCRIPT_ADD, T, ZERO, 0, o->version);
	script_op(p, PRT_SCRIPT_NUMBER, T, 0, PRT_SCRIPT_FLAGS, 0);
	end(p, PRT_SCRIPT_WHOLE);
}

/* ---- the language ---- */

static bool is_interpreter(const struct script_file *f, char *version, size_t size)
{
	uint32_t v = script_python_version(f);

	if (v >= 0x030b0000)
		snprintf(version, size, "%u.%u.%u", v >> 24, v >> 16 & 0xff, v >> 8 & 0xff);
	else if (v >= 0x03090000)
		snprintf(version, size, "%u.%u", v >> 24, v >> 16 & 0xff);
	else
		snprintf(version, size, "%s", v >= 0x03000000 ? "3.8 or older" :
			 "2.7 or older");
	return v;
}

static bool add_loop(const struct script_file *f, struct script_program *p)
{
	uint64_t start, size, at, length;

	if (!script_file_symbol(f, "_PyEval_EvalFrameDefault", &start, &size) || !size)
		return false;
	script_loop(p, start, start + size);
	if (script_file_outlined(f, start, size, &at, &length))
		script_loop(p, at, at + length);
	return true;
}

static bool compile(const struct script_file *f, struct script_program *p)
{
	struct python_offsets o;
	uint64_t runtime, type, size;

	if (!script_python_offsets(f, script_python_version(f), &o) ||
	    !script_file_symbol(f, "_PyRuntime", &runtime, &size) ||
	    !script_file_symbol(f, "PyCode_Type", &type, &size) || !add_loop(f, p))
		return false;
	find_thread(p, &o, runtime);
	script_address(p, TYPE, type);
	load_first(p, &o, FRAME, U);
	find_frames(p, &o);
	describe(p, &o);
	return true;
}

const struct script_language script_python = {
	.name = "python", .separator = ".", .is_interpreter = is_interpreter, .compile = compile,
	.line = script_python_line,
};
