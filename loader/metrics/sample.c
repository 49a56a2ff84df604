/* SPDX-License-Identifier: GPL-2.0 */
/* From a record to a sample, and to lines of the text format, which are the same for Prometheus and
 * OpenMetrics. */
#include <stdio.h>
#include <string.h>

#include "common/alloc.h"
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

/* Writes @n, or what it is as a signed number, as printf() does, which takes a tenth of the time of
 * a whole scrape. */
static const char *decimal(char ret[24], uint64_t n, bool is_signed)
{
	bool negative = is_signed && (int64_t)n < 0;
	char *p = ret + 23;

	*p = '\0';
	if (negative)
		n = 0 - n;
	do
		*--p = (char)('0' + n % 10);
	while (n /= 10);
	if (negative)
		*--p = '-';
	return p;
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

	sample_line(t, f->m->name, suffix, labels, "", decimal(number, (uint64_t)value, true));
}

static void add_bucket(struct metric_samples *f, const struct text *labels, const char *bound,
		       uint64_t sum)
{
	char le[40], number[24];

	snprintf(le, sizeof(le), "le=\"%s\"", bound);
	sample_line(&f->samples, f->m->name, "_bucket", labels, le, decimal(number, sum, false));
}

static void add_buckets(struct metric_samples *f, const struct text *labels,
			const struct buckets *b)
{
	char bound[24];

	for (size_t i = 0; i < b->n; i++)
		add_bucket(f, labels, decimal(bound, (uint64_t)b->v[i].bound, true), b->v[i].sum);
	add_bucket(f, labels, "+Inf", b->total);
}

/* The sum of values of which some are negative is no counter, so it is left out, and with it the
 * count of a histogram, as OpenMetrics has both or none. @b: NULL: there is no histogram. */
static void add_aggregate(struct metric_samples *f, const struct text *labels,
			  const struct metric_sample *v, const struct buckets *b)
{
	bool negative = v->min < 0;

	if (b)
		add_buckets(f, labels, b);
	if (!negative || !b)
		add_number(&f->samples, f, "_count", labels, b ? (int64_t)b->total : v->count);
	if (!negative)
		add_number(&f->samples, f, "_sum", labels, v->sum);
	add_number(&f->least, f, "_min", labels, v->min);
	add_number(&f->most, f, "_max", labels, v->max);
}

static void add_labels(struct text *labels, const struct metric_samples *f,
		       const struct metric_sample *v)
{
	const char *name = f->m->labels;
	char number[24];

	labels->len = 0;
	for (unsigned i = 0; i < v->nkeys; i++) {
		const struct arg *key = &v->keys[i];
		size_t len = strcspn(name, "\n");

		if (key->type == 'l') {
			const char *value = decimal(number, (uint64_t)key->number, true);

			sample_label(labels, name, len, value, strlen(value));
		} else {
			sample_label(labels, name, len, key->s, key->len);
		}
		name += len + (name[len] == '\n');
	}
}

static void add_text(struct snapshot *s, struct metric_samples *f, const struct metric_sample *v,
		     const struct buckets *b)
{
	add_labels(&s->labels, f, v);
	if (v->is_aggregate) {
		add_aggregate(f, &s->labels, v, b);
	} else if (v->value.type == 's') {
		sample_label(&s->labels, "value", 5, v->value.s, v->value.len);
		sample_line(&f->samples, f->m->name, "_info", &s->labels, "", "1");
	} else {
		add_number(&f->samples, f, strcmp(f->m->type, "counter") == 0 ? "_total" : "",
			   &s->labels, v->value.number);
	}
}

/* ---- records ---- */

static void push_bucket(struct buckets *b, int64_t bound)
{
	if (!(b->n & (b->n - 1)))
		b->v = alloc_resize(b->v, (b->n ? 2 * b->n : 1) * sizeof(*b->v));
	b->v[b->n].bound = bound;
	b->v[b->n++].sum = b->total;
}

/* The doublings [*first, *past) of a logarithmic or exponential histogram. */
static void doublings(const struct arg *h, uint32_t *first, uint32_t *past)
{
	uint32_t each = h->hist.is_log == PRT_HIST_EXP ? PRT_EXP_SLOTS : 1;

	*first = h->hist.first / each;
	*past = (h->hist.first + h->hist.n + each - 1) / each;
}

/* The values of doubling @k. */
static uint64_t doubling_count(const struct arg *h, uint32_t k)
{
	uint32_t each = h->hist.is_log == PRT_HIST_EXP ? PRT_EXP_SLOTS : 1;
	uint64_t sum = 0;

	for (uint32_t i = k * each; i < (k + 1) * each; i++)
		if (i >= h->hist.first && i - h->hist.first < h->hist.n)
			sum += args_bucket(h, i - h->hist.first).count;
	return sum;
}

/* Logarithmic buckets from 0, or from the least one, to the greatest that the family has had: the
 * series of a bucket does not end while the session runs. */
static void log_buckets(struct buckets *b, struct metric_samples *f, const struct arg *h)
{
	uint32_t first, past;

	doublings(h, &first, &past);
	if (past > f->top)
		f->top = past;
	for (uint32_t k = first < LOG_ZERO ? first : LOG_ZERO; k < f->top; k++) {
		b->total += doubling_count(h, k);
		push_bucket(b, k == LOG_ZERO ? 0 : k > LOG_ZERO ?
			    (int64_t)((1ull << (k - LOG_ZERO)) - 1) :
			    (int64_t)(0 - (1ull << (LOG_ZERO - 1 - k))));
	}
}

/* Without @negative values, a bound below 0 is left out: OpenMetrics allows no sum beside it. */
static void linear_buckets(struct buckets *b, const struct arg *h, bool negative)
{
	for (uint32_t i = 0; i < h->hist.n; i++) {
		struct args_bucket it = args_bucket(h, i);

		b->total += it.count;
		if (it.has_high && (it.high >= 0 || negative))
			push_bucket(b, it.high);
	}
}

/* The buckets that log_buckets() makes. */
static uint32_t log_count(const struct metric_samples *f, const struct arg *h)
{
	uint32_t first, past;

	doublings(h, &first, &past);
	if (past < f->top)
		past = f->top;
	return past - (first < LOG_ZERO ? first : LOG_ZERO);
}

/* The time series that a sample makes, at most. */
static uint64_t weight(const struct metric_samples *f, const struct metric_sample *v)
{
	const struct arg *h = &v->value;

	if (!v->is_aggregate)
		return 1;
	if (h->type != 'H')
		return 4;
	return 5 + (h->hist.is_log ? log_count(f, h) : h->hist.n);
}

static int read_aggregate(struct metric_sample *v, struct args *a)
{
	int64_t *numbers[] = { &v->count, &v->sum, &v->min, &v->max };
	struct arg it;

	v->is_aggregate = true;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (args_next(a, &it) || it.type != 'l')
			return -1;
		*numbers[i] = it.number;
	}
	v->value.type = 0;
	return *a->types == 'H' ? args_next(a, &v->value) : 0;
}

static int read_sample(const struct metric_samples *f, const void *args, size_t len,
		       struct metric_sample *v)
{
	struct args a = { f->print->types, args, (const char *)args + len };

	*v = (struct metric_sample){ 0 };
	for (const char *p = f->m->labels; *p; p += strcspn(p, "\n"), p += *p == '\n')
		if (v->nkeys == SAMPLE_KEYS || args_next(&a, &v->keys[v->nkeys]) ||
		    !v->keys[v->nkeys++].type)
			return -1;
	if (strlen(a.types) >= 4)
		return read_aggregate(v, &a);
	return args_next(&a, &v->value) ? -1 : 0;
}

int sample_add(struct snapshot *s, struct metric_samples *f, const void *args, size_t len)
{
	struct metric_sample v;
	struct buckets *b;
	uint64_t n;

	if (read_sample(f, args, len, &v))
		return -1;
	n = weight(f, &v);
	if (s->series + n > METRICS_SERIES_MAX) {
		s->left_out += n;
		return 0;
	}
	s->series += n;
	if (v.is_aggregate && v.count <= 0)
		return 0;
	b = v.value.type == 'H' ? &s->buckets : NULL;
	if (b) {
		b->n = b->total = 0;
		if (v.value.hist.is_log)
			log_buckets(b, f, &v.value);
		else
			linear_buckets(b, &v.value, v.min < 0);
	}
	if (s->wants_text)
		add_text(s, f, &v, b);
	if (s->wants_otlp)
		otlp_add(f, &s->times, &v, b);
	return 0;
}
