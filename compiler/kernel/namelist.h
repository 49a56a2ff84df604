/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names in the lines of a text, in the order of their bytes: a kernel's symbols, its lists of
 * functions. A name is there once for each function that has it.
 */
#ifndef KERNEL_NAMELIST_H
#define KERNEL_NAMELIST_H

#include <stddef.h>

struct arena;
struct buf;

struct namelist {
	const char *text; /* NULL: not known, and no name is in it */
	size_t size;      /* bytes */
};

/** namelist_add - append a name to a text that namelist_sort() will put in order. */
void namelist_add(struct buf *b, const char *name, size_t len);
/** namelist_of - sort @b and return the list of its names, which is valid until @b changes. */
struct namelist namelist_of(struct buf *b);
/** namelist_sort - put the lines of @b in the order that a list has; the last one ends with a
 *  newline as well. */
void namelist_sort(struct buf *b);
/** namelist_count - how many lines are that name. */
unsigned namelist_count(const struct namelist *l, const char *name);
/** namelist_match - names that match a shell pattern, in order, each once; copies in @a. Returns
 *  their number. */
size_t namelist_match(const struct namelist *l, struct arena *a, const char *pattern,
		      const char *const **ret);
/** namelist_of_length - names of @min to @max bytes in order: candidates for "did you mean". */
size_t namelist_of_length(const struct namelist *l, struct arena *a, size_t min, size_t max,
			  const char *const **ret);

#endif
