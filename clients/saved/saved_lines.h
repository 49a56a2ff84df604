/* SPDX-License-Identifier: GPL-2.0 */
/* Reads the saved output of a session line by line, because it may be larger than a source
 * (base/source.h) can be; messages show the line that they are about. */
#ifndef SAVED_LINES_H
#define SAVED_LINES_H

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
	enum diag_id bad; /* the id of errors of its contents */
};

/**
 * saved_lines_open - open a file; saved_lines_close() closes it, also after a failure
 * @path: "-" is standard input
 * @bad:  the id of errors of the contents, such as a line of more than 16 MiB
 *
 * returns false after an error was reported to @d.
 */
bool saved_lines_open(struct arena *a, struct diag *d, const char *path, enum diag_id bad,
		struct line_reader *ret);
/**
 * saved_lines_next - read the next line into @l->text, which is valid until the next call
 *
 * returns 1, 0 at the end of the file, or -1 after an error was reported.
 */
int saved_lines_next(struct line_reader *l);
/** saved_lines_range - the range of the bytes from @from to before @to of the line, for
 *  messages. */
struct range saved_lines_range(const struct line_reader *l, size_t from, size_t to);
/** saved_lines_close - close the file and free the line. */
void saved_lines_close(struct line_reader *l);

#endif
