/* SPDX-License-Identifier: GPL-2.0 */
/* CSV text. A comma follows each field, and the end of the line replaces the last one. */
#include "show/csv.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "show/args.h"
#include "show/percentiles.h"

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

/* ---- histograms ---- */

void csv_hist_names(struct text *t, const char *of, size_t len, bool in_format,
		    const struct percentiles *p)
{
	static const char *const parts[] = { " low", " high", " count" };
	struct text name = { 0 };

	for (int j = 0; in_format && j < 3; j++) {
		name.len = 0;
		text_add(&name, of, len);
		text_add_str(&name, parts[j]);
		csv_string(t, name.s, name.len);
	}
	for (unsigned j = 0; p && j < p->n; j++) {
		name.len = 0;
		text_add(&name, of, len);
		text_add_str(&name, " p");
		text_add(&name, p->v[j].text, p->v[j].len);
		csv_string(t, name.s, name.len);
	}
	text_deinit(&name);
}

/* Adds bucket number @row of those that count something, or three empty fields. */
static void put_bucket(struct text *t, const struct arg *a, unsigned row)
{
	struct args_bucket b;
	uint32_t at = 0;

	while (args_next_bucket(a, &at, &b)) {
		if (row--)
			continue;
		if (b.has_low)
			csv_signed(t, b.low);
		else
			csv_nothing(t);
		if (b.has_high)
			csv_signed(t, b.high);
		else
			csv_nothing(t);
		csv_unsigned(t, b.count);
		return;
	}
	for (int i = 0; i < 3; i++)
		csv_nothing(t);
}

void csv_hist_fields(struct text *t, const struct arg *a, unsigned row, bool in_format,
		     const struct percentiles *p)
{
	struct prt_quantile q;

	if (in_format)
		put_bucket(t, a, row);
	for (unsigned i = 0; p && i < p->n; i++)
		if (percentiles_get(a, p->v[i].millis, &q))
			csv_signed(t, q.value);
		else
			csv_nothing(t);
}
