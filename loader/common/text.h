/* SPDX-License-Identifier: GPL-2.0 */
/* Text that grows. */
#ifndef LOADER_TEXT_H
#define LOADER_TEXT_H

#include <stddef.h>

/* A text that is all zero is empty. */
struct text {
	char *s; /* @len bytes and a NUL, or NULL when nothing was ever added */
	size_t len, room;
};

/** text_add / text_add_str - append; ends the program with E_NO_MEMORY when there is none. */
void text_add(struct text *t, const char *s, size_t len);
void text_add_str(struct text *t, const char *s);
/** text_reserve - room for @more bytes and a NUL after what there is. */
void text_reserve(struct text *t, size_t more);
/** text_line - the next line of @t from byte *@at on, which moves behind it: its newline becomes a
 *  NUL. Empty lines are passed over. NULL: there is none. */
char *text_line(struct text *t, size_t *at);
/** text_lines - no fewer lines than text_line() finds; before it cuts them. */
size_t text_lines(const struct text *t);
/** text_sort - put the lines of @t in order: by the bytes from where @key says that they count
 *  (NULL: all), then as they stood. Each ends with a newline after that; empty ones are left
 *  out. */
void text_sort(struct text *t, const char *(*key)(const char *line));
/** text_deinit - free it; it is empty then. */
void text_deinit(struct text *t);

#endif
