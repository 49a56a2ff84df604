/* SPDX-License-Identifier: GPL-2.0 */
/* Tables of aliases, whose rows become text in the language when a script uses them. */
#ifndef RESOLVE_ROWS_H
#define RESOLVE_ROWS_H

#include "state.h"

struct rows;

/** rows_read - find the rows of a file. Owned by @a; keeps @src. */
struct rows *rows_read(struct arena *a, struct source *src);
/** rows_names - call @note with the first component of each alias that a row has; @name is not
 *  terminated. */
void rows_names(const struct rows *rows, void (*note)(const char *name, size_t len, void *data),
		void *data);
/** rows_load - parse the rows not loaded before of aliases whose first component matches @alias,
 *  and whose names match @pattern (NULL: all of them). If no row has such a name, all, for messages
 *  that suggest a name. Returns NULL if there are none. */
struct script *rows_load(struct state *s, struct rows *rows, const char *alias,
			 const char *pattern);

#endif
