/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compiles regular expressions to the program and the table that runtime/abi/match.h describes.
 * POSIX extended syntax on bytes, without back-references.
 */
#ifndef REGEX_REGEX_H
#define REGEX_REGEX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/vec.h"
#include "match.h"

/* An error in a regular expression and its position, bytes [from, to). */
struct regex_error {
	size_t from, to;
	const char *text;
	const char *hint; /* or NULL */
	bool limit;       /* it is valid but too large */
};

struct regex_set { prt_u8 bits[32]; };

/* The program, from which the tables of struct prt_regex are made. */
struct regex {
	VEC(struct prt_regex_inst) insts;
	VEC(struct regex_set) sets;
	unsigned ngroups;          /* including the whole match */
	/* the table; nrows 0: it is too large */
	unsigned nrows, nclasses;
	prt_u8 classes[256];
	prt_u16 *next;             /* [nrows][nclasses] */
	prt_u8 *at_end;            /* [nrows] */
};

/** regex_compile - the program and the table of @re, owned by @a; NULL with @err filled in. */
struct regex *regex_compile(struct arena *a, const char *re, size_t len, struct regex_error *err);

#endif
