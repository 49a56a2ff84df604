/* SPDX-License-Identifier: GPL-2.0 */
/* A growing text. Its memory is at least doubled each time. */
#include "shared/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/memory.h"

void buf_init(struct buf *b)
{
	memset(b, 0, sizeof(*b));
}

void buf_deinit(struct buf *b)
{
	free(b->s);
	memset(b, 0, sizeof(*b));
}

void buf_reserve(struct buf *b, size_t more)
{
	enum { LEAST = 64 };
	size_t need = b->len + more + 1;

	if (need <= b->cap)
		return;
	b->cap = b->cap * 2 < need ? need : b->cap * 2;
	b->cap = b->cap < LEAST ? LEAST : b->cap;
	b->s = memory_resized(b->s, b->cap, 1);
}

void buf_write(struct buf *b, const void *data, size_t n)
{
	buf_reserve(b, n);
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
	size_t room = b->cap - b->len;
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(room ? b->s + b->len : NULL, room, fmt, again);
	va_end(again);
	if (n < 0)
		return;
	if ((size_t)n >= room) {
		buf_reserve(b, (size_t)n);
		vsnprintf(b->s + b->len, (size_t)n + 1, fmt, ap);
	}
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

/* ---- lines ---- */

char *buf_line(struct buf *b, size_t *at)
{
	char *line, *end;

	while (*at < b->len && b->s[*at] == '\n')
		++*at;
	if (*at >= b->len)
		return NULL;
	line = b->s + *at;
	end = memchr(line, '\n', b->len - *at);
	*at = end ? (size_t)(end - b->s) + 1 : b->len;
	if (end)
		*end = '\0';
	return line;
}

size_t buf_lines(const struct buf *b)
{
	size_t n = 1;

	for (size_t i = 0; i < b->len; i++)
		n += b->s[i] == '\n';
	return n;
}

struct line { const char *at, *key; };

static int compare(const void *a, const void *b)
{
	const struct line *one = a, *other = b;
	int cmp = strcmp(one->key, other->key);

	return cmp ? cmp : (one->at > other->at) - (one->at < other->at);
}

void buf_sort(struct buf *b, const char *(*key)(const char *line))
{
	struct line *lines = memory_zeroed(buf_lines(b) + 1, sizeof(*lines));
	struct buf sorted = { 0 };
	size_t n = 0, at = 0;
	char *s;

	while ((s = buf_line(b, &at)) != NULL)
		lines[n++] = (struct line){ s, key ? key(s) : s };
	qsort(lines, n, sizeof(*lines), compare);
	buf_reserve(&sorted, b->len + 1);
	for (size_t i = 0; i < n; i++) {
		buf_puts(&sorted, lines[i].at);
		buf_write(&sorted, "\n", 1);
	}
	free(lines);
	buf_deinit(b);
	*b = sorted;
}
