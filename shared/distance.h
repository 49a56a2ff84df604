/* SPDX-License-Identifier: GPL-2.0 */
/* How much two names differ, for the "did you mean" of the compiler and the loader. */
#ifndef SHARED_DISTANCE_H
#define SHARED_DISTANCE_H

#include <stddef.h>
#include <string.h>

enum { DISTANCE_NAME_MAX = 64 };

static inline size_t distance_least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/** distance_of - the edit distance of two names: how many letters must be inserted, removed,
 *  replaced, or swapped with their neighbour to get one from the other. @limit + 1 if the distance
 *  is certainly greater than @limit, or if a name is longer than DISTANCE_NAME_MAX. */
static inline size_t distance_of(const char *a, const char *b, size_t limit)
{
	size_t rows[3][DISTANCE_NAME_MAX + 1], la = strlen(a), lb = strlen(b);

	if (la > DISTANCE_NAME_MAX || lb > DISTANCE_NAME_MAX ||
	    (la > lb ? la - lb : lb - la) > limit)
		return limit + 1;
	for (size_t j = 0; j <= lb; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= la; i++) {
		size_t *row = rows[i % 3], *above = rows[(i - 1) % 3], *two = rows[(i + 1) % 3];

		row[0] = i;
		for (size_t j = 1; j <= lb; j++) {
			row[j] = distance_least(above[j - 1] + (a[i - 1] != b[j - 1]),
						distance_least(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = distance_least(row[j], two[j - 2] + 1);
		}
	}
	return rows[la % 3][lb];
}

#endif
