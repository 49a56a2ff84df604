/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Source texts and places in them. A place is a byte range of one source; lines and columns are
 * computed only when somebody must read them. Columns count bytes from 1, a tab is one column.
 *
 * Text that is not in the file (a macro body, an alias body) keeps its own range and links
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
	/* 1: a tapset: may contain embedded C, functions rank lower; 2: of the library that comes
	 * with probec: its embedded C speaks runtime/abi/script.h instead of SystemTap's macros */
	int in_tapset;
	int id;              /* index in sources of struct state */
	int library_order;   /* place among the library's files: the first counts */
};

struct expansion {
	const char *what; /* "macro", "argument", "alias", "function" */
	const char *name; /* "@m", "vfs.read", "$1", "f" */
	struct source *src; /* where it was used ... */
	uint32_t start, end;
	const struct expansion *outer; /* ... itself inside this expansion, or NULL */
	bool is_copy; /* of a piece of the tree (alias, function), not text that was put in */
};

struct range {
	struct source *src;  /* NULL: no place (command line) */
	uint32_t start, end; /* byte offsets, end exclusive */
	const struct expansion *via; /* NULL: written here */
};

struct linecol {
	uint32_t line, col; /* from 1 */
};

/** source_from_text - wrap @len bytes; text is copied, a NUL added. Owned by @a. */
struct source *source_from_text(struct arena *a, const char *name, const char *text, size_t len);
/** source_from_file - read a whole regular file; NULL with errno set when it can't be read, which
 *  source_why() explains. Owned by @a. */
struct source *source_from_file(struct arena *a, const char *path);
/** source_from_fd - read to the end of file, also of a pipe; as above. */
struct source *source_from_fd(struct arena *a, const char *name, int fd);
/** source_why - the reason for people: strerror() of @err, or that no text is so large, or that the
 *  path is of no regular file. */
const char *source_why(int err);
/** source_linecol - the line and column of a byte offset (clamped to the text). */
struct linecol source_linecol(const struct source *src, uint32_t off);
/** source_offset - the way back; false where there is no such line. Columns are not checked. */
bool source_offset(const struct source *src, struct linecol at, uint32_t *ret);
/** source_line_count - its lines; the last may be empty, so there is always one. */
uint32_t source_line_count(const struct source *src);
/** source_line - the text of line @line (from 1) without its newline; @len gets its bytes. */
const char *source_line(const struct source *src, uint32_t line, size_t *len);
/** range_join - the smallest range of one source that covers both; @a where the sources differ. */
struct range range_join(struct range a, struct range b);

#endif
