/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Metrics for a collector (opentelemetry-proto, metrics/v1/metrics.proto, which has the names and
 * numbers of the fields): an ExportMetricsServiceRequest with one resource, which is the session,
 * and one scope. Sums and histograms are cumulative from the start of the session, so a request
 * that is lost takes nothing with it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/say.h"
#include "metrics/field.h"
#include "metrics/private.h"
#include "metrics/protobuf.h"
#include "shared/file.h"
#include "show/json.h"

enum { CUMULATIVE = 2 };
/* The number of the field of attributes. */
enum { OF_RESOURCE = 1, OF_EXPONENTIAL = 1, OF_NUMBER = 7, OF_HISTOGRAM = 9 };

/* ---- attributes ---- */

void otlp_attribute(struct metrics_page *p, unsigned number, const char *name, size_t name_len,
		    const char *value, size_t len)
{
	field_open(p, NULL, number);
	field_text(p, "key", 1, name, name_len);
	field_open(p, "value", 2);
	field_text(p, "stringValue", 1, value, len);
	field_close(p);
	field_close(p);
}

void otlp_number_attribute(struct metrics_page *p, unsigned number, const char *name, size_t len,
			   int64_t value)
{
	field_open(p, NULL, number);
	field_text(p, "key", 1, name, len);
	field_open(p, "value", 2);
	field_int(p, "intValue", 3, value);
	field_close(p);
	field_close(p);
}

static void text_attribute(struct metrics_page *p, const char *name, const char *value)
{
	otlp_attribute(p, OF_RESOURCE, name, strlen(name), value, strlen(value));
}

/* A page for a list of attributes in the format of @p. */
static struct metrics_page list_page(const struct metrics_page *p, struct buf *list)
{
	return (struct metrics_page){ .text = list, .format = p->format };
}

void otlp_label(const struct metrics_page *p, struct buf *attributes, const char *name,
		const char *value)
{
	struct metrics_page list = list_page(p, attributes);

	otlp_attribute(&list, OF_NUMBER, name, strlen(name), value, strlen(value));
}

/* ---- points ---- */

/* Leaves the point open. The fields of times have the same numbers in all kinds of points. */
static void open_point(struct metrics_page *p, const struct buf *attributes)
{
	field_open(p, NULL, 1);
	field_list(p, "attributes");
	buf_write(p->text, attributes->s ? attributes->s : "", attributes->len);
	field_list_end(p);
	field_fixed(p, "startTimeUnixNano", 2, p->times.start, false);
	field_fixed(p, "timeUnixNano", 3, p->times.now, false);
}

void otlp_number(struct metrics_page *p, const struct buf *attributes, const char *number)
{
	open_point(p, attributes);
	if (!strchr(number, '.')) {
		field_fixed(p, "asInt", 6, *number == '-' ? (uint64_t)strtoll(number, NULL, 10) :
				strtoull(number, NULL, 10), true);
	} else if (p->format == METRICS_OTLP_JSON) {
		buf_puts(p->text, ",\"asDouble\":");
		buf_puts(p->text, number);
	} else {
		protobuf_double(p->text, 4, strtod(number, NULL));
	}
	field_close(p);
}

/* A bucket of OTLP has the values above the bound before it, up to its own. The last bucket has no
 * bound. */
static void put_buckets(struct metrics_page *p, const struct buckets *b)
{
	uint64_t before = 0;

	field_numbers(p, "bucketCounts", 6);
	for (size_t i = 0; i < b->n; i++) {
		field_in_fixed(p, b->v[i].sum - before);
		before = b->v[i].sum;
	}
	field_in_fixed(p, b->total - before);
	field_numbers_end(p);
	field_numbers(p, "explicitBounds", 7);
	for (size_t i = 0; i < b->n; i++)
		field_in_double(p, b->v[i].bound);
	field_numbers_end(p);
}

/* Bucket i of OTLP has the values above 2^(i / 16). */
static void put_side(struct metrics_page *p, const char *name, unsigned number,
		     const struct fine_side *s)
{
	if (s->first == s->past)
		return;
	field_open(p, name, number);
	field_sint(p, "offset", 1, (int32_t)s->first - 1);
	field_numbers(p, "bucketCounts", 2);
	for (unsigned i = s->first; i < s->past; i++)
		field_in_int(p, s->counts[i]);
	field_numbers_end(p);
	field_close(p);
}

static void put_fine(struct metrics_page *p, const struct fine *f)
{
	field_sint(p, "scale", 6, FINE_SCALE);
	field_fixed(p, "zeroCount", 7, f->zero, false);
	put_side(p, "positive", 8, &f->positive);
	put_side(p, "negative", 9, &f->negative);
}

/* An aggregate without a histogram has one bucket for all values: VictoriaMetrics drops points
 * without any. As in the text formats, there is no sum if some values are negative. */
static void add_aggregate(struct metrics_page *p, const struct buf *attributes,
			  const struct metric_sample *v, const struct buckets *b,
			  const struct fine *fine)
{
	open_point(p, attributes);
	field_fixed(p, "count", 4, b ? b->total : (uint64_t)v->count, false);
	if (v->min >= 0)
		field_double(p, "sum", 5, v->sum);
	field_double(p, "min", fine ? 12 : 11, v->min);
	field_double(p, "max", fine ? 13 : 12, v->max);
	if (fine)
		put_fine(p, fine);
	else
		put_buckets(p, b ? b : &(struct buckets){ .total = (uint64_t)v->count });
	field_close(p);
}

void otlp_add(const struct snapshot *s, struct metric_samples *f, const struct metric_sample *v,
	      const struct buckets *b, const struct fine *fine)
{
	struct metrics_page p = { .text = &f->points, .times = s->times,
				  .format = s->formats & 1u << METRICS_OTLP ? METRICS_OTLP :
									      METRICS_OTLP_JSON };
	unsigned of = !v->is_aggregate ? OF_NUMBER : fine ? OF_EXPONENTIAL : OF_HISTOGRAM;
	struct buf attributes = { 0 };
	struct metrics_page list = list_page(&p, &attributes);
	const char *name = f->m->labels;
	char number[24];

	for (unsigned i = 0; i < v->nkeys; i++) {
		size_t len = strcspn(name, "\n");

		if (v->keys[i].type == 'l')
			otlp_number_attribute(&list, of, name, len, v->keys[i].number);
		else
			otlp_attribute(&list, of, name, len, v->keys[i].s, v->keys[i].len);
		name += len + (name[len] == '\n');
	}
	f->points_fine = fine != NULL;
	if (v->is_aggregate) {
		add_aggregate(&p, &attributes, v, b, fine);
	} else if (v->value.type == 's') {
		otlp_attribute(&list, of, "value", 5, v->value.s, v->value.len);
		otlp_number(&p, &attributes, "1");
	} else {
		snprintf(number, sizeof(number), "%" PRId64, v->value.number);
		otlp_number(&p, &attributes, number);
	}
	buf_deinit(&attributes);
}

/* ---- metrics ---- */

/* The unit as UCUM writes it. */
static const char *unit_of(const char *unit)
{
	static const char *const units[][2] = {
		{ "seconds", "s" }, { "milliseconds", "ms" }, { "microseconds", "us" },
		{ "nanoseconds", "ns" }, { "bytes", "By" },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(unit, units[i][0]) == 0)
			return units[i][1];
	return unit;
}

/* The kinds of metrics by the first letter of their type; the last one is that of aggregates. */
static const struct {
	char type;
	const char *name;
	unsigned number;
	bool is_cumulative;
} kinds[] = {
	{ 'g', "gauge", 5, false }, { 'c', "sum", 7, true }, { 'i', "sum", 7, true },
	{ 'e', "exponentialHistogram", 10, true }, { 0, "histogram", 9, true },
};

void otlp_open_metric(struct metrics_page *p, const struct metric_family *f)
{
	const char *unit = unit_of(f->unit);
	char name[256];
	size_t i = 0;

	while (kinds[i].type && kinds[i].type != *f->type)
		i++;
	field_open(p, NULL, 2);
	snprintf(name, sizeof(name), "%s%s", f->name, *f->type == 'i' ? "_info" : "");
	field_text(p, "name", 1, name, strlen(name));
	field_text(p, "description", 2, f->help, strlen(f->help));
	if (*unit)
		field_text(p, "unit", 3, unit, strlen(unit));
	field_open(p, kinds[i].name, kinds[i].number);
	if (kinds[i].is_cumulative)
		field_small(p, "aggregationTemporality", 2, CUMULATIVE);
	if (*f->type == 'c')
		field_true(p, "isMonotonic", 3);
	field_list(p, "dataPoints");
}

void otlp_close_metric(struct metrics_page *p)
{
	field_list_end(p);
	field_close(p);
	field_close(p);
}

/* Collectors tell sessions apart by service.instance.id; Prometheus makes it the label instance. */
static void put_resource(struct metrics_page *p, const struct meta *m)
{
	char instance[sizeof(((struct utsname *)NULL)->nodename) + 24];
	struct utsname u;

	uname(&u);
	snprintf(instance, sizeof(instance), "%s:%ld", u.nodename, (long)getpid());
	field_open(p, "resource", 1);
	field_list(p, "attributes");
	text_attribute(p, "service.name", "probec");
	text_attribute(p, "service.instance.id", instance);
	text_attribute(p, "service.version", m->compiler);
	text_attribute(p, "host.name", u.nodename);
	text_attribute(p, "os.type", "linux");
	text_attribute(p, "os.version", u.release);
	otlp_number_attribute(p, OF_RESOURCE, "process.pid", strlen("process.pid"), getpid());
	text_attribute(p, "probec.script", file_name(m->script));
	field_list_end(p);
	field_close(p);
}

static void open_request(struct metrics_page *p, const struct meta *m, const char *resources,
			 const char *scopes, const char *items)
{
	if (p->format == METRICS_OTLP_JSON)
		json_open(p->text, NULL, '{');
	field_list(p, resources);
	field_open(p, NULL, 1);
	put_resource(p, m);
	field_list(p, scopes);
	field_open(p, NULL, 2);
	field_open(p, "scope", 1);
	field_text(p, "name", 1, "proberun", strlen("proberun"));
	field_text(p, "version", 2, m->compiler, strlen(m->compiler));
	field_close(p);
	field_list(p, items);
}

void otlp_open(struct metrics_page *p, const struct meta *m)
{
	open_request(p, m, "resourceMetrics", "scopeMetrics", "metrics");
}

void otlp_open_logs(struct metrics_page *p, const struct meta *m)
{
	open_request(p, m, "resourceLogs", "scopeLogs", "logRecords");
}

void otlp_open_spans(struct metrics_page *p, const struct meta *m)
{
	open_request(p, m, "resourceSpans", "scopeSpans", "spans");
}

void otlp_close(struct metrics_page *p)
{
	field_list_end(p);
	field_close(p);
	field_list_end(p);
	field_close(p);
	field_list_end(p);
	if (p->format == METRICS_OTLP_JSON)
		json_close(p->text, '}');
}

/* ---- the environment ---- */

/* The value of the first of two variables that is set; the second may be NULL. *@name: which. */
static const char *variable(const char *first, const char *second, const char **name)
{
	const char *ret = getenv(first);

	*name = first;
	if ((!ret || !*ret) && second) {
		*name = second;
		ret = getenv(second);
	}
	return ret && *ret ? ret : NULL;
}

static int refuse(const char *name, const char *value, const char *hint)
{
	say_error("E_METRIC", hint, "%s=%s: probec cannot send in this way", name, value);
	return -1;
}

int otlp_format(const char *special)
{
	const char *name, *v = variable(special, "OTEL_EXPORTER_OTLP_PROTOCOL", &name);

	if (v && strcmp(v, "http/json") == 0)
		return METRICS_OTLP_JSON;
	if (v && strcmp(v, "http/protobuf") != 0)
		return refuse(name, v, "set it to http/protobuf or http/json");
	return METRICS_OTLP;
}

int otlp_settings_read(struct otlp_settings *o)
{
	const char *name, *v;

	*o = (struct otlp_settings){ .format = otlp_format("OTEL_EXPORTER_OTLP_METRICS_PROTOCOL") };
	if (o->format < 0)
		return -1;
	v = variable("OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION", NULL, &name);
	if (v && strcmp(v, "explicit_bucket_histogram") == 0)
		o->explicit_bounds = true;
	else if (v && strcmp(v, "base2_exponential_bucket_histogram") != 0)
		return refuse(name, v, "set it to base2_exponential_bucket_histogram or "
			      "explicit_bucket_histogram");
	return 0;
}
