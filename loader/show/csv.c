/* SPDX-License-Identifier: GPL-2.0 */
/* CSV text. A comma follows each field, and the end of the line replaces the last one. */
#include "show/csv.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool needs_quotes(const char *s, size_t len)
{
	if (len == 0 || s[0] == ' ' || s[len - 1] == ' ')
		return true;
	for (size_t i = 0; i < len; i++)
		if (s[i] == ',' || s[i] == '"' || s[i] == '\n' || s[i] == '\r')
			return true;
	return false;
}

void csv_string(struct text *t, const char *s, size_t len)
{
	if (!needs_quotes(s, len)) {
		text_add(t, s, len);
		text_add_str(t, ",");
		return;
	}
	text_add_str(t, "\"");
	for (size_t i = 0; i < len; i++)
		text_add(t, s[i] == '"' ? "\"\"" : &s[i], s[i] == '"' ? 2 : 1);
	text_add_str(t, "\",");
}

void csv_signed(struct text *t, int64_t v)
{
	char number[24];

	snprintf(number, sizeof(number), "%" PRId64 ",", v);
	text_add_str(t, number);
}

void csv_unsigned(struct text *t, uint64_t v)
{
	char number[24];

	snprintf(number, sizeof(number), "%" PRIu64 ",", v);
	text_add_str(t, number);
}

void csv_nothing(struct text *t)
{
	text_add_str(t, ",");
}

void csv_end(struct text *t)
{
	if (t->len && t->s[t->len - 1] == ',')
		t->len--;
	text_add_str(t, "\n");
}
