/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compiled regular expressions: programs and tables in the script unit, which runtime/regex.c runs.
 * regex.c is freestanding, so that the compiler's tests can run it as well.
 *
 * A regular expression has up to two representations. The table is a deterministic automaton, which
 * tells whether a string has a match. The program is a nondeterministic automaton, which also finds
 * the positions of the match and of its capture groups. The compiler omits a table that would grow
 * too large, and a program that no handler needs. Both run in time proportional to the length of
 * the string, without backtracking.
 */
#ifndef PRT_MATCH_H
#define PRT_MATCH_H

#include "records.h"
#if !defined(PRT_SCRIPT_UNIT) && !defined(__KERNEL__)
#include <stdbool.h>
#endif

enum prt_regex_limits {
	PRT_REGEX_INSTS = 512,   /* instructions of a program */
	PRT_REGEX_GROUPS = 16,   /* capture groups, including group 0, the whole match */
	PRT_REGEX_STATES = 512,  /* rows of a table */
};

enum prt_regex_op {
	PRT_REGEX_BYTE,   /* takes the byte `arg`, continues with the next instruction */
	PRT_REGEX_SET,    /* takes a byte of set number `arg` */
	PRT_REGEX_ANY,    /* takes any byte */
	PRT_REGEX_SPLIT,  /* continues at x, or, as the second choice, at y */
	PRT_REGEX_JUMP,   /* continues at x */
	PRT_REGEX_SAVE,   /* stores the position as number `arg`: 2n is the start of group n, 2n + 1
			   * its end */
	PRT_REGEX_BEGIN,  /* passes at the start of the string */
	PRT_REGEX_END,    /* passes at the end of the string */
	PRT_REGEX_MATCH,
};

struct prt_regex_inst {
	prt_u8 op, arg;
	prt_u16 x, y;
};

/* Rows of a table with a special meaning. */
enum prt_regex_row {
	PRT_REGEX_DEAD = 0,   /* the rest of the string cannot complete a match */
	PRT_REGEX_FOUND = 1,  /* the string has a match */
	PRT_REGEX_START = 2,
};

struct prt_regex {
	prt_u16 ninsts, ngroups;                 /* groups: including group 0, the whole match */
	prt_u16 nrows, nclasses;                 /* 0: no table */
	const struct prt_regex_inst *insts;      /* or NULL */
	const prt_u8 (*sets)[32];                /* one bit per byte value */
	const prt_u8 *classes;                   /* [256]: the column of each byte value */
	const prt_u16 *next;                     /* [nrows][nclasses] */
	const prt_u8 *at_end;                    /* [nrows]: 1: the end of the string is a match */
};

#define PRT_REGEX_NONE 0xffff
/* The result of the last match. */
struct prt_match {
	prt_u16 ngroups;                         /* 0: no match */
	prt_u16 at[2 * PRT_REGEX_GROUPS];        /* positions that SAVE stored; PRT_REGEX_NONE: the
						  * group took no part in the match */
};

/** PRT_REGEX_SCRATCH - bytes that prt_regex_find() needs, 8-aligned, for a program of @ninsts
 *  instructions and @ngroups groups. */
#define PRT_REGEX_SCRATCH(ninsts, ngroups)                                                     \
	((((ninsts) * (9 + 4 * (ngroups)) + 2 * (ngroups)) * 2 + 7) / 8 * 8)

/** prt_regex_test - whether @s of @len bytes has a match, by the table. Any context. */
bool prt_regex_test(const struct prt_regex *re, const char *s, prt_u32 len);
/** prt_regex_find - whether @s of @len bytes has a match, by the program. @ret is the leftmost
 *  match, of several there the longest. If groups can match in several ways, earlier alternatives
 *  are preferred, then more repetitions. @scratch: PRT_REGEX_SCRATCH() bytes. @len <
 *  PRT_REGEX_NONE. Any context. */
bool prt_regex_find(const struct prt_regex *re, const char *s, prt_u32 len, void *scratch,
		    struct prt_match *ret);

#endif
