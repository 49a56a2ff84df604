/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Joins rows of a global as text whose stacks pass through the same functions at different
 * addresses: the function is what a reader looks for. A frame in which the rows differ is shown
 * with the address of the function and without an offset. Values are added up. Rows that have a
 * histogram stay apart, and so do all with --stack-lines, in which the lines differ.
 */
#ifndef LOADER_JOIN_H
#define LOADER_JOIN_H

#include "shared/buf.h"

struct meta_print;
struct show;

struct join {
	/* the print of the rows with their stacks as strings */
	struct meta_print *p;
	struct buf types;
	const struct meta_print *of; /* the print that @p stands for */
	/* for each row its key in @keys: stacks without addresses; and its record */
	struct buf keys;
	struct join_row { size_t key, key_len, record; } *rows;
	size_t n;
};

/** join_rows - join the rows of the table that @s holds, in it. */
void join_rows(struct join *j, struct show *s);
/** join_deinit - after the table has been shown. */
void join_deinit(struct join *j);

#endif
