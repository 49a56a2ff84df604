/* SPDX-License-Identifier: GPL-2.0 */
/* Histograms as CSV. */
#include "show/csv_hist.h"

#include "show/args.h"
#include "show/csv.h"
#include "show/percentiles.h"

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
