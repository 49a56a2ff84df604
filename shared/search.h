/* SPDX-License-Identifier: GPL-2.0 */
/* Binary search. */
#ifndef SHARED_SEARCH_H
#define SHARED_SEARCH_H

#include <stddef.h>

/*
 * search_first - set @i, a variable of type size_t, to the lowest number below @n for which the
 * expression @is_before is false, or to @n if there is none. @is_before is evaluated for different
 * values of @i; it has to be true below some number and false from there on.
 */
#define search_first(i, n, is_before)                                                          \
	do {                                                                                   \
		size_t low_ = 0, high_ = (n);                                                  \
		while (low_ < high_) {                                                         \
			(i) = low_ + (high_ - low_) / 2;                                       \
			if (is_before)                                                         \
				low_ = (i) + 1;                                                \
			else                                                                   \
				high_ = (i);                                                   \
		}                                                                              \
		(i) = low_;                                                                    \
	} while (0)

/**
 * search_line - the first line of @text, @size bytes of lines in order, for which @compare does not
 * return less than 0; the end of the text if there is none. @compare gets a line, its end, which is
 * where its newline is or the text ends, and the @len bytes at @name.
 */
const char *search_line(const char *text, size_t size, const char *name, size_t len,
			int (*compare)(const char *line, const char *end,
				       const char *name, size_t len));

#endif
