/* SPDX-License-Identifier: GPL-2.0 */
/* The part of the formatter that most formats need: format.c falls back to the whole of it. */
#ifndef PRT_FORMAT_SIMPLE_H
#define PRT_FORMAT_SIMPLE_H

#include "records.h"

#ifdef __KERNEL__
#include <linux/string.h>
#else
#include <string.h>
#endif

/* memcpy, in line for what most pieces are: up to 16 bytes. */
static inline void copy(char *to, const char *from, size_t n)
{
	prt_u64 first, last;
	prt_u32 half, other;

	if (n - 8 <= 8) {
		__builtin_memcpy(&first, from, 8);
		__builtin_memcpy(&last, from + n - 8, 8);
		__builtin_memcpy(to, &first, 8);
		__builtin_memcpy(to + n - 8, &last, 8);
	} else if (n - 4 < 4) {
		__builtin_memcpy(&half, from, 4);
		__builtin_memcpy(&other, from + n - 4, 4);
		__builtin_memcpy(to, &half, 4);
		__builtin_memcpy(to + n - 4, &other, 4);
	} else if (n < 4) {
		while (n--)
			*to++ = *from++;
	} else {
		memcpy(to, from, n);
	}
}

/* Formats in which each conversion is a %d or %s without flags, width and precision, and whose text
 * fits. NOT_SIMPLE: this one is another, or an argument is missing; the buffer may have been
 * written to. */
enum { NOT_SIMPLE = -2 };

static inline long format_simple(char *buf, size_t size, const char *p, const char *end,
				 const char *types, const unsigned char *arg,
				 const unsigned char *args_end)
{
	char number[24];
	const char *text;
	size_t len = 0;
	prt_u64 v;
	prt_u32 n;

	for (; p < end; p++) {
		if (*p != '%') {
			if (len == size)
				return NOT_SIMPLE;
			buf[len++] = *p;
			continue;
		}
		if (++p == end || args_end - arg < 8)
			return NOT_SIMPLE;
		if (*p == 'd' && *types == 'l') {
			char *first = number + sizeof(number);

			__builtin_memcpy(&v, arg, 8);
			n = (prt_s64)v < 0;
			for (v = n ? 0 - v : v; v > 9; v /= 10)
				*--first = (char)('0' + v % 10);
			*--first = (char)('0' + v);
			if (n)
				*--first = '-';
			text = first;
			n = (prt_u32)(number + sizeof(number) - first);
			arg += 8;
		} else if (*p == 's' && *types == 's') {
			__builtin_memcpy(&n, arg, 4);
			text = (const char *)arg + 4;
			if ((size_t)(args_end - arg) < (((size_t)n + 11) & ~(size_t)7))
				return NOT_SIMPLE;
			arg += ((size_t)n + 11) & ~(size_t)7;
		} else {
			return NOT_SIMPLE;
		}
		types++;
		if (size - len < n)
			return NOT_SIMPLE;
		copy(buf + len, text, n);
		len += n;
	}
	return (long)len;
}

#endif
