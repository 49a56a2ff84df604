/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Source texts and ranges in them. A range is a sequence of bytes of one source; lines and columns
 * are computed only for messages. Columns count bytes from 1, a tab is one column.
 *
 * Text that comes from elsewhere (the body of a macro or an alias) keeps its own range and refers
 * to where it was used, so that a diagnostic can show the whole chain of expansions.
 */
#ifndef BASE_SOURCE_H
#define BASE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

struct source {
	const char *name;    /* as messages show it: a path, "<input>" for -e, "<stdin>" for - */
	const char *text;    /* @len bytes and a NUL */
	size_t len;
	struct source_lines *lines; /* source.c's own */
	/* 1: a tapset: may have embedded C, its functions rank lower; 2: of the library of probec:
	 * its embedded C uses runtime/abi/script.h instead of SystemTap's macros */
	int in_tapset;
	int id;              /* index in sources of struct state */
	/* its position among the files of the library; the first definition wins */
	int library_order;
};

struct expansion {
	const char *what; /* "macro", "argument", "alias", "function" */
	const char *name; /* "@m", "vfs.read", "$1", "f" */
	struct source *src; /* where it was used ... */
	uint32_t start, end;
	const struct expansion *outer; /* the expansion that contains that use, or NULL */
	/* a copy of a piece of the tree (alias, function) rather than inserted text */
	bool is_copy;
};

struct range {
	struct source *src;  /* NULL: none (command line) */
	uint32_t start, end; /* byte offsets, end exclusive */
	const struct expansion *via; /* NULL: written at this position */
};

struct linecol {
	uint32_t line, col; /* from 1 */
};

/** source_from_text - make a source of a copy of @len bytes. Owned by @a. */
struct source *source_from_text(struct arena *a, const char *name, const char *text, size_t len);
/** source_from_file - read a regular file. Returns NULL with errno, which source_why() explains.
 *  Owned by @a. */
struct source *source_from_file(struct arena *a, const char *path);
/** source_from_fd - read to the end of a file, which may be a pipe; as above. */
struct source *source_from_fd(struct arena *a, const char *name, int fd);
/** source_why - a message for @err: strerror(), or that the text is too large, that it is not a
 *  regular file, or a FIFO that no process writes to. */
const char *source_why(int err);
/** source_linecol - the line and column of a byte offset (clamped to the text). */
struct linecol source_linecol(const struct source *src, uint32_t off);
/** source_offset - the reverse; false if there is no such line. Columns are not checked. */
bool source_offset(const struct source *src, struct linecol at, uint32_t *ret);
/** source_line_count - the number of lines; the last one may be empty, so there is always one. */
uint32_t source_line_count(const struct source *src);
/** source_line - the text of line @line (from 1) without its newline; @len gets its bytes. */
const char *source_line(const struct source *src, uint32_t line, size_t *len);
/** range_join - the smallest range that contains both, or @a if their sources differ. */
struct range range_join(struct range a, struct range b);

#endif
