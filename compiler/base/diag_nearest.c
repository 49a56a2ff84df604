/* SPDX-License-Identifier: GPL-2.0 */
/* "did you mean": the nearest of several names. */
#include <string.h>

#include "base/diag.h"
#include "shared/word.h"

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
		size_t d = word_distance(name, names[i], limit);

		if (d > best || (found && d == best && !begins_nearer(name, names[i], found)))
			continue;
		best = d;
		found = names[i];
	}
	return found ? found : shortest_beginning(name, names, n);
}
