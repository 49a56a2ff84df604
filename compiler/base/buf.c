/* SPDX-License-Identifier: GPL-2.0 */
/* Growing text. */
#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void buf_init(struct buf *b)
{
	memset(b, 0, sizeof(*b));
}

void buf_deinit(struct buf *b)
{
	free(b->s);
	memset(b, 0, sizeof(*b));
}

/* Makes room for @n more bytes and the NUL. */
static void reserve(struct buf *b, size_t n)
{
	size_t cap = b->cap ? b->cap : 256;
	char *s;

	while (cap - b->len < n + 1)
		cap *= 2;
	if (cap == b->cap)
		return;
	s = realloc(b->s, cap);
	if (!s)
		memory_lacks(NULL);
	b->s = s;
	b->cap = cap;
}

void buf_write(struct buf *b, const void *data, size_t n)
{
	reserve(b, n);
	/* An empty buffer may have no memory. */
	if (n)
		memcpy(b->s + b->len, data, n);
	b->len += n;
	b->s[b->len] = '\0';
}

void buf_puts(struct buf *b, const char *s)
{
	buf_write(b, s, strlen(s));
}

void buf_putc(struct buf *b, char c)
{
	buf_write(b, &c, 1);
}

void buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0)
		return;
	reserve(b, (size_t)n);
	vsnprintf(b->s + b->len, (size_t)n + 1, fmt, ap);
	b->len += (size_t)n;
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
}

void buf_put_quoted(struct buf *b, const char *s, size_t n)
{
	buf_putc(b, '"');
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c == '\n')
			buf_puts(b, "\\n");
		else if (c == '\t')
			buf_puts(b, "\\t");
		else if (c == '"' || c == '\\')
			buf_printf(b, "\\%c", c);
		else if (c < 32 || c > 126 || (c == '?' && i && s[i - 1] == '?'))
			buf_printf(b, "\\%03o", c); /* also breaks C's trigraphs */
		else
			buf_putc(b, (char)c);
	}
	buf_putc(b, '"');
}
