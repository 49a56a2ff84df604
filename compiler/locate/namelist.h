/* SPDX-License-Identifier: GPL-2.0 */
/* Names that stand in the lines of a text: a kernel's symbols, its lists of functions. */
#ifndef LOCATE_NAMELIST_H
#define LOCATE_NAMELIST_H

#include <stddef.h>

#include "locate/nameset.h"

/** The name in a line (which has no newline): its length, and where it begins; 0: it has none that
 *  counts. A name ends where its line does. */
typedef size_t namelist_pick(const char *line, size_t len, const char **name);

struct namelist {
	const char *text; /* NULL: not known, and no name is in it */
	size_t size;      /* bytes */
	namelist_pick *pick;
	unsigned asked;   /* for one name, so often */
	struct nameset set; /* of all names, once it is worth it */
};

/** namelist_init - the names in @text, which must outlive the list. */
void namelist_init(struct namelist *l, const char *text, size_t size, namelist_pick *pick);
/** namelist_deinit - accepts a zeroed list. */
void namelist_deinit(struct namelist *l);
/** namelist_count - how many lines have that name. */
unsigned namelist_count(struct namelist *l, const char *name);
/** namelist_starting - the next name that begins with @prefix, in the order of the text; @len gets
 *  its length, *@from where to go on (0 to begin). NULL: there is none. */
const char *namelist_starting(const struct namelist *l, const char *prefix, size_t *from,
			      size_t *len);
/** namelist_set - all of them, for patterns. */
const struct nameset *namelist_set(struct namelist *l);

#endif
