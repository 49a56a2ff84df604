/* SPDX-License-Identifier: GPL-2.0 */
#include "shared/search.h"

#include <string.h>

const char *search_line(const char *text, size_t size, const char *name, size_t len,
			int (*compare)(const char *line, const char *end,
				       const char *name, size_t len))
{
	const char *low = text, *high = text + size, *text_end = high;

	while (low < high) {
		const char *mid = low + (high - low) / 2;
		const char *before = memrchr(low, '\n', (size_t)(mid - low));
		const char *line = before ? before + 1 : low;
		const char *end = memchr(line, '\n', (size_t)(text_end - line));

		end = end ? end : text_end;
		if (compare(line, end, name, len) < 0)
			low = end < high ? end + 1 : high;
		else
			high = line;
	}
	return low;
}
