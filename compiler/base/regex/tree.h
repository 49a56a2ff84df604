/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the files of this folder: a regular expression as a tree. */
#ifndef REGEX_TREE_H
#define REGEX_TREE_H

#include "base/regex/regex.h"

enum regex_kind {
	RE_EMPTY,
	RE_BYTE,    /* byte */
	RE_SET,     /* set */
	RE_ANY,
	RE_BEGIN,
	RE_END,
	RE_CONCAT,  /* a, then b */
	RE_EITHER,  /* a or b */
	RE_REPEAT,  /* a, min to max times; max -1: any number */
	RE_GROUP,   /* a, as group number min */
};

struct regex_node {
	enum regex_kind kind;
	unsigned char byte;
	int min, max;
	struct regex_set set;
	struct regex_node *a, *b;
};

/** regex_parse - the tree of @re, or NULL with @err. @ngroups: the number of groups, including
 *  number 0. */
struct regex_node *regex_parse(struct arena *a, const char *re, size_t len, unsigned *ngroups,
			       struct regex_error *err);

/** regex_table - make the table of @re, unless it would be too large. */
void regex_table(struct arena *a, struct regex *re);

#endif
