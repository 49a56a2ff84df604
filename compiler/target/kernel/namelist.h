/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names, one in each line of a text, sorted by their bytes: the symbols of a kernel, its lists of
 * functions. A name occurs once for each function that has it.
 */
#ifndef KERNEL_NAMELIST_H
#define KERNEL_NAMELIST_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct buf;

struct namelist {
	const char *text; /* NULL: the names are not known, and none is found */
	size_t size;      /* bytes */
};

/** namelist_add - append a name to a text that namelist_sort() will put in order. */
void namelist_add(struct buf *b, const char *name, size_t len);
/** namelist_of - sort @b and return the list of its names, which is valid until @b changes. */
struct namelist namelist_of(struct buf *b);
/** namelist_sort - sort the lines of @b as a list requires; also adds a newline at the end. */
void namelist_sort(struct buf *b);
/** namelist_count - the number of lines with exactly that name. */
unsigned namelist_count(const struct namelist *l, const char *name);
/** namelist_match - the names that match a shell pattern, in order, each once, copied to @a.
 *  Returns their number. */
size_t namelist_match(const struct namelist *l, struct arena *a, const char *pattern,
		      const char *const **ret);
/** namelist_promoted - the names NAME.llvm.NUMBER, by which ThinLTO lets other files call static
 *  functions of that name: in order, each once, copied to @a. Returns their number. */
size_t namelist_promoted(const struct namelist *l, struct arena *a, const char *name,
			 const char *const **ret);
/** namelist_has_promoted - whether there may be any such name. */
bool namelist_has_promoted(const struct namelist *l);
/** namelist_unpromoted - NAME of such a name, owned by @a; another one as it is. */
const char *namelist_unpromoted(struct arena *a, const char *name);
/** namelist_clone_suffix - the end of a compiler's clone's name (".isra.0"), or NULL. What ThinLTO
 *  promotes is called from other files, so it keeps to the calling convention and is no clone. */
const char *namelist_clone_suffix(const char *name);
/** namelist_of_length - the names of @min to @max bytes in order, candidates for "did you mean". */
size_t namelist_of_length(const struct namelist *l, struct arena *a, size_t min, size_t max,
			  const char *const **ret);

#endif
