/* SPDX-License-Identifier: GPL-2.0 */
/* Merged globals, in the form in which the end of a session shows globals that nothing reads
 * (resolve/autoprint.c, runtime/format.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/json.h"
#include "quantile.h"
#include "remote/merge.h"
#include "remote/private.h"

enum { ZERO = 64, ROWS = PRT_HIST_LOG_BUCKETS, LABEL_MIN = 5 };

static void put_number(struct buf *b, __int128 v)
{
	unsigned __int128 size = v < 0 ? -(unsigned __int128)v : (unsigned __int128)v;
	char digits[40], *p = digits + sizeof(digits);

	do
		*--p = (char)('0' + (int)(size % 10));
	while ((size /= 10));
	if (v < 0)
		buf_putc(b, '-');
	buf_write(b, p, (size_t)(digits + sizeof(digits) - p));
}

/* ---- histograms ---- */

static int label(int i, char *buf, size_t size)
{
	if (i == ZERO)
		return snprintf(buf, size, "0");
	if (i > ZERO)
		return snprintf(buf, size, "%llu", 1ULL << (i - ZERO - 1));
	return snprintf(buf, size, "-%llu", 1ULL << (ZERO - 1 - i));
}

struct shown_rows {
	int first, last;         /* that are shown */
	uint64_t max;
	int label_width, count_width;
};

/* Each row is a doubling. */
static uint64_t row_count(const struct merge_sum *s, int i)
{
	uint64_t sum = 0;

	vec_each(b, &s->buckets)
		if (b->number / PRT_EXP_SLOTS == (unsigned)i)
			sum += b->count;
	return sum;
}

static bool find_rows(const struct merge_sum *s, struct shown_rows *r)
{
	char text[32];

	*r = (struct shown_rows){ .first = -1, .label_width = LABEL_MIN };
	for (int i = 0; i < ROWS; i++) {
		uint64_t n = row_count(s, i);

		if (!n)
			continue;
		r->first = r->first < 0 ? i : r->first;
		r->last = i;
		r->max = n > r->max ? n : r->max;
	}
	if (r->first < 0)
		return false;
	r->first = r->first >= ZERO && r->first - 2 < ZERO ? ZERO :
		   r->first < 2 ? 0 : r->first - 2;
	r->last = r->last + 2 >= ROWS ? ROWS - 1 : r->last + 2;
	for (int i = r->first; i <= r->last; i++) {
		int n = label(i, text, sizeof(text));

		r->label_width = n > r->label_width ? n : r->label_width;
	}
	r->count_width = snprintf(text, sizeof(text), "%llu", (unsigned long long)r->max);
	return true;
}

/* Whether all rows within the margin are empty; a margin below 0 leaves out none. */
static bool is_dull(const struct merge_sum *s, const struct shown_rows *r, int i, int64_t margin)
{
	for (int64_t j = i - margin; margin >= 0 && j <= i + margin; j++)
		if (j >= r->first && j <= r->last && row_count(s, (int)j))
			return false;
	return margin >= 0;
}

static void put_row(struct buf *b, const struct merge_sum *s, const struct shown_rows *r, int i,
		    int64_t columns)
{
	uint64_t each = 1, n = row_count(s, i);
	char text[32];

	if (r->max > (uint64_t)columns)
		each = r->max / (uint64_t)columns + (r->max % (uint64_t)columns != 0);
	label(i, text, sizeof(text));
	buf_printf(b, "%*s |", r->label_width, text);
	for (uint64_t at = 0; at <= (uint64_t)columns; at++)
		buf_putc(b, at < n / each ? '@' : ' ');
	buf_printf(b, "%*llu\n", r->count_width, (unsigned long long)n);
}

/* The quantile of a percentage at @text, which ends at a comma. */
static struct prt_quantile quantile(const struct merge_sum *s, const char *text, unsigned *millis)
{
	struct prt_hist_data h = { .is_log = PRT_HIST_EXP, .n = PRT_EXP_BUCKETS,
				   .min = (int64_t)s->min, .max = (int64_t)s->max };
	uint64_t sum = 0, counts[PRT_EXP_BUCKETS] = { 0 };

	vec_each(b, &s->buckets) {
		counts[b->number] = b->count;
		sum += b->count;
	}
	*millis = (unsigned)(strtod(text, NULL) * 1000 + 0.5);
	return prt_quantile(&h, counts, sum, *millis);
}

static const char *next_percentile(const char *text)
{
	text += strcspn(text, ",");
	return *text ? text + 1 : text;
}

/* As loader/show/percentiles.c shows them. */
static void put_percentiles(struct buf *b, const struct merge *m, const struct merge_sum *s)
{
	const char *all = m->percentiles ? m->percentiles : "";
	unsigned millis;

	for (const char *p = all; *p; p = next_percentile(p))
		buf_printf(b, "%sp%.*s=%lld", p == all ? "" : " ", (int)strcspn(p, ","), p,
			   (long long)quantile(s, p, &millis).value);
	if (*all)
		buf_putc(b, '\n');
}

static void put_histogram(struct buf *b, const struct merge *m, const struct merge_sum *s)
{
	struct shown_rows r;
	bool some = find_rows(s, &r), dull = false;

	buf_printf(b, "%*s |", r.label_width, "value");
	for (int64_t i = 0; i < m->columns; i++)
		buf_putc(b, '-');
	buf_puts(b, " count\n");
	for (int i = r.first; some && i <= r.last; i++) {
		if (is_dull(s, &r, i, m->margin)) {
			dull = true;
			continue;
		}
		if (dull)
			buf_printf(b, "%*s ~\n", r.label_width, "");
		dull = false;
		put_row(b, s, &r, i, m->columns);
	}
	if (some)
		put_percentiles(b, m, s);
	buf_putc(b, '\n');
}

/* ---- text ---- */

/* A frame without the address, which is that of one host. */
static void put_frame(const struct screen *to, struct buf *b, struct json_object *frame)
{
	const char *symbol = json_member_text(frame, "symbol");
	const char *module = json_member_text(frame, "module");
	struct json_object *offset = json_member(frame, "offset", json_type_int);
	const char *address = json_member_text(frame, "address");
	const char *missing = json_member_text(frame, "missing");

	const char *shown = symbol ? symbol : address ? address : missing ? missing : "?";

	buf_puts(b, "\n ");
	output_escape(to, b, shown, strlen(shown));
	if (symbol && offset)
		buf_printf(b, "+0x%llx", (unsigned long long)json_object_get_int64(offset));
	if (!module)
		return;
	buf_puts(b, " [");
	output_escape(to, b, module, strlen(module));
	buf_putc(b, ']');
}

static void put_keys(const struct screen *to, struct buf *b, const char *json)
{
	struct json_object *keys = json_tokener_parse(json);

	for (size_t i = 0; i < json_object_array_length(keys); i++) {
		struct json_object *key = json_object_array_get_idx(keys, i);

		buf_putc(b, i ? ',' : '[');
		if (json_object_is_type(key, json_type_array)) {
			for (size_t j = 0; j < json_object_array_length(key); j++)
				put_frame(to, b, json_object_array_get_idx(key, j));
		} else if (json_object_is_type(key, json_type_string)) {
			buf_putc(b, '"');
			output_escape(to, b, json_object_get_string(key),
				     (size_t)json_object_get_string_len(key));
			buf_putc(b, '"');
		} else {
			buf_puts(b, json_object_get_string(key));
		}
	}
	if (json_object_array_length(keys))
		buf_putc(b, ']');
	json_object_put(keys);
}

static void put_stats(struct buf *b, const struct merge_sum *s)
{
	const struct { const char *name; __int128 v; } parts[] = {
		{ "count", s->count }, { "min", s->min },
		{ "avg", s->count ? s->sum / s->count : 0 }, { "max", s->max }, { "sum", s->sum },
	};

	for (size_t i = 0; i < (s->count ? sizeof(parts) / sizeof(*parts) : 1); i++) {
		buf_printf(b, " @%s=", parts[i].name);
		put_number(b, parts[i].v);
	}
	buf_putc(b, '\n');
}

void merge_text(struct screen *to, const struct merge_global *g)
{
	struct buf *b = &to->out.text;

	vec_each(it, &g->sums) {
		const struct merge_sum *s = *it;

		if (sink_is_full(&to->out))
			sink_drain(&to->out);
		if (s->kind == MERGE_TEXT)
			buf_printf(b, "%s:%*s", s->host, to->width + 1 - (int)strlen(s->host), "");
		buf_puts(b, g->name);
		put_keys(to, b, s->keys);
		if (s->kind == MERGE_STATS) {
			put_stats(b, s);
			if (s->has_histogram)
				put_histogram(b, to->merge, s);
			continue;
		}
		buf_putc(b, '=');
		if (s->kind == MERGE_TEXT)
			buf_puts(b, s->text);
		else
			put_number(b, s->value);
		buf_putc(b, '\n');
	}
}

/* ---- JSON ---- */

static void put_member(struct buf *b, const char *name, __int128 v)
{
	buf_printf(b, "%s\"%s\":", b->s[b->len - 1] == '{' ? "" : ",", name);
	put_number(b, v);
}

static void put_json_percentiles(struct buf *b, const struct merge *m, const struct merge_sum *s)
{
	buf_puts(b, ",\"percentiles\":[");
	for (const char *p = m->percentiles; *p; p = next_percentile(p)) {
		unsigned millis;
		struct prt_quantile q = quantile(s, p, &millis);

		buf_printf(b, "%s{\"percent\":%g", p == m->percentiles ? "" : ",", millis / 1000.0);
		put_member(b, "value", q.value);
		put_member(b, "low", q.low);
		put_member(b, "high", q.high);
		buf_putc(b, '}');
	}
	buf_putc(b, ']');
}

static void put_buckets(struct buf *b, const struct merge *m, const struct merge_sum *s)
{
	const char *comma = "";

	buf_puts(b, ",\"histogram\":{\"buckets\":[");
	vec_each(it, &s->buckets) {
		struct prt_bounds v = prt_exp_bounds(it->number / PRT_EXP_SLOTS,
						     it->number % PRT_EXP_SLOTS);

		buf_printf(b, "%s{", comma);
		put_member(b, "low", v.low);
		put_member(b, "high", v.high);
		put_member(b, "count", it->count);
		buf_putc(b, '}');
		comma = ",";
	}
	buf_puts(b, "]");
	if (s->count) {
		put_member(b, "min", s->min);
		put_member(b, "max", s->max);
	}
	if (s->count && m->percentiles)
		put_json_percentiles(b, m, s);
	buf_putc(b, '}');
}

static void put_parts(struct buf *b, const struct merge *m, const struct merge_sum *s)
{
	buf_putc(b, '{');
	put_member(b, "count", s->count);
	if (s->count) {
		put_member(b, "min", s->min);
		put_member(b, "avg", s->sum / s->count);
		put_member(b, "max", s->max);
		put_member(b, "sum", s->sum);
	}
	if (s->has_histogram)
		put_buckets(b, m, s);
	buf_putc(b, '}');
}

void merge_json(struct screen *to, const struct merge_global *g)
{
	struct buf *b = &to->out.text;
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	vec_each(it, &g->sums) {
		const struct merge_sum *s = *it;

		if (sink_is_full(&to->out))
			sink_drain(&to->out);
		buf_putc(b, '{');
		if (s->kind == MERGE_TEXT)
			buf_printf(b, "\"host\":\"%s\",", s->host);
		buf_printf(b, "\"type\":\"global\",\"time\":%lld.%09ld,\"hosts\":%zu,"
			   "\"name\":\"%s\",\"keys\":%s,", (long long)now.tv_sec, now.tv_nsec,
			   s->kind == MERGE_TEXT ? 1 : to->merge->hosts, g->name, s->keys);
		if (s->hex)
			buf_printf(b, "\"hex\":%s,", s->hex);
		buf_puts(b, "\"value\":");
		if (s->kind == MERGE_STATS)
			put_parts(b, to->merge, s);
		else if (s->kind == MERGE_TEXT)
			buf_puts(b, s->json);
		else
			put_number(b, s->value);
		buf_puts(b, "}\n");
	}
}
