/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the known name that is nearest to an unknown one, for hints. */
#ifndef LOADER_NEAREST_H
#define LOADER_NEAREST_H

#include <stddef.h>

/** nearest_distance - how many letters of @a must be changed, removed or added to get @b; SIZE_MAX
 * for names of 64 letters or more. */
size_t nearest_distance(const char *a, const char *b);

#endif
