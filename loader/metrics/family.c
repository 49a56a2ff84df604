/* SPDX-License-Identifier: GPL-2.0 */
/* A metric whose values are numbers, in each of the formats. */
#include <stdio.h>
#include <string.h>

#include "metrics/private.h"

static const char *suffix(const struct metric_family *f)
{
	return *f->type == 'c' ? "_total" : *f->type == 'i' ? "_info" : "";
}

void family_label(const struct metrics_page *p, struct text *labels, const char *name,
		  const char *value)
{
	if (p->format == METRICS_OTLP)
		otlp_attribute(labels, name, strlen(name), value, strlen(value));
	else
		sample_label(labels, name, strlen(name), value, strlen(value));
}

void family_open(const struct metrics_page *p, const struct metric_family *f)
{
	if (p->format == METRICS_OTLP)
		otlp_open_metric(p->text, f);
	else
		sample_describe(p->text, p->format, f->name, "", f->type, f->unit, f->help);
}

void family_value(const struct metrics_page *p, const struct metric_family *f,
		  const struct text *labels, const char *number)
{
	if (p->format == METRICS_OTLP)
		otlp_number(p->text, &p->times, labels, number);
	else
		sample_line(p->text, f->name, suffix(f), labels, "", number);
}

void family_close(const struct metrics_page *p)
{
	if (p->format == METRICS_OTLP)
		otlp_close_metric(p->text);
}
