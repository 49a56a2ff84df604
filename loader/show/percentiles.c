/* SPDX-License-Identifier: GPL-2.0 */
/* Percentiles of histograms, computed as @quantile computes them. */
#include "show/percentiles.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

/* Parses one number up to a comma or the end. Returns its end, or NULL if it is not a number. */
static const char *parse_one(const char *s, struct percentile *ret)
{
	const char *p = s;
	unsigned v = 0, scale = 1000;

	if (!isdigit((unsigned char)*p))
		return NULL;
	while (isdigit((unsigned char)*p) && v <= 100)
		v = v * 10 + (unsigned)(*p++ - '0');
	v *= 1000;
	if (*p == '.') {
		do {
			p++;
			scale /= 10;
			if (isdigit((unsigned char)*p))
				v += (unsigned)(*p - '0') * scale;
		} while (isdigit((unsigned char)*p) && scale);
		if (p[-1] == '.')
			return NULL;
	}
	*ret = (struct percentile){ v, s, (unsigned)(p - s) };
	return v <= PRT_QUANTILE_WHOLE && (*p == ',' || !*p) ? p : NULL;
}

int percentiles_parse(const char *s, struct percentiles *ret)
{
	ret->n = 0;
	for (;;) {
		if (ret->n == PERCENTILES_MAX)
			return -1;
		s = parse_one(s, &ret->v[ret->n++]);
		if (!s)
			return -1;
		if (!*s)
			return 0;
		s++;
	}
}

bool percentiles_get(const struct arg *hist, unsigned millis, struct prt_quantile *ret)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < hist->hist.n; i++)
		total += prt_quantile_count(hist->counts, i);
	if (total)
		*ret = prt_quantile(&hist->hist, hist->counts, total, millis);
	return total != 0;
}

void percentiles_row(const struct percentiles *p, const struct arg *hist, struct buf *t)
{
	struct prt_quantile q;

	for (unsigned i = 0; i < p->n; i++) {
		struct args_bucket b;

		if (!percentiles_get(hist, p->v[i].millis, &q))
			return;
		b = args_bucket(hist, q.row);
		buf_printf(t, "%sp%.*s%s%" PRId64, i ? " " : "", (int)p->v[i].len, p->v[i].text,
			   (b.has_low && b.has_high) || q.low == q.high ? "=" : ">=", q.value);
	}
	if (p->n)
		buf_puts(t, "\n");
}
