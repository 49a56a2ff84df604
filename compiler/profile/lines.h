/* SPDX-License-Identifier: GPL-2.0 */
/* The lines of a file of any size, and messages about places in them. */
#ifndef PROFILE_LINES_H
#define PROFILE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/diag.h"

struct arena;

struct line_reader {
	struct arena *a;
	struct diag *d;
	const char *path; /* "-": standard input */
	FILE *f;
	char *text;       /* the line without its newline, and a NUL */
	size_t len, room;
	uint32_t number;  /* of the line, from 1 */
};

/** lines_open - open @path, "-": standard input. False: it was reported why not. */
bool lines_open(struct arena *a, struct diag *d, const char *path, struct line_reader *ret);
/** lines_next - the next line; it is valid until the next call. 1: there is one; 0: the file ends;
 *  -1: it can't be read, or the line is too long, which was reported. */
int lines_next(struct line_reader *l);
/** lines_range - bytes @from to @to of the line, for a message; counted from 0, @to exclusive. */
struct range lines_range(const struct line_reader *l, size_t from, size_t to);
/** lines_close - close the file; accepts what lines_open() refused. */
void lines_close(struct line_reader *l);

#endif
