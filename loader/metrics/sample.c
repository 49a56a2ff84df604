/* SPDX-License-Identifier: GPL-2.0 */
/* From a record to a sample, and to lines of the text format, which are the same for Prometheus and
 * OpenMetrics. */
#include <stdio.h>
#include <string.h>

#include "common/utf8.h"
#include "metrics/private.h"

/* ---- text ---- */

/* Whether add_escaped() adds it as it is. */
static bool is_plain(unsigned char c, bool quotes)
{
	return c >= 0x20 && c < 0x7f && c != '\\' && !(quotes && c == '"');
}

/* Adds text with \ and newlines escaped, and " if @quotes. Bytes that are not UTF-8, and control
 * characters, become \xNN. */
static void add_escaped(struct buf *t, const char *s, size_t len, bool quotes)
{
	for (size_t i = 0, n; i < len; i += n ? n : 1) {
		for (n = 0; i + n < len && is_plain((unsigned char)s[i + n], quotes); n++)
			;
		if (n) {
			buf_write(t, s + i, n);
			continue;
		}
		n = utf8_sequence(s + i, len - i);
		if (n > 1) {
			buf_write(t, s + i, n);
		} else if (s[i] == '\n') {
			buf_puts(t, "\\n");
		} else if (s[i] == '\\' || (quotes && s[i] == '"')) {
			buf_puts(t, "\\");
			buf_write(t, s + i, 1);
		} else {
			buf_printf(t, "\\\\x%02x", (unsigned char)s[i]);
		}
	}
}

void sample_label(struct buf *t, const char *name, size_t name_len, const char *value,
		  size_t len)
{
	if (t->len)
		buf_puts(t, ",");
	buf_write(t, name, name_len);
	buf_puts(t, "=\"");
	add_escaped(t, value, len, true);
	buf_puts(t, "\"");
}

void sample_describe(struct buf *t, enum metrics_format format, const char *name,
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
		buf_puts(t, words[i]);
		buf_puts(t, name);
		buf_puts(t, suffix);
		buf_puts(t, end);
		buf_puts(t, " ");
		if (i == 0)
			add_escaped(t, help, strlen(help), open);
		else
			buf_puts(t, i == 1 ? type : unit);
		buf_puts(t, "\n");
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

void sample_line(struct buf *t, const char *name, const char *suffix, const struct buf *labels,
		 const char *more, const char *value)
{
	bool any = labels->len > 0;

	buf_puts(t, name);
	buf_puts(t, suffix);
	if (any || *more) {
		buf_puts(t, "{");
		buf_write(t, labels->s, labels->len);
		buf_puts(t, any && *more ? "," : "");
		buf_puts(t, more);
		buf_puts(t, "}");
	}
	buf_puts(t, " ");
	buf_puts(t, value);
	buf_puts(t, "\n");
}

static void add_number(struct buf *t, const struct metric_samples *f, const char *suffix,
		       const struct buf *labels, int64_t value)
{
	char number[24];

	sample_line(t, f->m->name, suffix, labels, "", decimal(number, (uint64_t)value, true));
}

static void add_bucket(struct metric_samples *f, const struct buf *labels, const char *bound,
		       uint64_t sum)
{
	char le[40], number[24];

	snprintf(le, sizeof(le), "le=\"%s\"", bound);
	sample_line(&f->text.values, f->m->name, "_bucket", labels, le,
		    decimal(number, sum, false));
}

static void add_buckets(struct metric_samples *f, const struct buf *labels,
			const struct buckets *b)
{
	char bound[24];

	for (size_t i = 0; i < b->n; i++)
		add_bucket(f, labels, decimal(bound, (uint64_t)b->v[i].bound, true), b->v[i].sum);
	add_bucket(f, labels, "+Inf", b->total);
}

/* The sum of values of which some are negative is no counter, so it is left out, and with it the
 * count of a histogram, as OpenMetrics has both or none. @b: NULL: there is no histogram. */
static void add_aggregate(struct metric_samples *f, const struct buf *labels,
			  const struct metric_sample *v, const struct buckets *b)
{
	bool negative = v->min < 0;

	if (b)
		add_buckets(f, labels, b);
	if (!negative || !b)
		add_number(&f->text.values, f, "_count", labels, b ? (int64_t)b->total : v->count);
	if (!negative)
		add_number(&f->text.values, f, "_sum", labels, v->sum);
	add_number(&f->text.least, f, "_min", labels, v->min);
	add_number(&f->text.most, f, "_max", labels, v->max);
}

void sample_labels(struct buf *labels, const struct metric_samples *f,
		   const struct metric_sample *v, sample_add_label *add)
{
	const char *name = f->m->labels;
	char number[24];

	labels->len = 0;
	for (unsigned i = 0; i < v->nkeys; i++) {
		const struct arg *key = &v->keys[i];
		size_t len = strcspn(name, "\n");

		if (key->type == 'l') {
			const char *value = decimal(number, (uint64_t)key->number, true);

			add(labels, name, len, value, strlen(value));
		} else {
			add(labels, name, len, key->s, key->len);
		}
		name += len + (name[len] == '\n');
	}
}

static void add_text(struct snapshot *s, struct metric_samples *f, const struct metric_sample *v,
		     const struct buckets *b)
{
	sample_labels(&s->labels, f, v, sample_label);
	if (v->is_aggregate) {
		add_aggregate(f, &s->labels, v, b);
	} else if (v->value.type == 's') {
		sample_label(&s->labels, "value", 5, v->value.s, v->value.len);
		sample_line(&f->text.values, f->m->name, "_info", &s->labels, "", "1");
	} else {
		add_number(&f->text.values, f, strcmp(f->m->type, "counter") == 0 ? "_total" : "",
			   &s->labels, v->value.number);
	}
}

/* ---- records ---- */

/* The time series that a sample makes, at most. */
static uint64_t weight(const struct metric_samples *f, const struct metric_sample *v)
{
	const struct arg *h = &v->value;

	if (!v->is_aggregate)
		return 1;
	if (h->type != 'H')
		return 4;
	return 5 + (h->hist.is_log ? buckets_log_count(h, f->top) : h->hist.n);
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

/* The samples of one aggregate in the binary formats have a histogram as fine as the record. */
static const struct fine *fine_of(struct snapshot *s, const struct metric_sample *v)
{
	unsigned formats = 1u << METRICS_PROTOBUF | (s->explicit_bounds ? 0 : METRICS_OTLP_BITS);

	if (v->value.type != 'H' || v->value.hist.is_log != PRT_HIST_EXP ||
	    !(s->formats & formats))
		return NULL;
	buckets_fine(&s->fine, &v->value);
	return &s->fine;
}

static const struct buckets *buckets_of(struct snapshot *s, struct metric_samples *f,
					const struct metric_sample *v)
{
	struct buckets *b = &s->buckets;

	if (v->value.type != 'H')
		return NULL;
	b->n = b->total = 0;
	if (v->value.hist.is_log)
		buckets_log(b, &v->value, &f->top);
	else
		buckets_linear(b, &v->value, v->min < 0);
	return b;
}

int sample_add(struct snapshot *s, struct metric_samples *f, const void *args, size_t len)
{
	struct metric_sample v;
	const struct buckets *b;
	const struct fine *fine;
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
	b = buckets_of(s, f, &v);
	fine = fine_of(s, &v);
	if (s->formats & METRICS_TEXT_BITS)
		add_text(s, f, &v, b);
	if (s->formats & 1u << METRICS_PROTOBUF)
		exposition_add(&s->labels, f, &v, b, fine);
	if (s->formats & METRICS_OTLP_BITS)
		otlp_add(s, f, &v, b, s->explicit_bounds ? NULL : fine);
	return 0;
}
