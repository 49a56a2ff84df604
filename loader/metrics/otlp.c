/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Metrics in OTLP's JSON encoding (opentelemetry-proto, metrics/v1/metrics.proto): an
 * ExportMetricsServiceRequest with one resource, which is the session, and one scope. Integers of
 * 64 bits are strings there. Sums and histograms are cumulative from the start of the session, so a
 * request that is lost takes nothing with it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/file.h"
#include "metrics/private.h"
#include "show/json.h"

enum { CUMULATIVE = 2 };

static void put_unsigned(struct text *t, const char *key, uint64_t v)
{
	char number[24];

	snprintf(number, sizeof(number), "%" PRIu64, v);
	json_text(t, key, number);
}

static void put_signed(struct text *t, const char *key, int64_t v)
{
	char number[24];

	snprintf(number, sizeof(number), "%" PRId64, v);
	json_text(t, key, number);
}

/* ---- attributes ---- */

void otlp_attribute(struct text *t, const char *name, size_t name_len, const char *value,
		    size_t len)
{
	json_open(t, NULL, '{');
	json_string(t, "key", name, name_len);
	json_open(t, "value", '{');
	json_string(t, "stringValue", value, len);
	json_close(t, '}');
	json_close(t, '}');
}

static void attribute(struct text *t, const char *name, const char *value)
{
	otlp_attribute(t, name, strlen(name), value, strlen(value));
}

static void number_attribute(struct text *t, const char *name, size_t len, int64_t value)
{
	json_open(t, NULL, '{');
	json_string(t, "key", name, len);
	json_open(t, "value", '{');
	put_signed(t, "intValue", value);
	json_close(t, '}');
	json_close(t, '}');
}

/* ---- points ---- */

/* Leaves the object open. */
static void open_point(struct text *t, const struct otlp_times *times,
		       const struct text *attributes)
{
	json_open(t, NULL, '{');
	json_open(t, "attributes", '[');
	text_add(t, attributes->s ? attributes->s : "", attributes->len);
	json_close(t, ']');
	put_unsigned(t, "startTimeUnixNano", times->start);
	put_unsigned(t, "timeUnixNano", times->now);
}

void otlp_number(struct text *t, const struct otlp_times *times, const struct text *attributes,
		 const char *number)
{
	open_point(t, times, attributes);
	if (strchr(number, '.')) {
		text_add_str(t, ",\"asDouble\":");
		text_add_str(t, number);
	} else {
		json_text(t, "asInt", number);
	}
	json_close(t, '}');
}

/* A bucket of OTLP has the values above the bound before it, up to its own. The last bucket has no
 * bound. */
static void put_buckets(struct text *t, const struct buckets *b)
{
	uint64_t before = 0;

	json_open(t, "bucketCounts", '[');
	for (size_t i = 0; i < b->n; i++) {
		put_unsigned(t, NULL, b->v[i].sum - before);
		before = b->v[i].sum;
	}
	put_unsigned(t, NULL, b->total - before);
	json_close(t, ']');
	json_open(t, "explicitBounds", '[');
	for (size_t i = 0; i < b->n; i++)
		json_signed(t, NULL, b->v[i].bound);
	json_close(t, ']');
}

/* An aggregate without a histogram has no buckets. As in the other formats, there is no sum if some
 * values are negative. */
static void add_aggregate(struct text *t, const struct otlp_times *times,
			  const struct text *attributes, const struct metric_sample *v,
			  const struct buckets *b)
{
	open_point(t, times, attributes);
	put_unsigned(t, "count", b ? b->total : (uint64_t)v->count);
	if (v->min >= 0)
		json_signed(t, "sum", v->sum);
	json_signed(t, "min", v->min);
	json_signed(t, "max", v->max);
	if (b)
		put_buckets(t, b);
	json_close(t, '}');
}

void otlp_add(struct metric_samples *f, const struct otlp_times *times,
	      const struct metric_sample *v, const struct buckets *b)
{
	struct text attributes = { 0 };
	const char *name = f->m->labels;
	char number[24];

	for (unsigned i = 0; i < v->nkeys; i++) {
		size_t len = strcspn(name, "\n");

		if (v->keys[i].type == 'l')
			number_attribute(&attributes, name, len, v->keys[i].number);
		else
			otlp_attribute(&attributes, name, len, v->keys[i].s, v->keys[i].len);
		name += len + (name[len] == '\n');
	}
	if (v->is_aggregate) {
		add_aggregate(&f->points, times, &attributes, v, b);
	} else if (v->value.type == 's') {
		otlp_attribute(&attributes, "value", 5, v->value.s, v->value.len);
		otlp_number(&f->points, times, &attributes, "1");
	} else {
		snprintf(number, sizeof(number), "%" PRId64, v->value.number);
		otlp_number(&f->points, times, &attributes, number);
	}
	text_deinit(&attributes);
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

void otlp_open_metric(struct text *t, const struct metric_family *f)
{
	char name[256];

	json_open(t, NULL, '{');
	snprintf(name, sizeof(name), "%s_info", f->name);
	json_text(t, "name", *f->type == 'i' ? name : f->name);
	json_text(t, "description", f->help);
	if (*f->unit)
		json_text(t, "unit", unit_of(f->unit));
	switch (*f->type) {
	case 'g':
		json_open(t, "gauge", '{');
		break;
	case 'c':
	case 'i':
		json_open(t, "sum", '{');
		json_unsigned(t, "aggregationTemporality", CUMULATIVE);
		if (*f->type == 'c')
			text_add_str(t, ",\"isMonotonic\":true");
		break;
	default:
		json_open(t, "histogram", '{');
		json_unsigned(t, "aggregationTemporality", CUMULATIVE);
	}
	json_open(t, "dataPoints", '[');
}

void otlp_close_metric(struct text *t)
{
	json_close(t, ']');
	json_close(t, '}');
	json_close(t, '}');
}

static void put_resource(struct text *t, const struct meta *m)
{
	struct utsname u;

	uname(&u);
	json_open(t, "resource", '{');
	json_open(t, "attributes", '[');
	attribute(t, "service.name", "probec");
	attribute(t, "service.version", m->compiler);
	attribute(t, "host.name", u.nodename);
	attribute(t, "os.type", "linux");
	attribute(t, "os.version", u.release);
	number_attribute(t, "process.pid", strlen("process.pid"), getpid());
	attribute(t, "probec.script", file_name(m->script));
	json_close(t, ']');
	json_close(t, '}');
}

void otlp_open(struct text *t, const struct meta *m)
{
	json_open(t, NULL, '{');
	json_open(t, "resourceMetrics", '[');
	json_open(t, NULL, '{');
	put_resource(t, m);
	json_open(t, "scopeMetrics", '[');
	json_open(t, NULL, '{');
	json_open(t, "scope", '{');
	json_text(t, "name", "proberun");
	json_text(t, "version", m->compiler);
	json_close(t, '}');
	json_open(t, "metrics", '[');
}

void otlp_close(struct text *t)
{
	json_close(t, ']');
	json_close(t, '}');
	json_close(t, ']');
	json_close(t, '}');
	json_close(t, ']');
	json_close(t, '}');
}
