/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Regular expressions as the compiler leaves them: programs and tables of the script unit, run by
 * runtime/regex.c, which is freestanding (the compiler's tests run it as well).
 *
 * A regular expression has up to two forms. The table is a deterministic automaton that only says
 * whether a string has a match; the program is a nondeterministic one that also says where, and
 * where its groups are. A table that would grow too large is left out, and so is a program that no
 * handler needs. Both take time in proportion to the string: nothing is ever tried twice.
 */
#ifndef PRT_MATCH_H
#define PRT_MATCH_H

#include "records.h"
#if !defined(PRT_SCRIPT_UNIT) && !defined(__KERNEL__)
#include <stdbool.h>
#endif

enum prt_regex_limits {
	PRT_REGEX_INSTS = 512,   /* instructions of a program */
	PRT_REGEX_GROUPS = 16,   /* groups, the whole match among them */
	PRT_REGEX_STATES = 512,  /* rows of a table */
};

enum prt_regex_op {
	PRT_REGEX_BYTE,   /* takes the byte `arg`, continues with the next instruction */
	PRT_REGEX_SET,    /* takes a byte of set number `arg` */
	PRT_REGEX_ANY,    /* takes any byte */
	PRT_REGEX_SPLIT,  /* goes to x, or, second choice, to y */
	PRT_REGEX_JUMP,   /* goes to x */
	PRT_REGEX_SAVE,   /* notes the position as number `arg`: 2n is the start of group n, 2n + 1
			   * its end */
	PRT_REGEX_BEGIN,  /* passes at the start of the string */
	PRT_REGEX_END,    /* passes at the end of the string */
	PRT_REGEX_MATCH,
};

struct prt_regex_inst {
	prt_u8 op, arg;
	prt_u16 x, y;
};

/* Rows of a table that mean more than themselves. */
enum prt_regex_row {
	PRT_REGEX_DEAD = 0,   /* no match can come any more */
	PRT_REGEX_FOUND = 1,  /* there is one */
	PRT_REGEX_START = 2,
};

struct prt_regex {
	prt_u16 ninsts, ngroups;                 /* groups: with number 0, the whole match */
	prt_u16 nrows, nclasses;                 /* 0: no table */
	const struct prt_regex_inst *insts;      /* or NULL */
	const prt_u8 (*sets)[32];                /* one bit a byte */
	const prt_u8 *classes;                   /* of 256 bytes: the column of each */
	const prt_u16 *next;                     /* [nrows][nclasses] */
	const prt_u8 *at_end;                    /* [nrows]: 1: the end of the string is a match */
};

#define PRT_REGEX_NONE 0xffff
/* The result of the last match. */
struct prt_match {
	prt_u16 ngroups;                         /* 0: no match */
	prt_u16 at[2 * PRT_REGEX_GROUPS];        /* as SAVE has them; PRT_REGEX_NONE: not taken */
};

/** PRT_REGEX_SCRATCH - bytes that prt_regex_find() needs, 8-aligned, for a program of @ninsts
 *  instructions and @ngroups groups. */
#define PRT_REGEX_SCRATCH(ninsts, ngroups)                                                     \
	((((ninsts) * (9 + 4 * (ngroups)) + 2 * (ngroups)) * 2 + 7) / 8 * 8)

/** prt_regex_test - whether @s of @len bytes has a match, by the table. Any context. */
bool prt_regex_test(const struct prt_regex *re, const char *s, prt_u32 len);
/** prt_regex_find - the same by the program, with the leftmost, then longest match and its groups
 *  in @ret. Groups are those of the first choice that gives this match: earlier alternatives, then
 *  more repetitions. @scratch: PRT_REGEX_SCRATCH() bytes. @len < PRT_REGEX_NONE. Any context. */
bool prt_regex_find(const struct prt_regex *re, const char *s, prt_u32 len, void *scratch,
		    struct prt_match *ret);

#endif
