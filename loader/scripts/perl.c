/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Perl, with threads (MULTIPLICITY, USE_ITHREADS), as Debian builds it.
 *
 * A thread's interpreter is the value of its key PL_thr_key. The interpreter has stacks of contexts
 * (PERL_SI), of which C code pushes a new one for what it calls by itself: methods of tied
 * variables, overloaded operators, DESTROY, signal handlers, the block of sort. A context is a
 * block, a loop, a sub, a format or an eval; the latter three are linked (old_cxsubix), and are the
 * frames that caller() and Carp show. A frame's position is the statement that was being executed
 * when the next one inwards was pushed (blk_oldcop): PL_curcop for the innermost one.
 *
 * That statement is not always the right line: its nextstate is often optimised away, so that the
 * first statement of a block has the line of the `if`. caller() looks for such a one in the tree of
 * operations (Perl_closest_cop()), from the statement down to the operation at hand: the one whose
 * op_next is where the context returns to, or PL_op. What was found is remembered.
 *
 * The run loop, Perl_runops_standard(), executes calls of Perl by Perl without a call of C. C code
 * that calls Perl begins another loop:
 *  - call_sv() and all that uses it, sort, List::Util (MULTICALL), (?{ }): the sub's context has
 *    nowhere to return to. From 5.38 on, call_sv() calls functions of C by a loop, too.
 *  - call_sv() with G_EVAL has pushed an eval before that sub. It is shown with it.
 *  - the block of sort has a stack of its own, and no sub.
 *  - the first eval since C code has called Perl without one goes on in a loop of its own, which
 *    ends with what C code has called, not with the eval. Nothing but the native stack shows it:
 *    docatch() is between the two loops.
 *
 * Versions with the same second number and options (PL_bincompat_options) are compatible, as
 * modules in C need it.
 */
#include <stdio.h>
#include <string.h>

#include "scripts/perl.h"

enum {
	ENTERTRY_CODE = 256,      /* bytes of pp_entertry() that are searched */
	CALL_DISTANCE = 8,        /* bytes between the instruction with the argument and the call */
};

#define OPTIONS_BEFORE " HAS_TIMES MULTIPLICITY PERLIO_LAYERS"
#define OPTIONS_AFTER                                                                             \
	" USE_64_BIT_ALL USE_64_BIT_INT USE_ITHREADS USE_LARGE_FILES USE_LOCALE_COLLATE"          \
	" USE_LOCALE_NUMERIC USE_LOCALE_TIME USE_PERLIO USE_REENTRANT_API"

static const struct perl_layout layouts[] = {
	{ 32, OPTIONS_BEFORE " PERL_IMPLICIT_CONTEXT" OPTIONS_AFTER,
	  240, 224, 208, 2116, 195, 200, 347, .auxiliary_is_last = true },
	{ 36, OPTIONS_BEFORE OPTIONS_AFTER,
	  224, 208, 192, 2100, 195, 200, 347,
	  .loop_calls = false },
	{ 40, OPTIONS_BEFORE " PERL_HASH_FUNC_SIPHASH13 PERL_HASH_USE_SBOX32" OPTIONS_AFTER,
	  224, 208, 192, 1884, 198, 203, 350, .loop_calls = true },
	{ 42, OPTIONS_BEFORE " PERL_HASH_FUNC_SIPHASH13 PERL_HASH_USE_SBOX32" OPTIONS_AFTER,
	  224, 208, 192, 1884, 202, 207, 354, .loop_calls = true },
};

static bool read_version(const struct script_file *f, unsigned char ret[3])
{
	static const char *const names[] = { "PL_revision", "PL_version", "PL_subversion" };
	uint64_t address, size;

	for (unsigned i = 0; i < 3; i++)
		if (!script_file_symbol(f, names[i], &address, &size) || size != 1 ||
		    !script_file_bytes(f, address, &ret[i], 1))
			return false;
	return true;
}

/* Programs that are linked with libperl may have a copy of its variables, but not the loop. */
static bool is_perl(const struct script_file *f, char *version, size_t size)
{
	unsigned char v[3];
	uint64_t address, length;

	if (!script_file_symbol(f, "PL_thr_key", &address, &length) ||
	    !script_file_symbol(f, "Perl_runops_standard", &address, &length) ||
	    !read_version(f, v))
		return false;
	snprintf(version, size, "%u.%u.%u", v[0], v[1], v[2]);
	return true;
}

/* Whether the file was built with these options, on which the structures depend. */
static bool has_options(const struct script_file *f, const char *options)
{
	char text[512];
	uint64_t address, size;

	return script_file_symbol(f, "PL_bincompat_options", &address, &size) &&
	       size == strlen(options) + 1 && size <= sizeof(text) &&
	       script_file_bytes(f, address, text, size) && memcmp(text, options, size) == 0;
}

static const struct perl_layout *layout_of(const struct script_file *f)
{
	unsigned char v[3];

	if (!read_version(f, v) || v[0] != 5)
		return NULL;
	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++)
		if (layouts[i].version == v[1] && has_options(f, layouts[i].options))
			return &layouts[i];
	return NULL;
}

/* The address of pp_entertry(), which the table of all operations has if it has no symbol. */
static bool find_entertry(const struct script_file *f, const struct perl_layout *l, uint64_t *ret)
{
	uint64_t table, size;

	return script_file_symbol(f, "Perl_pp_entertry", ret, &size) ||
	       (script_file_symbol(f, "PL_ppaddr", &table, &size) &&
		script_file_bytes(f, table + 8ull * l->entertry, ret, sizeof(*ret)) && *ret);
}

static uint64_t relative(uint64_t after, const unsigned char *code)
{
	int32_t distance;

	memcpy(&distance, code, sizeof(distance));
	return after + (uint64_t)(int64_t)distance;
}

/* Whether the instruction at @code loads pp_entertry()'s own address into rsi, the second argument:
 * lea pp_entertry(%rip),%rsi, or in a library whose symbols may be replaced mov SLOT(%rip),%rsi. */
static bool loads_itself(const unsigned char *code, uint64_t address, uint64_t entertry)
{
	return memcmp(code, "\x48\x8b\x35", 3) == 0 ||
	       (memcmp(code, "\x48\x8d\x35", 3) == 0 &&
		relative(address + 7, code + 3) == entertry);
}

/* docatch() has no symbol. It is what pp_entertry() calls or jumps to after it has loaded its own
 * address. false: it is not found; frames of which an eval is one may be at another loop. */
static bool find_docatch(const struct script_file *f, const struct perl_layout *l, uint64_t *start,
			 uint64_t *end)
{
	unsigned char code[ENTERTRY_CODE];
	uint64_t entertry, from, size, to;

	if (!find_entertry(f, l, &entertry) ||
	    !script_file_function(f, entertry, &from, &size) || from != entertry)
		return false;
	size -= from;
	if (size > sizeof(code) || !script_file_bytes(f, entertry, code, size))
		return false;
	for (unsigned i = 0; i + 12 <= size; i++) {
		if (!loads_itself(code + i, entertry + i, entertry))
			continue;
		for (unsigned j = i + 7; j < i + 7 + CALL_DISTANCE && j + 5 <= size; j++) {
			to = relative(entertry + j + 5, code + j + 1);
			if ((code[j] == 0xe8 || code[j] == 0xe9) &&
			    script_file_function(f, to, start, end) && *start == to)
				return true;
		}
	}
	return false;
}

static bool compile_perl(const struct script_file *f, struct script_program *p)
{
	const struct perl_layout *l = layout_of(f);
	uint64_t key, names, loop, end, size;

	if (!l || !script_file_symbol(f, "PL_op_desc", &names, &size) ||
	    !script_file_symbol(f, "PL_thr_key", &key, &size) || size != 4 ||
	    !script_file_symbol(f, "Perl_runops_standard", &loop, &size))
		return false;
	script_loop(p, loop, loop + size);
	if (find_docatch(f, l, &loop, &end))
		script_through(p, loop, end);
	perl_walk(p, l, key);
	perl_describe(p, l, key, names);
	return true;
}

static uint32_t perl_line(const struct script_object *o, uint32_t position)
{
	(void)o;
	return position;
}

const struct script_language script_perl = {
	.name = "perl", .separator = "::",
	.is_interpreter = is_perl, .compile = compile_perl, .line = perl_line,
};
