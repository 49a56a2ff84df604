/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The text that the formatter makes. Everything is written through append_text() and append_fill(),
 * which count the length of the whole text and store what fits, so no other function checks the
 * free room.
 */
#ifndef PRT_FORMAT_OUT_H
#define PRT_FORMAT_OUT_H

#include "format_simple.h"

enum {
	FLAG_LEFT = 1,
	FLAG_PLUS = 2,
	FLAG_SPACE = 4,
	FLAG_ZERO = 8,
	FLAG_ALT = 16,
	FLAG_UPPER = 32,
};

struct out {
	char *buf;
	size_t size;
	size_t len; /* of the whole text */
};

struct spec {
	unsigned int flags;
	long width;     /* -1: not given */
	long precision; /* -1: not given */
	char conv;
};

static inline void append_text(struct out *o, const char *s, size_t n)
{
	if (o->len < o->size) {
		size_t room = o->size - o->len;

		copy(o->buf + o->len, s, n < room ? n : room);
	}
	o->len += n;
}

static inline void append_fill(struct out *o, char c, long n)
{
	if (n <= 0)
		return;
	if (o->len < o->size) {
		size_t room = o->size - o->len;

		memset(o->buf + o->len, c, (size_t)n < room ? (size_t)n : room);
	}
	o->len += (size_t)n;
}

/* Writes the digits of @v so that they end at @end; returns their number. */
static inline int digits(char *end, prt_u64 v, unsigned int base, int upper)
{
	const char *set = upper ? "0123456789ABCDEF" : "0123456789abcdef";
	char *p = end;

	for (; v; v /= base)
		*--p = set[v % base];
	return (int)(end - p);
}

#endif
