/* SPDX-License-Identifier: GPL-2.0 */
/* A growing text in heap memory of its own. */
#ifndef SHARED_BUF_H
#define SHARED_BUF_H

#include <stdarg.h>
#include <stddef.h>

/* A buf that is all zero is empty. */
struct buf {
	char *s;    /* always NUL-terminated after the first write; NULL before it */
	size_t len; /* bytes without the NUL */
	size_t cap; /* bytes allocated */
};

/** buf_init / buf_deinit - caller's memory; the buf is empty after either of them. */
void buf_init(struct buf *b);
void buf_deinit(struct buf *b);

/** buf_puts, buf_putc, buf_write, buf_printf, buf_vprintf - append; out of memory ends the
 *  program. */
void buf_puts(struct buf *b, const char *s);
void buf_putc(struct buf *b, char c);
void buf_write(struct buf *b, const void *data, size_t n);
void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *b, const char *fmt, va_list ap);
/** buf_reserve - make room for @more bytes and a NUL after the text. */
void buf_reserve(struct buf *b, size_t more);

/** buf_put_quoted - append the @n bytes at @s as a C string literal, which is valid in C and in
 *  scripts: \n \t \" \\ as such, every other byte outside 32..126 as three octal digits. */
void buf_put_quoted(struct buf *b, const char *s, size_t n);

/** buf_line - return the next line from byte *@at on and advance *@at past it: its newline becomes
 *  a NUL. Empty lines are skipped. NULL if there is none. */
char *buf_line(struct buf *b, size_t *at);
/** buf_lines - return an upper bound of the number of lines that buf_line() will find; call it
 *  first. */
size_t buf_lines(const struct buf *b);
/** buf_sort - sort the lines by the bytes from the position that @key returns (NULL: the whole
 *  line); equal lines keep their order. Every line ends with a newline afterwards; empty lines are
 *  removed. */
void buf_sort(struct buf *b, const char *(*key)(const char *line));

#endif
