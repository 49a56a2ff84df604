/* SPDX-License-Identifier: GPL-2.0 */
/* Code that has another name than the function whose calls run it. */
#ifndef LOCATE_POINTS_OTHER_NAMES_H
#define LOCATE_POINTS_OTHER_NAMES_H

#include <stddef.h>

struct located;
struct state;

/**
 * other_names_find - fill in ret->thunks and, unless ret->from_wildcard, ret->merged
 * @ret:   with the sites of functions of programs, before any is left out
 * @first: number of the first of its sites that were found by the present name
 */
void other_names_find(struct state *s, struct located *ret, size_t first);

#endif
