/* SPDX-License-Identifier: GPL-2.0 */
/* A growing text. */
#ifndef LOADER_TEXT_H
#define LOADER_TEXT_H

#include <stddef.h>

/* A text that is all zero is empty. */
struct text {
	char *s; /* @len bytes and a NUL, or NULL if nothing was ever added */
	size_t len, capacity;
};

/** text_add / text_add_str - append; end the program with E_NO_MEMORY if there is no memory. */
void text_add(struct text *t, const char *s, size_t len);
void text_add_str(struct text *t, const char *s);
/** text_reserve - make room for @more bytes and a NUL after the text. */
void text_reserve(struct text *t, size_t more);
/** text_line - return the next line of @t from byte *@at on and advance *@at past it: its newline
 * becomes a NUL. Empty lines are skipped. NULL if there is none. */
char *text_line(struct text *t, size_t *at);
/** text_lines - return an upper bound of the number of lines that text_line() will find; call it
 * first. */
size_t text_lines(const struct text *t);
/** text_sort - sort the lines of @t by the bytes from the position that @key returns (NULL: the
 * whole line); equal lines keep their order. Every line ends with a newline afterwards; empty lines
 * are removed. */
void text_sort(struct text *t, const char *(*key)(const char *line));
/** text_deinit - free the text, which is empty afterwards. */
void text_deinit(struct text *t);

#endif
