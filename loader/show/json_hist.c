/* SPDX-License-Identifier: GPL-2.0 */
/* Histograms as JSON. */
#include "show/json_hist.h"

#include "show/args.h"
#include "show/json.h"
#include "show/percentiles.h"

static void put_bounds(struct text *t, const struct args_bucket *b)
{
	if (b->has_low)
		json_signed(t, "low", b->low);
	if (b->has_high)
		json_signed(t, "high", b->high);
}

/* Adds each quantile with the bounds of the exact value. */
static void put_percentiles(struct text *t, const struct percentiles *p, const struct arg *a)
{
	json_open(t, "percentiles", '[');
	for (unsigned i = 0; i < p->n; i++) {
		struct prt_quantile q;

		if (!percentiles_get(a, p->v[i].millis, &q))
			break;
		json_open(t, NULL, '{');
		json_thousandths(t, "percent", p->v[i].millis);
		json_signed(t, "value", q.value);
		json_signed(t, "low", q.low);
		json_signed(t, "high", q.high);
		json_close(t, '}');
	}
	json_close(t, ']');
}

void json_hist(struct text *t, const char *key, const struct arg *a,
	       const struct percentiles *p)
{
	struct arg all = *a;
	struct args_bucket b;
	uint32_t at = 0;

	/* Quantiles can be computed from the buckets, and from those of several sessions. */
	if (p && a->hist.is_log == PRT_HIST_EXP && !a->hist.rows)
		all.hist.rows = 1;
	json_open(t, key, '{');
	json_open(t, "buckets", '[');
	while (args_next_bucket(&all, &at, &b)) {
		json_open(t, NULL, '{');
		put_bounds(t, &b);
		json_unsigned(t, "count", b.count);
		json_close(t, '}');
	}
	json_close(t, ']');
	if (a->hist.n) {
		json_signed(t, "min", a->hist.min);
		json_signed(t, "max", a->hist.max);
	}
	if (p)
		put_percentiles(t, p, a);
	json_close(t, '}');
}
