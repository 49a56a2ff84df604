/* SPDX-License-Identifier: GPL-2.0 */
/* Sites that a call of a function passes in addition to the function's beginning. */
#ifndef LOCATE_POINTS_PARTS_H
#define LOCATE_POINTS_PARTS_H

#include <stdbool.h>
#include <stddef.h>

struct located;
struct state;

/** parts_is_part - whether a symbol is that of a part of a function, NAME.part.0 or NAME.cold, and
 *  not of a whole one. */
bool parts_is_part(const char *symbol);

/** parts_are_named - whether a name or pattern of a script means such parts themselves. */
bool parts_are_named(const char *text);

/**
 * parts_leave_out - remove the sites that a call passes in addition to another site of its function
 * @text:  the functions as the script names them
 * @ret:   with the sites; if only a part of a function remains, ret->part names it
 * @first: number of the first of its sites that were found by that name
 */
void parts_leave_out(struct state *s, const char *text, struct located *ret, size_t first);

#endif
