/* SPDX-License-Identifier: GPL-2.0 */
/* Finds positions in string literals, for errors in formats and regular expressions. */
#include <stdbool.h>
#include <string.h>

#include "ast/literal.h"

/* The bytes in the script of the escape at @p (after its backslash). */
static size_t escape_length(const char *p, const char *end)
{
	size_t n = 0;

	if (*p == 'x') {
		for (n = 1; p + n < end && n < 3 && strchr("0123456789abcdefABCDEF", p[n]); n++)
			;
		return n;
	}
	while (p + n < end && n < 3 && p[n] >= '0' && p[n] <= '7')
		n++;
	return n ? n : 1;
}

struct range ast_literal_part(struct range whole, size_t from, size_t to, size_t len)
{
	const char *text, *p, *end;
	struct range r = whole;
	size_t n = 0;
	bool inside = false;

	if (!whole.src || whole.end > whole.src->len || whole.start >= whole.end)
		return whole;
	text = whole.src->text;
	end = text + whole.end;
	for (p = text + whole.start; p < end;) {
		if (*p == '"') {
			inside = !inside;
			p++;
			continue;
		}
		if (!inside) {
			p++;
			continue;
		}
		if (n == from)
			r.start = (uint32_t)(p - text);
		p += *p == '\\' && p + 1 < end ? 1 + escape_length(p + 1, end) : 1;
		if (++n == to)
			r.end = (uint32_t)(p - text);
	}
	return n == len && !inside && r.start < r.end ? r : whole;
}
