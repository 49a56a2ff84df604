/* SPDX-License-Identifier: GPL-2.0 */
/* A snapshot in each of the formats. */
#include <stdlib.h>

#include "metrics/private.h"

static void add_list(struct buf *t, const struct buf *list)
{
	buf_write(t, list->s ? list->s : "", list->len);
}

static void add_lines(struct metrics_page *p, const struct metric_samples *f)
{
	const struct sample_lists *l = &f->text;
	struct buf *t = p->text;

	sample_describe(t, p->format, f->m->name, "", f->m->type, f->m->unit, f->m->help);
	add_list(t, &l->values);
	if (l->least.len) {
		sample_describe(t, p->format, f->m->name, "_min", "gauge", "", f->m->help);
		add_list(t, &l->least);
		sample_describe(t, p->format, f->m->name, "_max", "gauge", "", f->m->help);
		add_list(t, &l->most);
	}
}

static void add_protobuf(struct metrics_page *p, const struct metric_samples *f)
{
	const struct metric_family family = { f->m->name, f->m->type, f->m->unit, f->m->help },
		gauge = { f->m->name, "gauge", "", f->m->help };
	const struct {
		const struct metric_family *family;
		const char *suffix;
		const struct buf *list;
	} parts[] = {
		{ &family, "", &f->protobuf.values }, { &gauge, "_min", &f->protobuf.least },
		{ &gauge, "_max", &f->protobuf.most },
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (!parts[i].list->len)
			continue;
		exposition_open(p, parts[i].family, parts[i].suffix);
		add_list(p->text, parts[i].list);
		exposition_close(p);
	}
}

static void add_points(struct metrics_page *p, const struct metric_samples *f)
{
	const struct metric_family family = { f->m->name, f->points_fine ? "exponential" :
					      f->m->type, f->m->unit, f->m->help };

	if (!f->points.len)
		return;
	otlp_open_metric(p, &family);
	add_list(p->text, &f->points);
	otlp_close_metric(p);
}

static void add_metric(struct metrics_page *p, const struct metric_samples *f)
{
	if (p->format >= METRICS_FORMATS)
		add_points(p, f);
	else if (p->format == METRICS_PROTOBUF)
		add_protobuf(p, f);
	else
		add_lines(p, f);
}

void snapshot_write(struct buf *t, int format, const struct snapshot *s, const struct figures *f)
{
	struct metrics_page p = { .text = t, .format = format, .times = s->times };

	if (format >= METRICS_FORMATS)
		otlp_open(&p, f->m);
	for (uint32_t i = 0; i < s->n; i++)
		add_metric(&p, &s->metrics[i]);
	figures_add(&p, f);
	if (format >= METRICS_FORMATS)
		otlp_close(&p);
	if (format == METRICS_OPENMETRICS)
		buf_puts(t, "# EOF\n");
}

void snapshot_start(struct snapshot *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		struct metric_samples *f = &s->metrics[i];

		f->text.values.len = f->text.least.len = f->text.most.len = 0;
		f->protobuf.values.len = f->protobuf.least.len = f->protobuf.most.len = 0;
		f->points.len = 0;
	}
	s->series = s->left_out = 0;
}

static void deinit_lists(struct sample_lists *l)
{
	buf_deinit(&l->values);
	buf_deinit(&l->least);
	buf_deinit(&l->most);
}

void snapshot_deinit(struct snapshot *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		deinit_lists(&s->metrics[i].text);
		deinit_lists(&s->metrics[i].protobuf);
		buf_deinit(&s->metrics[i].points);
	}
	buf_deinit(&s->labels);
	free(s->buckets.v);
}
