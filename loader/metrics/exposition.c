/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Metrics in the format of protocol buffers that Prometheus reads (io/prometheus/client/
 * metrics.proto of its client_model): a MetricFamily after the other, each after its length. A
 * histogram has the buckets of the text format, and those of a native histogram beside them, of
 * which a server takes what it is set up for.
 */
#include <string.h>

#include "common/utf8.h"
#include "metrics/private.h"
#include "metrics/protobuf.h"

enum { FAMILY_NAME = 1, FAMILY_HELP, FAMILY_TYPE, FAMILY_METRIC };
enum { METRIC_LABEL = 1 };
enum { LABEL_NAME = 1, LABEL_VALUE };
enum { NUMBER_VALUE = 1 };                 /* of counters and gauges */
enum { AGGREGATE_COUNT = 1, AGGREGATE_SUM }; /* of summaries and histograms */
enum { HISTOGRAM_BUCKET = 3, HISTOGRAM_SCHEMA = 5, HISTOGRAM_ZERO_COUNT = 7,
       HISTOGRAM_NEGATIVE = 9, HISTOGRAM_POSITIVE = 12 }; /* spans, and then their counts */
enum { BUCKET_SUM = 1, BUCKET_BOUND };
enum { SPAN_OFFSET = 1, SPAN_LENGTH };

/* Empty buckets between others that are cheaper than another span. */
enum { GAP_MAX = 2 };

/* The types of metrics, and the fields of a Metric for each. */
static const struct type {
	const char *name, *suffix;
	unsigned number, field;
} types[] = {
	{ "counter", "_total", 0, 3 }, { "gauge", "", 1, 2 }, { "info", "_info", 1, 2 },
	{ "summary", "", 2, 4 }, { "histogram", "", 4, 7 }, { "untyped", "", 3, 5 },
};

static const struct type *type_of(const char *name)
{
	size_t i = 0;

	while (i + 1 < sizeof(types) / sizeof(types[0]) && strcmp(types[i].name, name) != 0)
		i++;
	return &types[i];
}

/* Adds text as the text format shows it, but without its escapes. */
static void add_readable(struct buf *t, unsigned field, const char *s, size_t len)
{
	size_t at = protobuf_open(t, field);

	for (size_t i = 0, n; i < len; i += n ? n : 1) {
		n = utf8_sequence(s + i, len - i);
		if (n > 1 || s[i] == '\n' || (s[i] >= ' ' && s[i] < 0x7f))
			buf_write(t, s + i, n ? n : 1);
		else
			buf_printf(t, "\\x%02x", (unsigned char)s[i]);
	}
	protobuf_close(t, at);
}

void exposition_label(struct buf *t, const char *name, size_t name_len, const char *value,
		      size_t len)
{
	size_t at = protobuf_open(t, METRIC_LABEL);

	protobuf_bytes(t, LABEL_NAME, name, name_len);
	add_readable(t, LABEL_VALUE, value, len);
	protobuf_close(t, at);
}

/* ---- metrics ---- */

void exposition_open(struct metrics_page *p, const struct metric_family *f, const char *suffix)
{
	const struct type *type = type_of(f->type);
	struct buf *t = p->text;
	size_t at;

	p->open[p->depth++] = t->len;
	at = protobuf_open(t, FAMILY_NAME);
	buf_puts(t, f->name);
	buf_puts(t, suffix);
	buf_puts(t, type->suffix);
	protobuf_close(t, at);
	add_readable(t, FAMILY_HELP, f->help, strlen(f->help));
	protobuf_number(t, FAMILY_TYPE, type->number);
}

void exposition_close(struct metrics_page *p)
{
	protobuf_close(p->text, p->open[--p->depth]);
}

/* Begins a sample. at[] is for end_metric(). */
static void begin_metric(struct buf *t, const char *type, const struct buf *labels, size_t at[2])
{
	at[0] = protobuf_open(t, FAMILY_METRIC);
	buf_write(t, labels->s ? labels->s : "", labels->len);
	at[1] = protobuf_open(t, type_of(type)->field);
}

static void end_metric(struct buf *t, const size_t at[2])
{
	protobuf_close(t, at[1]);
	protobuf_close(t, at[0]);
}

void exposition_number(struct buf *t, const char *type, const struct buf *labels, double v)
{
	size_t at[2];

	begin_metric(t, type, labels, at);
	protobuf_double(t, NUMBER_VALUE, v);
	end_metric(t, at);
}

/* ---- aggregates ---- */

static void add_buckets(struct buf *t, const struct buckets *b)
{
	for (size_t i = 0; i < b->n; i++) {
		size_t at = protobuf_open(t, HISTOGRAM_BUCKET);

		protobuf_number(t, BUCKET_SUM, b->v[i].sum);
		protobuf_double(t, BUCKET_BOUND, (double)b->v[i].bound);
		protobuf_close(t, at);
	}
}

/* The end of the span that begins at bucket @i, which counts something. */
static unsigned span_end(const struct fine_side *s, unsigned i)
{
	unsigned end = i + 1;

	for (i = end; i < s->past && i <= end + GAP_MAX; i++)
		if (s->counts[i])
			end = i + 1;
	return end;
}

/* The first bucket from @i on that counts something; past: none. */
static unsigned next_counting(const struct fine_side *s, unsigned i)
{
	while (i < s->past && !s->counts[i])
		i++;
	return i;
}

/* The spans of a side, and then the difference of each of their counts from the one before. */
static void add_side(struct buf *t, unsigned field, const struct fine_side *s)
{
	unsigned end = 0;
	uint64_t before = 0;
	size_t at;

	if (s->first == s->past)
		return;
	for (unsigned i = s->first; i < s->past; i = next_counting(s, end)) {
		at = protobuf_open(t, field);
		protobuf_number(t, SPAN_OFFSET, protobuf_zigzag((int64_t)i - end));
		end = span_end(s, i);
		protobuf_number(t, SPAN_LENGTH, end - i);
		protobuf_close(t, at);
	}
	at = protobuf_open(t, field + 1);
	for (unsigned i = s->first; i < s->past; i = next_counting(s, end)) {
		end = span_end(s, i);
		for (; i < end; i++) {
			protobuf_put(t, protobuf_zigzag((int64_t)(s->counts[i] - before)));
			before = s->counts[i];
		}
	}
	protobuf_close(t, at);
}

/* Zero has a bucket of its own, which holds nothing else. */
static void add_fine(struct buf *t, const struct fine *f)
{
	protobuf_number(t, HISTOGRAM_SCHEMA, protobuf_zigzag(FINE_SCALE));
	protobuf_number(t, HISTOGRAM_ZERO_COUNT, f->zero);
	add_side(t, HISTOGRAM_NEGATIVE, &f->negative);
	add_side(t, HISTOGRAM_POSITIVE, &f->positive);
}

/* The sum is there even if values are negative: without it, a reader would take 0. */
static void add_aggregate(struct metric_samples *f, const struct buf *labels,
			  const struct metric_sample *v, const struct buckets *b,
			  const struct fine *fine)
{
	struct buf *t = &f->protobuf.values;
	size_t at[2];

	begin_metric(t, f->m->type, labels, at);
	protobuf_number(t, AGGREGATE_COUNT, b ? b->total : (uint64_t)v->count);
	protobuf_double(t, AGGREGATE_SUM, (double)v->sum);
	if (b)
		add_buckets(t, b);
	if (fine)
		add_fine(t, fine);
	end_metric(t, at);
	exposition_number(&f->protobuf.least, "gauge", labels, (double)v->min);
	exposition_number(&f->protobuf.most, "gauge", labels, (double)v->max);
}

void exposition_add(struct buf *labels, struct metric_samples *f, const struct metric_sample *v,
		    const struct buckets *b, const struct fine *fine)
{
	sample_labels(labels, f, v, exposition_label);
	if (v->is_aggregate) {
		add_aggregate(f, labels, v, b, fine);
	} else if (v->value.type == 's') {
		exposition_label(labels, "value", 5, v->value.s, v->value.len);
		exposition_number(&f->protobuf.values, f->m->type, labels, 1);
	} else {
		exposition_number(&f->protobuf.values, f->m->type, labels,
				  (double)v->value.number);
	}
}
