/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The source lines of a file's addresses, and the functions that are inlined there, from its debug
 * information or from that of its separate debug file. A process of its own reads them
 * (line_reader.h), which is started at the first question.
 */
#ifndef LOADER_LINES_H
#define LOADER_LINES_H

#include <stddef.h>
#include <stdint.h>

struct lines;

/* A function at an address. Texts are without control characters. */
struct line_frame {
	const char *function;    /* decoded; "": not known */
	const char *file;        /* path; "": not known */
	uint32_t line;           /* 0: not known */
};

/** lines_read - the lines of a file; nothing is read yet.
 *
 * @fd:   of the file; stays the caller's, and may be closed
 * @path: where a process has it, for .gnu_debuglink; NULL: it has its debug information itself
 *
 * Returns the lines, to lines_free(); NULL: no descriptor is left.
 */
struct lines *lines_read(int fd, const char *path);
/** lines_find - find what is at an address of the file: the innermost function first, each inlined
 *  into the one after it. Returns their number and sets *@ret, which is valid until the next call;
 *  0: nothing is known. Reports once in a session if debug information cannot be read. Accepts
 *  NULL. One thread only. */
size_t lines_find(struct lines *l, uint64_t address, const struct line_frame **ret);
/** lines_free - accepts NULL. */
void lines_free(struct lines *l);

/** lines_decode - decode an answer of the reader: at most LINES_FRAMES frames to @ret, whose texts
 *  are to free() by lines_forget(). Returns their number; of a damaged answer, the whole ones'. */
size_t lines_decode(const void *answer, size_t size, struct line_frame *ret);
/** lines_forget - free the texts of frames. */
void lines_forget(struct line_frame *frames, size_t n);

#endif
