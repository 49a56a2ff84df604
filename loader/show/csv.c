/* SPDX-License-Identifier: GPL-2.0 */
/* CSV text. A comma follows each field, and the end of the line replaces the last one. */
#include "show/csv.h"

#include <inttypes.h>
#include <stdbool.h>
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

void csv_string(struct buf *t, const char *s, size_t len)
{
	if (!needs_quotes(s, len)) {
		buf_write(t, s, len);
		buf_puts(t, ",");
		return;
	}
	buf_puts(t, "\"");
	for (size_t i = 0; i < len; i++)
		buf_write(t, s[i] == '"' ? "\"\"" : &s[i], s[i] == '"' ? 2 : 1);
	buf_puts(t, "\",");
}

void csv_signed(struct buf *t, int64_t v)
{
	buf_printf(t, "%" PRId64 ",", v);
}

void csv_unsigned(struct buf *t, uint64_t v)
{
	buf_printf(t, "%" PRIu64 ",", v);
}

void csv_nothing(struct buf *t)
{
	buf_puts(t, ",");
}

void csv_end(struct buf *t)
{
	if (t->len && t->s[t->len - 1] == ',')
		t->len--;
	buf_puts(t, "\n");
}

/* ---- histograms ---- */

void csv_hist_names(struct buf *t, const char *of, size_t len, bool in_format,
		    const struct percentiles *p)
{
	static const char *const parts[] = { " low", " high", " count" };
	struct buf name = { 0 };

	for (int j = 0; in_format && j < 3; j++) {
		name.len = 0;
		buf_write(&name, of, len);
		buf_puts(&name, parts[j]);
		csv_string(t, name.s, name.len);
	}
	for (unsigned j = 0; p && j < p->n; j++) {
		name.len = 0;
		buf_write(&name, of, len);
		buf_puts(&name, " p");
		buf_write(&name, p->v[j].text, p->v[j].len);
		csv_string(t, name.s, name.len);
	}
	buf_deinit(&name);
}

/* Adds bucket number @row of those that count something, or three empty fields. */
static void put_bucket(struct buf *t, const struct arg *a, unsigned row)
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

void csv_hist_fields(struct buf *t, const struct arg *a, unsigned row, bool in_format,
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
