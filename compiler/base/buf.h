/* SPDX-License-Identifier: GPL-2.0 */
/* A growing text in heap memory of its own, used by the printers (-p1, -p2, -p3). */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>

struct buf {
	char *s;    /* always NUL-terminated after the first write; NULL before it */
	size_t len; /* bytes without the NUL */
	size_t cap; /* bytes allocated */
};

/** buf_init / buf_deinit - caller's memory; deinit accepts a zeroed buf. */
void buf_init(struct buf *b);
void buf_deinit(struct buf *b);

/** buf_puts, buf_putc, buf_write, buf_printf, buf_vprintf - append; out of memory ends the
 *  program. */
void buf_puts(struct buf *b, const char *s);
void buf_putc(struct buf *b, char c);
void buf_write(struct buf *b, const void *data, size_t n);
void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *b, const char *fmt, va_list ap);

/** buf_put_quoted - append the @n bytes at @s as a C string literal, which is valid in C and in
 *  scripts: \n \t \" \\ as such, every other byte outside 32..126 as three octal digits. */
void buf_put_quoted(struct buf *b, const char *s, size_t n);

#endif
