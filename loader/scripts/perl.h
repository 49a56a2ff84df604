/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Perl's structures, and what the parts of the program for its frames share; perl.c has the theory.
 * Structures: intrpvar.h, cop.h, op.h, cv.h, gv.h and hv.h of Perl's sources.
 */
#ifndef LOADER_SCRIPTS_PERL_H
#define LOADER_SCRIPTS_PERL_H

#include "scripts/language.h"

/* ---- what depends on the version ---- */

struct perl_layout {
	unsigned version;         /* 36 of 5.36.0 */
	const char *options;      /* PL_bincompat_options */
	/* Offsets in struct interpreter. */
	unsigned short stackinfo, cop, defstash, sequence;
	/* Numbers of operations. */
	unsigned short nextstate, scope, entertry;
	bool auxiliary_is_last;   /* the name of a package is behind the array of its hash */
	bool loop_calls;          /* call_sv() calls functions of C by a loop */
};

/* ---- what is the same in all of them ---- */

enum {
	INTERPRETER_OP = 8,
	STACK_CONTEXTS = 8, STACK_PREV = 16, STACK_TOP_SUB = 40, STACK_TYPE = 44, /* PERL_SI */
	CONTEXT_SIZE = 104, CONTEXT_TYPE = 0, CONTEXT_NUMBERS = 2, CONTEXT_COP = 16,
	CONTEXT_RETURN = 48, CONTEXT_NEXT_SUB = 56, CONTEXT_CV = 72,
	OP_NEXT = 0, OP_SIBLING = 8, OP_TARGET = 24, OP_TYPE = 32, OP_FLAGS = 34, OP_FIRST = 40,
	COP_LINE = 36, COP_FILE = 48, COP_HINTS = 56, COP_SEQUENCE = 60,
	SV_BODY = 0, SV_FLAGS = 12, SV_VALUE = 16,
	CV_STASH = 32, CV_GV = 56, CV_SEQUENCE = 88, CV_FLAGS = 92, /* of the body */
	GV_NAME = 32, GV_STASH = 40, GP_EGV = 56,                   /* the same */
	HV_MAX = 24, HV_AUXILIARY = 32, AUX_NAME = 0, AUX_NAMES = 28,
	HEK_LENGTH = 4, HEK_KEY = 8,
};

/* A context's type, and flags of it. */
enum { TYPE_MASK = 0xf, TYPE_SUB = 9, TYPE_EVAL = 11 };
enum { SUB_IS_PATTERN = 0x40, SUB_IS_FAKE = 0x80, EVAL_IS_BLOCK = 0x40, EVAL_IS_TRY = 0x80 };
/* si_type */
enum { STACK_MAIN = 1, STACK_MAGIC = 2, STACK_SORT = 3, STACK_OVERLOAD = 5 };

enum { OP_TYPE_MASK = 0x1ff, OP_HAS_SIBLING = 0x4000, OP_HAS_KIDS = 4 };
enum { HEK_IS_UTF8 = 1 };
enum { CV_IS_NAMED = 0x8000, CV_IS_LEXICAL = 0x10000 };
#define HV_HAS_AUXILIARY 0x02000000
/* In blk_u16: the type of the operation that began an eval is above these bits. */
enum { EVAL_OP_SHIFT = 7 };

enum {
	PLACES_MAX = 500,         /* operations among which a line is looked for */
	KIND_MAIN = 1 << 12,      /* the main program; else the operation of an eval, or 0: a sub */
};

/* ---- the program: registers and labels ---- */

enum {
	/* These are as they were when a frame comes again (PRT_SCRIPT_SAME). */
	CONTEXT,                  /* the next one */
	INNER,                    /* the one of the last frame; 0: there was none */
	STACK,                    /* of contexts */
	INDEX,                    /* of the next context in it; below 0: there are no more */
	TEMP,
	CONTEXTS,                 /* the array */
	CV,
	FLAGS,                    /* and type of the context */
	/* The key of a frame's object. NAME: of a sub, its GV, or the name itself. SEQUENCE: when
	 * it was compiled; what was made at the address of another one has another. */
	KIND, FILE_NAME, NAME, SEQUENCE,
	/* COP and OP are the place of the next frame: the statement, and where it goes on, or with
	 * OP_IS_IT where it is. Their line is remembered for HINTS, COP, OP; HINTS has the number
	 * of the statement. */
	HINTS = SEQUENCE, COP, OP,
	LINE,
	ZERO,
	CLASS = STACK,            /* in a description: the package */
};
enum { KEY_SIZE = 4, LINE_KEY_SIZE = 3 };
/* Stacks are further apart than 64 bytes, so that this leaves room for 80,000 contexts. */
enum { STACK_NUMBER_SHIFT = 17 };
enum { OP_IS_IT = 1 };

enum {
	IN_STACK, NEXT, AT_STACK_END, RELOAD, KNOWN_PLACE, AT_PLACE, AT_KIDS, AT_SIBLING, AT_PARENT,
	TO_LAST, AT_EARLIER, IS_NO_COP, HAS_EARLIER, IS_TOP, NO_EARLIER, HAS_LINE, IS_EVAL,
	IS_OWN_EVAL, EVAL_FRAME, HAS_SEQUENCE, BEGAN_LOOP, IS_HIDDEN, STACK_ENDS,
	IS_SORT, IS_EMPTY, HAS_LOOP, IN_MAIN, IS_PROGRAM, NO_MAIN, NO_THREAD, DAMAGED,
	/* The labels of the description. */
	IS_NO_SUB, IS_MAIN, IS_EGV, HAS_OWN_NAME, IN_PACKAGE, HAS_CLASS, CLASS_IS_FOUND,
	CLASS_IS_UTF8, CLASS_IS_WRITTEN, NAME_IS_UTF8, HAS_NAME,
};

static inline void add(struct script_program *p, unsigned a, unsigned b, int n)
{
	script_op(p, PRT_SCRIPT_ADD, a, b, 0, n);
}

static inline void set(struct script_program *p, unsigned a, int n)
{
	add(p, a, ZERO, n);
}

static inline void jump(struct script_program *p, unsigned label)
{
	script_op(p, PRT_SCRIPT_JUMP, 0, 0, 0, label);
}

static inline void if_zero(struct script_program *p, unsigned a, unsigned label)
{
	script_op(p, PRT_SCRIPT_IF_ZERO, a, 0, 0, label);
}

static inline void if_not(struct script_program *p, unsigned a, unsigned label)
{
	script_op(p, PRT_SCRIPT_IF_NOT, a, 0, 0, label);
}

/* Jumps if a is @n, which TEMP is used for. */
static inline void if_is(struct script_program *p, unsigned a, int n, unsigned label)
{
	add(p, TEMP, a, -n);
	if_zero(p, TEMP, label);
}

static inline void and_mask(struct script_program *p, unsigned a, unsigned b, int mask)
{
	script_op(p, PRT_SCRIPT_AND, a, b, 0, mask);
}

static inline void find_interpreter(struct script_program *p, uint64_t key)
{
	script_address(p, TEMP, key);
	script_load(p, TEMP, TEMP, 0, 4);
	script_op(p, PRT_SCRIPT_KEY, TEMP, TEMP, 0, 0);
}

/** perl_walk - append the program that walks the frames. @key: the address of PL_thr_key. */
void perl_walk(struct script_program *p, const struct perl_layout *l, uint64_t key);
/** perl_describe - append that which describes a frame's object. @names: the address of
 *  PL_op_desc. */
void perl_describe(struct script_program *p, const struct perl_layout *l, uint64_t key,
		   uint64_t names);

#endif
