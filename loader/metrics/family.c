/* SPDX-License-Identifier: GPL-2.0 */
/* A metric whose values are numbers, in each of the formats. */
#include <stdlib.h>
#include <string.h>

#include "metrics/private.h"

static const char *suffix(const struct metric_family *f)
{
	return *f->type == 'c' ? "_total" : *f->type == 'i' ? "_info" : "";
}

void family_label(const struct metrics_page *p, struct buf *labels, const char *name,
		  const char *value)
{
	if (p->format >= METRICS_FORMATS)
		otlp_label(p, labels, name, value);
	else if (p->format == METRICS_PROTOBUF)
		exposition_label(labels, name, strlen(name), value, strlen(value));
	else
		sample_label(labels, name, strlen(name), value, strlen(value));
}

void family_open(struct metrics_page *p, const struct metric_family *f)
{
	if (p->format >= METRICS_FORMATS)
		otlp_open_metric(p, f);
	else if (p->format == METRICS_PROTOBUF)
		exposition_open(p, f, "");
	else
		sample_describe(p->text, p->format, f->name, "", f->type, f->unit, f->help);
}

void family_value(struct metrics_page *p, const struct metric_family *f,
		  const struct buf *labels, const char *number)
{
	if (p->format >= METRICS_FORMATS)
		otlp_number(p, labels, number);
	else if (p->format == METRICS_PROTOBUF)
		exposition_number(p->text, f->type, labels, strtod(number, NULL));
	else
		sample_line(p->text, f->name, suffix(f), labels, "", number);
}

void family_close(struct metrics_page *p)
{
	if (p->format >= METRICS_FORMATS)
		otlp_close_metric(p);
	else if (p->format == METRICS_PROTOBUF)
		exposition_close(p);
}
