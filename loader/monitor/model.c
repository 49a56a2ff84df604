/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The text has a line for each sample, by metric. Those of one aggregate stand apart: its least and
 * greatest values are metrics of their own. So all samples are collected, sorted by metric and
 * labels, and each group becomes a row.
 */
#include "monitor/model.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/memory.h"

#define OWN "proberun_"

/* The part of its row that a sample is. */
enum part { VALUE, STRING, COUNT, SUM, MIN, MAX, BUCKET };

struct model_line {
	char *name, *labels;
	enum part part;
	double value, bound;
	size_t at;               /* the number of the line */
};

struct model_reader {
	struct model *m;
	struct model_line *v;
	size_t n, room;
	char aggregate[256];     /* the last one */
	char type;               /* of the metric, as its first letter */
	char prefix[256];        /* of names that the script did not choose: probec_SCRIPT_ */
};

/* ---- lines ---- */

/* The value of the label @name, which ends at its quote, or NULL. Values are not unescaped. */
static char *label(char *labels, const char *name, size_t *len)
{
	size_t n = strlen(name);

	for (char *at = labels; (at = strstr(at, name)) != NULL; at += n) {
		char *value = at + n + 2, *end;

		if ((at > labels && at[-1] != ',') || strncmp(at + n, "=\"", 2) != 0)
			continue;
		for (end = value; *end && *end != '"'; end++)
			if (*end == '\\' && end[1])
				end++;
		*len = (size_t)(end - value);
		return value;
	}
	return NULL;
}

/* In place. */
static void unescape(char *s)
{
	char *to = s;

	for (; *s; s++) {
		s += *s == '\\' && s[1];
		*to++ = *s;
	}
	*to = '\0';
}

/* Takes the label @name out of the list. */
static void drop_label(char *labels, const char *name)
{
	size_t len;
	char *value = label(labels, name, &len), *from, *end;

	if (!value)
		return;
	from = value - strlen(name) - 2;
	end = value + len + (value[len] == '"');
	if (*end == ',')
		end++;
	else if (from > labels)
		from--;
	memmove(from, end, strlen(end) + 1);
}

static bool cut_end(char *name, const char *end)
{
	size_t n = strlen(name), len = strlen(end);

	if (n <= len || strcmp(name + n - len, end) != 0)
		return false;
	name[n - len] = '\0';
	return true;
}

static enum part part_of(struct model_reader *r, struct model_line *l)
{
	size_t len, n = strlen(r->aggregate);
	char *le;

	if (r->type == 'c' && cut_end(l->name, "_total"))
		return VALUE;
	if (r->type == 's' || r->type == 'h') {
		if (cut_end(l->name, "_count"))
			return COUNT;
		if (cut_end(l->name, "_sum"))
			return SUM;
		le = label(l->labels, "le", &len);
		l->bound = !le ? 0 : strncmp(le, "+Inf", 4) == 0 ? INFINITY : strtod(le, NULL);
		drop_label(l->labels, "le");
		cut_end(l->name, "_bucket");
		return BUCKET;
	}
	if (n && strncmp(l->name, r->aggregate, n) == 0) {
		if (strcmp(l->name + n, "_min") == 0 && cut_end(l->name, "_min"))
			return MIN;
		if (strcmp(l->name + n, "_max") == 0 && cut_end(l->name, "_max"))
			return MAX;
	}
	return label(l->labels, "value", &len) && cut_end(l->name, "_info") ? STRING : VALUE;
}

/* "# TYPE NAME TYPE" */
static void read_type(struct model_reader *r, const char *line)
{
	const char *type = strrchr(line, ' ');

	if (strncmp(line, "# TYPE ", 7) != 0 || !type)
		return;
	r->type = type[1];
	if (r->type == 's' || r->type == 'h')
		snprintf(r->aggregate, sizeof(r->aggregate), "%.*s", (int)(type - line - 7),
			 line + 7);
}

static void read_probe(struct model *m, const struct model_line *l)
{
	size_t len, n;
	char *number = label(l->labels, "probe", &n), *point = label(l->labels, "point", &len);
	unsigned long i = number ? strtoul(number, NULL, 10) : 0;
	struct model_probe *p;

	if (strncmp(l->name, OWN "lost", sizeof(OWN "lost") - 1) == 0)
		m->lost += l->value;
	if (!number || !point || i > 100000)
		return;
	while (m->nprobes <= i) {
		m->probes = memory_resized(m->probes, m->nprobes + 1, sizeof(*m->probes));
		m->probes[m->nprobes++] = (struct model_probe){ .point = "" };
	}
	p = &m->probes[i];
	p->point = point;
	point[len] = '\0';
	unescape(point);
	if (strcmp(l->name, OWN "hits") == 0)
		p->hits = l->value;
	else if (strcmp(l->name, OWN "errors") == 0)
		p->errors = l->value;
	else if (strcmp(l->name, OWN "handler_seconds") == 0)
		p->seconds = l->value;
	else if (strcmp(l->name, OWN "skipped_hits") == 0)
		p->skipped += l->value;
}

static void read_script(struct model_reader *r, const struct model_line *l)
{
	size_t len, n;
	const char *script = label(l->labels, "script", &len), *dot;

	if (!script || strcmp(l->name, OWN "info") != 0)
		return;
	dot = memrchr(script, '.', len);
	n = (size_t)snprintf(r->prefix, sizeof(r->prefix), "probec_%.*s_",
			     (int)(dot ? dot - script : (long)len), script);
	for (size_t i = 0; i < n && i < sizeof(r->prefix) - 1; i++)
		if (!isalnum((unsigned char)r->prefix[i]))
			r->prefix[i] = '_';
}

static void read_line(struct model_reader *r, char *line)
{
	struct model_line l = { .name = line, .labels = (char *)"", .at = r->n };
	char *value = strrchr(line, ' '), *open;

	if (*line == '#') {
		read_type(r, line);
		return;
	}
	if (!value)
		return;
	*value++ = '\0';
	l.value = strtod(value, NULL);
	open = strchr(line, '{');
	if (open) {
		*open = '\0';
		l.labels = open + 1;
		cut_end(l.labels, "}");
	}
	l.part = part_of(r, &l);
	if (strncmp(l.name, OWN, sizeof(OWN) - 1) == 0) {
		read_script(r, &l);
		read_probe(r->m, &l);
		return;
	}
	memory_grow(r->v, r->n, r->room, 256);
	r->v[r->n++] = l;
}

/* ---- rows ---- */

static int compare_keys(const struct model_line *a, const struct model_line *b)
{
	int cmp = strcmp(a->name, b->name);

	return cmp ? cmp : strcmp(a->labels, b->labels);
}

static int compare_lines(const void *x, const void *y)
{
	const struct model_line *a = x, *b = y;
	int cmp = compare_keys(a, b);

	return cmp ? cmp : (a->at > b->at) - (a->at < b->at);
}

static void add_part(struct model *m, struct model_row *row, const struct model_line *l)
{
	size_t len;
	char *text;

	row->is_aggregate |= l->part >= COUNT;
	switch (l->part) {
	case VALUE: case COUNT: row->value = l->value; break;
	case SUM: row->sum = l->value; break;
	case MIN: row->min = l->value; break;
	case MAX: row->max = l->value; break;
	case STRING:
		text = label(l->labels, "value", &len);
		text[len] = '\0';
		unescape(text);
		row->text = text;
		row->labels = "";
		break;
	case BUCKET:
		m->buckets[row->first + row->nbuckets++] =
			(struct model_bucket){ l->bound, l->value };
		if (isinf(l->bound))
			row->value = l->value;
	}
}

/* Counts of buckets include those before. */
static void separate(struct model_bucket *b, size_t n)
{
	for (size_t i = n; i-- > 1;)
		b[i].count -= b[i - 1].count;
}

static void make_rows(struct model_reader *r)
{
	struct model *m = r->m;
	size_t buckets = 0;

	qsort(r->v, r->n, sizeof(*r->v), compare_lines);
	m->rows = memory_zeroed(r->n + 1, sizeof(*m->rows));
	m->buckets = memory_zeroed(r->n + 1, sizeof(*m->buckets));
	for (size_t i = 0; i < r->n; i++) {
		struct model_row *row = &m->rows[m->n];

		if (i && compare_keys(&r->v[i], &r->v[i - 1]) == 0) {
			row--;
		} else {
			m->n++;
			*row = (struct model_row){ .name = r->v[i].name, .labels = r->v[i].labels,
						   .sum = NAN, .first = buckets };
		}
		add_part(m, row, &r->v[i]);
		buckets = row->first + row->nbuckets;
	}
	for (size_t i = 0; i < m->n; i++) {
		separate(m->buckets + m->rows[i].first, m->rows[i].nbuckets);
		if (*r->prefix && strncmp(m->rows[i].name, r->prefix, strlen(r->prefix)) == 0)
			m->rows[i].name += strlen(r->prefix);
	}
}

static int by_name(const void *x, const void *y)
{
	const struct model_row *a = x, *b = y;
	int cmp = strcmp(a->name, b->name);

	return cmp ? cmp : strcmp(a->labels, b->labels);
}

static void set_rates(struct model *m, struct model *old, int64_t now)
{
	double seconds = (double)(now - old->taken) / 1e9;

	if (!old->taken || seconds <= 0)
		return;
	qsort(old->rows, old->n, sizeof(*old->rows), by_name);
	for (size_t i = 0; i < m->n; i++) {
		struct model_row *row = &m->rows[i];
		const struct model_row *before = bsearch(row, old->rows, old->n, sizeof(*row),
							 by_name);

		row->rate = (row->value - (before ? before->value : 0)) / seconds;
	}
	for (size_t i = 0; i < m->nprobes && i < old->nprobes; i++) {
		m->probes[i].rate = (m->probes[i].hits - old->probes[i].hits) / seconds;
		m->probes[i].load = (m->probes[i].seconds - old->probes[i].seconds) / seconds;
	}
}

void model_read(struct model *m, const struct buf *text, int64_t now)
{
	struct model old = *m;
	struct model_reader r = { .m = m };
	size_t at = 0;
	char *line;

	*m = (struct model){ .taken = now };
	buf_write(&m->memory, text->s ? text->s : "", text->len);
	while ((line = buf_line(&m->memory, &at)) != NULL)
		read_line(&r, line);
	make_rows(&r);
	free(r.v);
	set_rates(m, &old, now);
	model_deinit(&old);
}

/* ---- order ---- */

static int falling(double a, double b)
{
	return (a < b) - (a > b);
}

static int by_value(const void *x, const void *y)
{
	const struct model_row *a = x, *b = y;
	int cmp = falling(a->value, b->value);

	return cmp ? cmp : by_name(x, y);
}

static int by_rate(const void *x, const void *y)
{
	const struct model_row *a = x, *b = y;
	int cmp = falling(a->rate, b->rate);

	return cmp ? cmp : by_name(x, y);
}

void model_sort(struct model *m, enum model_sort by)
{
	qsort(m->rows, m->n, sizeof(*m->rows),
	      by == MODEL_BY_NAME ? by_name : by == MODEL_BY_RATE ? by_rate : by_value);
}

void model_deinit(struct model *m)
{
	free(m->rows);
	free(m->probes);
	free(m->buckets);
	buf_deinit(&m->memory);
	*m = (struct model){ 0 };
}
