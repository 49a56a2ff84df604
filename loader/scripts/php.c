/* SPDX-License-Identifier: GPL-2.0 */
/*
 * PHP, without threads (NTS), as Debian builds it.
 *
 * Frames (zend_execute_data) are linked from executor_globals.current_execute_data outwards.
 * Functions in C have frames as well, as debug_backtrace() shows them, but no lines. A file that is
 * executed, and the text of eval(), are functions without a name. execute_ex() executes all frames
 * up to one with ZEND_CALL_TOP, which C code has called.
 *
 * Functions are made anew for each request, at any address; one is known by its class, the hashes
 * of its name and file, and its first line. With opcache they are in shared memory, and the same.
 *
 * Of generators that call one another by `yield from`, the innermost and the outermost are found.
 *
 * Structures: zend_compile.h, zend_globals.h, zend_types.h of PHP's sources. The version is that of
 * which the global variables have these sizes.
 */
#include <stdio.h>

#include "scripts/language.h"

struct layout {
	const char *version;
	unsigned short executor_size, compiler_size; /* of executor_globals, compiler_globals */
	unsigned short file, first_line;             /* in a function */
	unsigned short eval, include;                /* numbers of texts in zend_known_strings */
};

static const struct layout layouts[] = {
	{ "8.2", 1800, 568, 152, 160, 11, 12 },
	{ "8.4", 1984, 616, 168, 176, 12, 13 },
};

enum {
	EXECUTOR_CURRENT = 488,
	FRAME_OPERATION = 0, FRAME_FUNCTION = 24, FRAME_OBJECT = 32, FRAME_FLAGS = 40,
	FRAME_PREV = 48, GENERATOR_FRAME = 56,
	FUNCTION_TYPE = 0, FUNCTION_NAME = 8, FUNCTION_CLASS = 16,
	CLASS_NAME = 8, STRING_HASH = 8, STRING_LENGTH = 16, STRING_TEXT = 24,
	OPERATION_LINE = 24,
};

enum { VALUE_TYPE_MASK = 0xff, VALUE_IS_OBJECT = 8 };
enum { TYPE_IS_INTERNAL = 1, TYPE_IS_EVAL = 4, CALL_TOP = 0x20000 };

/* Functions without a name. */
enum { KIND_MAIN = 1, KIND_INCLUDED, KIND_EVAL };

/* ---- the program: registers and labels ---- */

enum {
	TEMP, FRAME, PREV, OPERATION, FLAGS, TYPE, NAME, FILE_NAME, LINE,
	IS_TOP,                   /* the last frame was called by C code */
	/* The key. */
	CLASS, NAME_HASH, FILE_HASH, FIRST, KIND,
	ZERO,
	KEY_SIZE = KIND - CLASS + 1,
};

enum {
	NEXT, HAS_PREV, IN_GROUP, IS_PLACEHOLDER, HAS_NAME, HAS_FILE, SKIP, WITHOUT_NAME,
	IS_INCLUDED, ENDS, NO_THREAD,
	/* The labels of the description. */
	FILE_IS_WRITTEN, CLASS_IS_WRITTEN, IS_NAMELESS, IS_DESCRIBED,
};

static void set(struct script_program *p, unsigned a, int n)
{
	script_op(p, PRT_SCRIPT_ADD, a, ZERO, 0, n);
}

static void jump(struct script_program *p, unsigned label)
{
	script_op(p, PRT_SCRIPT_JUMP, 0, 0, 0, label);
}

static void if_zero(struct script_program *p, unsigned a, unsigned label)
{
	script_op(p, PRT_SCRIPT_IF_ZERO, a, 0, 0, label);
}

/* Jumps if none of the bits are set. */
static void if_without(struct script_program *p, unsigned a, int bits, unsigned label)
{
	script_op(p, PRT_SCRIPT_AND, TEMP, a, 0, bits);
	if_zero(p, TEMP, label);
}

static void emit_frame(struct script_program *p)
{
	script_op(p, PRT_SCRIPT_FRAME, LINE, CLASS, KEY_SIZE, PREV + 1);
}

static void emit_next(struct script_program *p, uint64_t executor)
{
	script_address(p, TEMP, executor + EXECUTOR_CURRENT);
	script_load(p, FRAME, TEMP, 0, 8);
	if_zero(p, FRAME, NO_THREAD);

	script_label(p, NEXT);
	if_zero(p, FRAME, ENDS);
	script_load(p, PREV, FRAME, FRAME_PREV, 8);
	script_label(p, HAS_PREV);
	script_load(p, OPERATION, FRAME, FRAME_OPERATION, 8);
	script_load(p, TEMP, FRAME, FRAME_FUNCTION, 8);
	script_load(p, FLAGS, FRAME, FRAME_FLAGS, 4);
	if_zero(p, TEMP, IS_PLACEHOLDER);
	script_load(p, TYPE, TEMP, FUNCTION_TYPE, 1);
	script_load(p, NAME, TEMP, FUNCTION_NAME, 8);
	script_load(p, CLASS, TEMP, FUNCTION_CLASS, 8);
	script_op(p, PRT_SCRIPT_ADD, FRAME, TEMP, 0, 0); /* the function from here on */
	if_zero(p, IS_TOP, IN_GROUP);
	script_op(p, PRT_SCRIPT_YIELD, 0, 0, 0, 0);
	set(p, IS_TOP, 0);
	script_label(p, IN_GROUP);
}

static void emit_function(struct script_program *p, const struct layout *l)
{
	set(p, LINE, 0);
	set(p, FILE_NAME, 0);
	set(p, FILE_HASH, 0);
	set(p, FIRST, 0);
	set(p, KIND, 0);
	set(p, NAME_HASH, 0);
	if_zero(p, NAME, WITHOUT_NAME);
	script_load(p, NAME_HASH, NAME, STRING_HASH, 8);

	script_label(p, HAS_NAME);
	if_without(p, TYPE, TYPE_IS_INTERNAL, HAS_FILE);
	emit_frame(p);
	jump(p, SKIP);

	script_label(p, HAS_FILE);
	script_load(p, LINE, OPERATION, OPERATION_LINE, 4);
	script_load(p, FILE_NAME, FRAME, l->file, 8);
	script_load(p, FIRST, FRAME, l->first_line, 4);
	script_load(p, FILE_HASH, FILE_NAME, STRING_HASH, 8);
	emit_frame(p);
	if_without(p, FLAGS, CALL_TOP, SKIP);
	set(p, IS_TOP, 1);
	script_label(p, SKIP);
	script_op(p, PRT_SCRIPT_ADD, FRAME, PREV, 0, 0);
	jump(p, NEXT);
}

static void emit_rest(struct script_program *p)
{
	/* A generator that calls another one by `yield from` is not linked itself; one call of the
	 * loop executes both. */
	script_label(p, IS_PLACEHOLDER);
	script_op(p, PRT_SCRIPT_AND, TEMP, FLAGS, 0, VALUE_TYPE_MASK);
	script_op(p, PRT_SCRIPT_ADD, TEMP, TEMP, 0, -VALUE_IS_OBJECT);
	script_op(p, PRT_SCRIPT_IF_NOT, TEMP, 0, 0, SKIP);
	script_load(p, TEMP, FRAME, FRAME_OBJECT, 8);
	script_load(p, FRAME, TEMP, GENERATOR_FRAME, 8);
	set(p, IS_TOP, 0);
	script_op(p, PRT_SCRIPT_IF_NOT, FRAME, 0, 0, HAS_PREV);
	jump(p, SKIP);

	script_label(p, WITHOUT_NAME);
	set(p, KIND, KIND_MAIN);
	script_op(p, PRT_SCRIPT_AND, TEMP, TYPE, 0, TYPE_IS_EVAL);
	if_zero(p, TEMP, IS_INCLUDED);
	set(p, KIND, KIND_EVAL);
	jump(p, HAS_NAME);
	script_label(p, IS_INCLUDED);
	script_op(p, PRT_SCRIPT_AND, TEMP, FLAGS, 0, CALL_TOP);
	script_op(p, PRT_SCRIPT_IF_NOT, TEMP, 0, 0, HAS_NAME);
	set(p, KIND, KIND_INCLUDED);
	jump(p, HAS_NAME);

	script_label(p, ENDS);
	script_op(p, PRT_SCRIPT_END, 0, 0, 0, PRT_SCRIPT_WHOLE);
	script_label(p, NO_THREAD);
	script_op(p, PRT_SCRIPT_END, 0, 0, 0, PRT_SCRIPT_NO_THREAD);
}

/* ---- the description ---- */

static void emit_string(struct script_program *p, unsigned a, enum prt_script_kind kind)
{
	enum { LENGTH = LINE };

	script_load(p, LENGTH, a, STRING_LENGTH, 8);
	script_op(p, PRT_SCRIPT_ADD, TEMP, a, 0, STRING_TEXT);
	script_op(p, PRT_SCRIPT_TEXT, TEMP, LENGTH, kind, PRT_SCRIPT_UTF8);
}

/* NAME = a text that PHP has for names of its own. */
static void load_known(struct script_program *p, uint64_t known, unsigned number)
{
	script_address(p, NAME, known);
	script_load(p, NAME, NAME, 0, 8);
	script_load(p, NAME, NAME, 8ll * number, 8);
}

static void emit_description(struct script_program *p, const struct layout *l, uint64_t known)
{
	script_describe(p);
	if_zero(p, FILE_NAME, FILE_IS_WRITTEN);
	emit_string(p, FILE_NAME, PRT_SCRIPT_FILE);
	script_label(p, FILE_IS_WRITTEN);
	if_zero(p, NAME, IS_NAMELESS);
	if_zero(p, CLASS, CLASS_IS_WRITTEN);
	script_load(p, CLASS, CLASS, CLASS_NAME, 8);
	emit_string(p, CLASS, PRT_SCRIPT_CLASS);
	script_label(p, CLASS_IS_WRITTEN);
	emit_string(p, NAME, PRT_SCRIPT_NAME);
	jump(p, IS_DESCRIBED);

	script_label(p, IS_NAMELESS);
	script_op(p, PRT_SCRIPT_ADD, TEMP, KIND, 0, -KIND_MAIN);
	if_zero(p, TEMP, IS_DESCRIBED);
	load_known(p, known, l->eval);
	script_op(p, PRT_SCRIPT_ADD, TEMP, KIND, 0, -KIND_EVAL);
	set(p, CLASS, 0);
	if_zero(p, TEMP, CLASS_IS_WRITTEN);
	load_known(p, known, l->include);
	jump(p, CLASS_IS_WRITTEN);
	script_label(p, IS_DESCRIBED);
	script_op(p, PRT_SCRIPT_END, 0, 0, 0, PRT_SCRIPT_WHOLE);
}

/* ---- the language ---- */

static const struct layout *layout_of(const struct script_file *f)
{
	uint64_t address, executor, compiler;

	if (!script_file_symbol(f, "executor_globals", &address, &executor) ||
	    !script_file_symbol(f, "compiler_globals", &address, &compiler))
		return NULL;
	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++)
		if (layouts[i].executor_size == executor && layouts[i].compiler_size == compiler)
			return &layouts[i];
	return NULL;
}

static bool is_php(const struct script_file *f, char *version, size_t size)
{
	uint64_t address, length;
	const struct layout *l;

	if (!script_file_symbol(f, "execute_ex", &address, &length) ||
	    !script_file_symbol(f, "zend_known_strings", &address, &length))
		return false;
	l = layout_of(f);
	snprintf(version, size, "%s", l ? l->version :
		 script_file_symbol(f, "executor_globals_offset", &address, &length) ?
		 "with threads" : "other than 8.2 and 8.4");
	return true;
}

static bool compile_php(const struct script_file *f, struct script_program *p)
{
	const struct layout *l = layout_of(f);
	uint64_t executor, known, loop, at, size;

	if (!l || !script_file_symbol(f, "executor_globals", &executor, &size) ||
	    !script_file_symbol(f, "zend_known_strings", &known, &size) ||
	    !script_file_symbol(f, "execute_ex", &loop, &size))
		return false;
	script_loop(p, loop, loop + size);
	if (script_file_outlined(f, loop, size, &at, &size))
		script_loop(p, at, at + size);
	emit_next(p, executor);
	emit_function(p, l);
	emit_rest(p);
	emit_description(p, l, known);
	return true;
}

static uint32_t php_line(const struct script_object *o, uint32_t position)
{
	(void)o;
	return position;
}

const struct script_language script_php = {
	.name = "php", .separator = "::", .nameless = "{main}",
	.is_interpreter = is_php, .compile = compile_php, .line = php_line,
};
