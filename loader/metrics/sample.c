/* SPDX-License-Identifier: GPL-2.0 */
/* From a record to lines of the text format, which are the same for Prometheus and OpenMetrics. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/utf8.h"
#include "metrics/private.h"

enum { LOG_ZERO = PRT_HIST_LOG_BUCKETS / 2 }; /* the bucket of 0 */

/* ---- text ---- */

/* Whether add_escaped() adds it as it is. */
static bool is_plain(unsigned char c, bool quotes)
{
	return c >= 0x20 && c < 0x7f && c != '\\' && !(quotes && c == '"');
}

/* Adds text with \ and newlines escaped, and " if @quotes. Bytes that are not UTF-8, and control
 * characters, become \xNN. */
static void add_escaped(struct text *t, const char *s, size_t len, bool quotes)
{
	char hex[8];

	for (size_t i = 0, n; i < len; i += n ? n : 1) {
		for (n = 0; i + n < len && is_plain((unsigned char)s[i + n], quotes); n++)
			;
		if (n) {
			text_add(t, s + i, n);
			continue;
		}
		n = utf8_sequence(s + i, len - i);
		if (n > 1) {
			text_add(t, s + i, n);
		} else if (s[i] == '\n') {
			text_add_str(t, "\\n");
		} else if (s[i] == '\\' || (quotes && s[i] == '"')) {
			text_add_str(t, "\\");
			text_add(t, s + i, 1);
		} else {
			snprintf(hex, sizeof(hex), "\\\\x%02x", (unsigned char)s[i]);
			text_add_str(t, hex);
		}
	}
}

void sample_label(struct text *t, const char *name, size_t name_len, const char *value,
		  size_t len)
{
	if (t->len)
		text_add_str(t, ",");
	text_add(t, name, name_len);
	text_add_str(t, "=\"");
	add_escaped(t, value, len, true);
	text_add_str(t, "\"");
}

void sample_describe(struct text *t, enum metrics_format format, const char *name,
		     const char *suffix, const char *type, const char *unit, const char *help)
{
	bool open = format == METRICS_OPENMETRICS;
	const char *end = "";

	/* In the older format, the name of a metric is that of its samples. */
	if (!open && strcmp(type, "counter") == 0)
		end = "_total";
	if (!open && strcmp(type, "info") == 0) {
		end = "_info";
		type = "gauge";
	}
	for (int i = 0; i < 3; i++) {
		static const char *const words[] = { "# HELP ", "# TYPE ", "# UNIT " };

		if (i == 2 && (!*unit || !open))
			continue;
		text_add_str(t, words[i]);
		text_add_str(t, name);
		text_add_str(t, suffix);
		text_add_str(t, end);
		text_add_str(t, " ");
		if (i == 0)
			add_escaped(t, help, strlen(help), open);
		else
			text_add_str(t, i == 1 ? type : unit);
		text_add_str(t, "\n");
	}
}

/* ---- samples ---- */

void sample_line(struct text *t, const char *name, const char *suffix, const struct text *labels,
		 const char *more, const char *value)
{
	bool any = labels->len > 0;

	text_add_str(t, name);
	text_add_str(t, suffix);
	if (any || *more) {
		text_add_str(t, "{");
		text_add(t, labels->s, labels->len);
		text_add_str(t, any && *more ? "," : "");
		text_add_str(t, more);
		text_add_str(t, "}");
	}
	text_add_str(t, " ");
	text_add_str(t, value);
	text_add_str(t, "\n");
}

static void add_number(struct text *t, const struct metric_samples *f, const char *suffix,
		       const struct text *labels, int64_t value)
{
	char number[24];

	snprintf(number, sizeof(number), "%" PRId64, value);
	sample_line(t, f->m->name, suffix, labels, "", number);
}

static void add_bucket(struct metric_samples *f, const struct text *labels, const char *bound,
		       uint64_t sum)
{
	char le[40], number[24];

	snprintf(le, sizeof(le), "le=\"%s\"", bound);
	snprintf(number, sizeof(number), "%" PRIu64, sum);
	sample_line(&f->samples, f->m->name, "_bucket", labels, le, number);
}

/* Logarithmic buckets from 0, or from the least one, to the greatest that the family has had: the
 * series of a bucket does not end while the session runs. */
static uint64_t add_log_buckets(struct metric_samples *f, const struct text *labels,
				const struct arg *h)
{
	uint32_t first = h->hist.first, past = first + h->hist.n;
	uint32_t k = first < LOG_ZERO ? first : LOG_ZERO;
	uint64_t sum = 0;
	char bound[24];

	if (past > f->top)
		f->top = past;
	for (; k < f->top; k++) {
		if (k >= first && k < past)
			sum += args_bucket(h, k - first).count;
		snprintf(bound, sizeof(bound), "%" PRId64,
			 k == LOG_ZERO ? 0 : k > LOG_ZERO ?
			 (int64_t)((1ull << (k - LOG_ZERO)) - 1) :
			 (int64_t)(0 - (1ull << (LOG_ZERO - 1 - k))));
		add_bucket(f, labels, bound, sum);
	}
	return sum;
}

/* Each bucket counts those before it as well. Without @negative values, a bound below 0 is left
 * out: OpenMetrics allows no sum beside it. Returns the number of all values. */
static uint64_t add_buckets(struct metric_samples *f, const struct text *labels,
			    const struct arg *h, bool negative)
{
	uint64_t sum = 0;
	char bound[24];

	if (h->hist.is_log)
		sum = add_log_buckets(f, labels, h);
	for (uint32_t i = 0; !h->hist.is_log && i < h->hist.n; i++) {
		struct args_bucket b = args_bucket(h, i);

		sum += b.count;
		if (!b.has_high || (b.high < 0 && !negative))
			continue;
		snprintf(bound, sizeof(bound), "%" PRId64, b.high);
		add_bucket(f, labels, bound, sum);
	}
	add_bucket(f, labels, "+Inf", sum);
	return sum;
}

/* The sum of values of which some are negative is no counter, so it is left out, and with it the
 * count of a histogram, as OpenMetrics has both or none. */
static int add_aggregate(struct metric_samples *f, const struct text *labels, struct args *a)
{
	bool negative, histogram = false;
	int64_t v[4]; /* count, sum, min, max */
	struct arg h;

	for (int i = 0; i < 4; i++) {
		if (args_next(a, &h) || h.type != 'l')
			return -1;
		v[i] = h.number;
	}
	if (v[0] <= 0)
		return 0;
	negative = v[2] < 0;
	if (*a->types == 'H') {
		histogram = true;
		if (args_next(a, &h))
			return -1;
		v[0] = (int64_t)add_buckets(f, labels, &h, negative);
	}
	if (!negative || !histogram)
		add_number(&f->samples, f, "_count", labels, v[0]);
	if (!negative)
		add_number(&f->samples, f, "_sum", labels, v[1]);
	add_number(&f->least, f, "_min", labels, v[2]);
	add_number(&f->most, f, "_max", labels, v[3]);
	return 0;
}

/* The buckets that add_log_buckets() adds. */
static uint32_t log_buckets(const struct metric_samples *f, const struct arg *h)
{
	uint32_t first = h->hist.first, past = first + h->hist.n;

	if (past < f->top)
		past = f->top;
	return past - (first < LOG_ZERO ? first : LOG_ZERO);
}

/* The time series that a sample makes, at most. */
static uint64_t weight(const struct metric_samples *f, const struct args *a)
{
	struct args left = *a;
	struct arg h;

	if (strlen(left.types) < 4)
		return 1;
	while (*left.types && args_next(&left, &h) == 0)
		if (h.type == 'H')
			return 5 + (h.hist.is_log ? log_buckets(f, &h) : h.hist.n);
	return 4;
}

static int add_labels(struct snapshot *s, const struct metric_samples *f, struct args *a)
{
	char number[24];
	struct arg key;

	s->labels.len = 0;
	for (const char *p = f->m->labels; *p; p += *p == '\n') {
		size_t len = strcspn(p, "\n");

		if (args_next(a, &key) || !key.type)
			return -1;
		if (key.type == 'l') {
			key.s = number;
			key.len = (size_t)snprintf(number, sizeof(number), "%" PRId64, key.number);
		}
		sample_label(&s->labels, p, len, key.s, key.len);
		p += len;
	}
	return 0;
}

int sample_add(struct snapshot *s, struct metric_samples *f, const void *args, size_t len)
{
	struct args a = { f->print->types, args, (const char *)args + len };
	uint64_t n;
	struct arg value;

	if (add_labels(s, f, &a))
		return -1;
	n = weight(f, &a);
	if (s->series + n > METRICS_SERIES_MAX) {
		s->left_out += n;
		return 0;
	}
	s->series += n;
	if (strlen(a.types) >= 4)
		return add_aggregate(f, &s->labels, &a);
	if (args_next(&a, &value))
		return -1;
	if (value.type == 's') {
		sample_label(&s->labels, "value", 5, value.s, value.len);
		sample_line(&f->samples, f->m->name, "_info", &s->labels, "", "1");
	} else {
		add_number(&f->samples, f, strcmp(f->m->type, "counter") == 0 ? "_total" : "",
			   &s->labels, value.number);
	}
	return 0;
}
