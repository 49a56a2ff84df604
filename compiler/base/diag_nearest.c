/* SPDX-License-Identifier: GPL-2.0 */
/* "did you mean": the nearest of several names. */
#include <string.h>

#include "base/diag.h"

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The edit distance (insert, delete, replace, swap neighbours), computed only up to @limit. */
static size_t distance(const char *a, const char *b, size_t limit)
{
	size_t rows[3][65], la = strlen(a), lb = strlen(b);

	if (la > 64 || lb > 64 || (la > lb ? la - lb : lb - la) > limit)
		return limit + 1;
	for (size_t j = 0; j <= lb; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= la; i++) {
		size_t *row = rows[i % 3], *above = rows[(i - 1) % 3], *two = rows[(i + 1) % 3];

		row[0] = i;
		for (size_t j = 1; j <= lb; j++) {
			row[j] = least(above[j - 1] + (a[i - 1] != b[j - 1]),
				       least(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], two[j - 2] + 1);
		}
	}
	return rows[la % 3][lb];
}

/* Decides between two equally near names: @a wins if it has the longer common prefix with @name, or
 * the same length and differs only by swapped letters. */
static bool begins_nearer(const char *name, const char *a, const char *b)
{
	size_t na = 0, nb = 0, len = strlen(name);

	while (name[na] && name[na] == a[na])
		na++;
	while (name[nb] && name[nb] == b[nb])
		nb++;
	return na > nb || (na == nb && strlen(a) == len && strlen(b) != len);
}

/* The shortest name that begins with @with, for users who typed only the beginning. */
static const char *shortest_beginning(const char *with, const char *const *names, size_t n)
{
	size_t len = strlen(with);
	const char *found = NULL;

	for (size_t i = 0; len >= 4 && i < n; i++)
		if (strncmp(names[i], with, len) == 0 &&
		    (!found || strlen(names[i]) < strlen(found)))
			found = names[i];
	return found;
}

const char *diag_nearest(const char *name, const char *const *names, size_t n)
{
	/* A single letter is near to every other. */
	size_t len = strlen(name), best = len / 3 + (len == 2), limit = best;
	const char *found = NULL;

	for (size_t i = 0; i < n; i++) {
		size_t d = distance(name, names[i], limit);

		if (d > best || (found && d == best && !begins_nearer(name, names[i], found)))
			continue;
		best = d;
		found = names[i];
	}
	return found ? found : shortest_beginning(name, names, n);
}
