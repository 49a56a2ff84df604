/* SPDX-License-Identifier: GPL-2.0 */
/* A comparison as tables. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "diff/show.h"

enum { COLUMNS = 6 };

struct line {
	const char *field[COLUMNS];
};

struct table {
	struct arena *a;
	unsigned columns, left; /* the first @left columns are words */
	VEC(struct line) lines;
};

static void print_table(const struct table *t)
{
	int width[COLUMNS] = { 0 };

	vec_each(it, &t->lines)
		for (unsigned i = 0; i < t->columns; i++)
			if ((int)strlen(it->field[i]) > width[i])
				width[i] = (int)strlen(it->field[i]);
	vec_each(it, &t->lines) {
		unsigned n = t->columns;

		while (n && !*it->field[n - 1])
			n--;
		for (unsigned i = 0; i < n; i++)
			printf("%s%*s", i ? "  " : "", i < t->left ? -width[i] : width[i],
			       it->field[i]);
		putchar('\n');
	}
}

static const char *number_text(struct arena *a, __int128 v, bool sign)
{
	unsigned __int128 left = v < 0 ? -(unsigned __int128)v : (unsigned __int128)v;
	char digits[48], *p = digits + sizeof(digits);

	*--p = '\0';
	do {
		*--p = (char)('0' + (int)(left % 10));
		left /= 10;
	} while (left);
	if (v < 0)
		*--p = '-';
	else if (sign && v > 0)
		*--p = '+';
	return arena_strdup(a, p);
}

static const char *value(struct arena *a, const struct saved_item *v)
{
	return v->kind == SAVED_NUMBER ? number_text(a, v->number, false) :
	       v->kind == SAVED_TEXT ? v->text : "-";
}

/* @beyond: what is shown for a change from 0. */
static const char *percent(struct arena *a, double p, const char *beyond)
{
	return isinf(p) ? beyond : p == 0 ? "" : arena_printf(a, "%+.1f%%", p);
}

static void print_rows(struct arena *a, const struct diff *d)
{
	struct table t = { .a = a, .columns = 6, .left = 2 };

	if (!d->rows.n)
		return;
	vec_push(a, &t.lines, ((struct line){ { "name", "value", "A", "B", "change", "" } }));
	vec_each(it, &d->rows) {
		bool words = it->a.kind == SAVED_TEXT || it->b.kind == SAVED_TEXT;
		struct line l = { {
			it->e->label, strcmp(it->part, "value") != 0 ? it->part : "",
			value(a, &it->a), value(a, &it->b),
			words ? "" : number_text(a, diff_change(it), true),
			words ? "" : it->a.kind == SAVED_NONE ? "new" :
			it->b.kind == SAVED_NONE ? "gone" :
				percent(a, diff_percent(it->a.number, diff_change(it)), "from 0"),
		} };

		vec_push(a, &t.lines, l);
	}
	print_table(&t);
}

static const char *bound(struct arena *a, bool has, int64_t v)
{
	return has ? arena_printf(a, "%" PRId64, v) : "";
}

static void print_histogram(struct arena *a, const struct diff_histogram *h)
{
	struct table t = { .a = a, .columns = 6 };

	printf("\n%s\n", h->e->label);
	vec_push(a, &t.lines, ((struct line){ { "low", "high", "A", "B", "change", "" } }));
	vec_each(it, &h->buckets) {
		__int128 change = (__int128)it->b - it->a;
		struct line l = { {
			bound(a, it->bounds.has_low, it->bounds.low),
			bound(a, it->bounds.has_high, it->bounds.high),
			number_text(a, it->a, false), number_text(a, it->b, false),
			number_text(a, change, true),
			percent(a, diff_percent(it->a, change), "new"),
		} };

		vec_push(a, &t.lines, l);
	}
	print_table(&t);
}

static void print_run(const char *side, const struct saved_run *r)
{
	printf("%s: %s", side, r->path);
	if (r->complete)
		printf(" (%s%s%s%s%.1f s, %" PRIu64 " hits)", r->script ? r->script : "",
		       r->script ? ", " : "", r->kernel ? r->kernel : "", r->kernel ? ", " : "",
		       r->seconds, r->hits);
	putchar('\n');
}

void diff_show_text(struct arena *a, const struct saved_run *runs, const struct diff *d)
{
	if (!d->rows.n && !d->histograms.n && !d->notes.n)
		return;
	print_run("A", &runs[0]);
	print_run("B", &runs[1]);
	vec_each(it, &d->notes)
		printf("note: %s\n", *it);
	if (d->rows.n)
		putchar('\n');
	print_rows(a, d);
	vec_each(it, &d->histograms)
		print_histogram(a, it);
}
