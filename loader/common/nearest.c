/* SPDX-License-Identifier: GPL-2.0 */
/* Levenshtein's distance, a row of the table at a time. */
#include "common/nearest.h"

#include <stdint.h>
#include <string.h>

enum { NAME_MAX_LEN = 64 };

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

size_t nearest_distance(const char *a, const char *b)
{
	size_t row[NAME_MAX_LEN], la = strlen(a), lb = strlen(b);

	if (la >= NAME_MAX_LEN || lb >= NAME_MAX_LEN)
		return SIZE_MAX;
	for (size_t j = 0; j <= lb; j++)
		row[j] = j;
	for (size_t i = 1; i <= la; i++) {
		size_t corner = row[0];

		row[0] = i;
		for (size_t j = 1; j <= lb; j++) {
			size_t changed = corner + (a[i - 1] != b[j - 1]);

			corner = row[j];
			row[j] = least(changed, least(corner, row[j - 1]) + 1);
		}
	}
	return row[lb];
}
