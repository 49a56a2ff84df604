/* SPDX-License-Identifier: GPL-2.0 */
/* The print statements of a module: their arguments, and the metrics of which some print values. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "module/meta.h"

enum { NAME_MAX_BYTES = 200 };

const char *meta_name(const struct meta_print *p, unsigned i, size_t *len)
{
	const char *s = p->names;

	for (; s && i; i--) {
		s = strchr(s, '\n');
		s = s ? s + 1 : NULL;
	}
	*len = s ? strcspn(s, "\n") : 0;
	return s;
}

bool meta_literal(const struct meta_print *p, unsigned i)
{
	size_t len, at = 1;
	const char *s = meta_name(p, i, &len);

	if (!s || len < 2 || *s != '"')
		return false;
	while (at < len && s[at] != '"')
		at += s[at] == '\\' ? 2 : 1;
	return at + 1 == len;
}

bool meta_set_table(struct meta_print *p, const char *text)
{
	unsigned long i;
	char *end;

	if (strcmp(text, "begin") == 0 || strcmp(text, "end") == 0) {
		p->edge = *text == 'b' ? META_BEGIN : META_END;
		return strcmp(p->types, p->edge == META_BEGIN ? "l" : "") == 0;
	}
	if ((*text != '+' && *text != '-') || !isdigit((unsigned char)text[1]))
		return false;
	i = strtoul(text + 1, &end, 10);
	if (*end || i >= strlen(p->types) || !strchr("lds", p->types[i]))
		return false;
	p->column = (unsigned)i + 1;
	p->ascends = *text == '+';
	return true;
}

unsigned meta_keys(const struct meta_print *p)
{
	unsigned n = 0;
	const char *s;
	size_t len;

	while ((s = meta_name(p, n, &len)) != NULL && strncmp(s, "key", 3) == 0)
		n++;
	return n;
}

/* Whether the @len bytes at @s are a name in Prometheus's sense. */
static bool is_name(const char *s, size_t len, bool colons)
{
	if (!len || len > NAME_MAX_BYTES || isdigit((unsigned char)*s))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)s[i]) && s[i] != '_' && !(colons && s[i] == ':'))
			return false;
	return true;
}

/* The types of a metric's values, which follow the keys; NULL: there is no such metric. */
static const char *values_of(const char *type)
{
	static const char *const types[][2] = {
		{ "gauge", "l" }, { "counter", "l" }, { "info", "s" }, { "summary", "llll" },
		{ "histogram", "llllH" },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(types[i][0], type) == 0)
			return types[i][1];
	return NULL;
}

static unsigned count_labels(const char *labels)
{
	unsigned n = 0;

	for (const char *p = labels; *p; p += *p == '\n') {
		size_t len = strcspn(p, "\n");

		if (!is_name(p, len, false))
			return UINT32_MAX;
		p += len;
		n++;
	}
	return n;
}

static const char *check_metric(const struct meta *m, const struct meta_metric *metric)
{
	const struct meta_print *p;
	const char *values = values_of(metric->type);
	unsigned keys;

	if (metric->print >= m->nprints || !m->prints[metric->print].format ||
	    metric->print == m->snapshot_begin || metric->print == m->snapshot_end)
		return "a metric's print is not there";
	p = &m->prints[metric->print];
	keys = meta_keys(p);
	if (!is_name(metric->name, strlen(metric->name), true) ||
	    (*metric->unit && !is_name(metric->unit, strlen(metric->unit), false)) || !values)
		return "a metric has a bad name, type or unit";
	if (count_labels(metric->labels) != keys || keys > strlen(p->types) ||
	    strspn(p->types, "ls") < keys || strcmp(p->types + keys, values) != 0)
		return "a metric does not fit its print";
	return NULL;
}

const char *meta_check_metrics(const struct meta *m)
{
	if (m->nmetrics && !m->snapshot_n)
		return "metrics without timers that print them";
	if (!m->snapshot_n)
		return NULL;
	if (m->snapshot_n > m->nprobes || m->snapshot_first > m->nprobes - m->snapshot_n ||
	    m->snapshot_end >= m->nprints || !m->prints[m->snapshot_end].format ||
	    m->snapshot_begin >= m->snapshot_end || !m->prints[m->snapshot_begin].format)
		return "the timers that print metrics are not there";
	for (uint32_t i = 0; i < m->nmetrics; i++) {
		const char *wrong = check_metric(m, &m->metrics[i]);

		if (wrong)
			return wrong;
		if (i && m->metrics[i].print <= m->metrics[i - 1].print)
			return "metrics are out of order";
	}
	return NULL;
}
