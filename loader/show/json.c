/* SPDX-License-Identifier: GPL-2.0 */
/* JSON text. A comma is due unless something was just opened, which the last byte shows. */
#include "show/json.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/utf8.h"
#include "show/args.h"
#include "show/percentiles.h"

bool json_is_utf8(const char *s, size_t len)
{
	for (size_t i = 0, n; i < len; i += n) {
		n = utf8_sequence(s + i, len - i);
		if (!n)
			return false;
	}
	return true;
}

static void put_escaped(struct buf *t, unsigned char c)
{
	static const char letters[] = "\bb\ff\nn\rr\tt\"\"\\\\";

	for (const char *p = letters; *p; p += 2)
		if ((unsigned char)*p == c) {
			buf_write(t, (char[]){ '\\', p[1] }, 2);
			return;
		}
	buf_printf(t, "\\u%04x", c);
}

static void put_string(struct buf *t, const char *s, size_t len)
{
	size_t plain = 0, i = 0;

	buf_puts(t, "\"");
	while (i < len) {
		unsigned char c = (unsigned char)s[i];
		size_t n = utf8_sequence(s + i, len - i);

		if (n && c >= ' ' && c != '"' && c != '\\' && c != 0x7f) {
			i += n;
			continue;
		}
		buf_write(t, s + plain, i - plain);
		if (n)
			put_escaped(t, c);
		else
			buf_puts(t, "\xef\xbf\xbd");
		plain = ++i;
	}
	buf_write(t, s + plain, len - plain);
	buf_puts(t, "\"");
}

static void begin(struct buf *t, const char *key)
{
	char last = t->len ? t->s[t->len - 1] : '{';

	if (last != '{' && last != '[')
		buf_puts(t, ",");
	if (key) {
		put_string(t, key, strlen(key));
		buf_puts(t, ":");
	}
}

void json_open(struct buf *t, const char *key, char bracket)
{
	begin(t, key);
	buf_write(t, &bracket, 1);
}

void json_close(struct buf *t, char bracket)
{
	buf_write(t, &bracket, 1);
}

void json_string(struct buf *t, const char *key, const char *s, size_t len)
{
	begin(t, key);
	put_string(t, s, len);
}

void json_null(struct buf *t, const char *key)
{
	begin(t, key);
	buf_puts(t, "null");
}

void json_text(struct buf *t, const char *key, const char *s)
{
	if (s)
		json_string(t, key, s, strlen(s));
	else
		json_null(t, key);
}

void json_number(struct buf *t, const char *key, const char *number)
{
	begin(t, key);
	buf_puts(t, number);
}

void json_signed(struct buf *t, const char *key, int64_t v)
{
	begin(t, key);
	buf_printf(t, "%" PRId64, v);
}

void json_unsigned(struct buf *t, const char *key, uint64_t v)
{
	begin(t, key);
	buf_printf(t, "%" PRIu64, v);
}

void json_thousandths(struct buf *t, const char *key, uint64_t v)
{
	char number[40];
	int n = snprintf(number, sizeof(number), "%" PRIu64 ".%03" PRIu64, v / 1000, v % 1000);

	while (number[n - 1] == '0')
		n--;
	if (number[n - 1] == '.')
		n--;
	begin(t, key);
	buf_write(t, number, (size_t)n);
}

void json_seconds(struct buf *t, const char *key, uint64_t ns)
{
	begin(t, key);
	buf_printf(t, "%" PRIu64 ".%09" PRIu64, ns / 1000000000, ns % 1000000000);
}

/* ---- histograms ---- */

static void put_bounds(struct buf *t, const struct args_bucket *b)
{
	if (b->has_low)
		json_signed(t, "low", b->low);
	if (b->has_high)
		json_signed(t, "high", b->high);
}

/* Adds each quantile with the bounds of the exact value. */
static void put_percentiles(struct buf *t, const struct percentiles *p, const struct arg *a)
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

void json_hist(struct buf *t, const char *key, const struct arg *a,
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
