/* SPDX-License-Identifier: GPL-2.0 */
/* Collects the rows of a table, and shows them in their order. */
#include "show/table.h"

#include <stdlib.h>
#include <string.h>

#include "module/meta.h"
#include "shared/memory.h"
#include "show/args.h"
#include "show/join.h"
#include "show/show.h"

/* A row: the record that begins it, and those that follow up to the next row. */
struct sorted_row {
	const struct held_table *t;
	size_t first, n;
	struct arg by; /* what it is sorted by */
	bool ascends;
};

static void collect(struct held_table *t, const struct meta_print *p, const void *args, size_t len)
{
	if (t->n == t->capacity) {
		struct table_record *old = t->records;

		t->capacity = t->capacity ? 2 * t->capacity : 64;
		t->records = memory_zeroed(t->capacity, sizeof(*t->records));
		if (t->n)
			memcpy(t->records, old, t->n * sizeof(*old));
		free(old);
	}
	t->records[t->n++] = (struct table_record){ p, t->bytes.len, len };
	buf_write(&t->bytes, args, len);
}

static struct args args_of(const struct held_table *t, const struct table_record *r)
{
	const char *from = t->bytes.s + r->at;

	return (struct args){ r->p->types, from, from + r->len };
}

/* ---- order ---- */

/* Reads the argument by which the row of @r is sorted. False: it is damaged. */
static bool read_column(const struct held_table *t, const struct table_record *r, struct arg *ret)
{
	struct args args = args_of(t, r);

	for (unsigned i = 0; i < r->p->column; i++)
		if (args_next(&args, ret) || !ret->type)
			return false;
	return true;
}

static int compare_texts(const struct arg *a, const struct arg *b)
{
	size_t len = a->len < b->len ? a->len : b->len;
	int n = memcmp(a->s, b->s, len);

	return n ? n : (a->len > b->len) - (a->len < b->len);
}

static int compare_args(const struct arg *a, const struct arg *b)
{
	double x, y;

	if (a->type != b->type)
		return a->type - b->type;
	if (a->type == 's')
		return compare_texts(a, b);
	if (a->type != 'd')
		return (a->number > b->number) - (a->number < b->number);
	memcpy(&x, &a->number, sizeof(x));
	memcpy(&y, &b->number, sizeof(y));
	return (x > y) - (x < y);
}

/* Equal rows keep the order in which the script printed them. */
static int compare(const void *left, const void *right)
{
	const struct sorted_row *a = left, *b = right;
	int n = compare_args(&a->by, &b->by);

	if (!n)
		return (a->first > b->first) - (a->first < b->first);
	return a->ascends ? n : -n;
}

static bool show_records(struct show *s, size_t first, size_t n)
{
	const struct held_table *t = &s->held;
	bool ok = true;

	for (size_t i = first; i < first + n; i++) {
		const struct table_record *r = &t->records[i];

		ok &= show_row(s, r->p, t->bytes.s + r->at, r->len);
	}
	return ok;
}

/* Records before the first row are shown first, whatever the limit is. */
static bool show_sorted(struct show *s)
{
	struct held_table *t = &s->held;
	struct sorted_row *rows = memory_zeroed(t->n + 1, sizeof(*rows));
	size_t n = 0, before = 0;
	bool ok = true;

	for (size_t i = 0; i < t->n; i++) {
		struct sorted_row row = { .t = t, .first = i, .n = 1,
				   .ascends = t->records[i].p->ascends };

		if (t->records[i].p->column && read_column(t, &t->records[i], &row.by))
			rows[n++] = row;
		else if (n)
			rows[n - 1].n++;
		else
			before++;
	}
	qsort(rows, n, sizeof(*rows), compare);
	ok &= show_records(s, 0, before);
	for (size_t i = 0; i < n && (t->limit < 0 || i < (uint64_t)t->limit); i++)
		ok &= show_records(s, rows[i].first, rows[i].n);
	free(rows);
	return ok;
}

static bool finish(struct show *s)
{
	struct join join = { 0 };
	bool ok;

	/* From here on, records are shown. */
	s->held.open = false;
	join_rows(&join, s);
	ok = show_sorted(s);
	join_deinit(&join);
	return ok;
}

/* ---- edges ---- */

static int cpu_of(const struct show *s)
{
	return s->hit ? s->hit->cpu : -1;
}

static bool begin(struct show *s, const void *args, size_t len)
{
	struct args a = { "l", args, (const char *)args + len };
	struct held_table *t = &s->held;
	struct arg limit;

	if (args_next(&a, &limit))
		return false;
	t->open = true;
	t->limit = limit.number;
	t->cpu = cpu_of(s);
	t->probe = s->hit ? s->hit->number : 0;
	t->n = t->bytes.len = 0;
	return true;
}

bool table_takes(struct show *s, const struct meta_print *p, const void *args, size_t len,
		 bool *ok)
{
	struct held_table *t = &s->held;
	bool own = t->open && cpu_of(s) == t->cpu;

	*ok = true;
	if (p->edge == META_BEGIN || (own && s->hit && s->hit->number != t->probe)) {
		table_end(s);
		own = false;
	}
	if (p->edge == META_BEGIN)
		*ok = begin(s, args, len);
	else if (p->edge == META_END)
		*ok = !own || finish(s);
	else if (own)
		collect(t, p, args, len);
	return own || p->edge;
}

void table_end(struct show *s)
{
	if (s->held.open)
		finish(s);
}

void table_deinit(struct held_table *t)
{
	free(t->records);
	buf_deinit(&t->bytes);
	*t = (struct held_table){ 0 };
}
