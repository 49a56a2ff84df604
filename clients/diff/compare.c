/* SPDX-License-Identifier: GPL-2.0 */
/* Compares two saved runs, element by element. */
#include "diff/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static __int128 magnitude(__int128 v)
{
	return v < 0 ? -v : v;
}

__int128 diff_change(const struct diff_row *row)
{
	if (row->a.kind == SAVED_TEXT || row->b.kind == SAVED_TEXT)
		return 0;
	return row->b.number - row->a.number;
}

double diff_percent(__int128 a, __int128 change)
{
	if (!change)
		return 0;
	if (!a)
		return change < 0 ? -INFINITY : INFINITY;
	return 100.0 * (double)change / (double)magnitude(a);
}

/* ---- elements ---- */

static bool same_value(const struct saved_item *a, const struct saved_item *b)
{
	if (a->kind != b->kind)
		return false;
	return a->kind == SAVED_TEXT ? strcmp(a->text, b->text) == 0 : a->number == b->number;
}

static struct saved_item part_of(const struct saved_element *e, const char *name)
{
	if (e)
		vec_each(it, &e->parts)
			if (strcmp(it->name, name) == 0)
				return it->value;
	return (struct saved_item){ 0 };
}

static void add_row(struct arena *arena, struct diff *d, struct diff_row row, bool all)
{
	bool same = same_value(&row.a, &row.b);

	d->different = d->different || !same;
	if (!same || all)
		vec_push(arena, &d->rows, row);
}

static void compare_parts(struct arena *arena, const struct saved_element *a,
			  const struct saved_element *b, bool all, struct diff *d)
{
	if (a)
		vec_each(it, &a->parts)
			add_row(arena, d, (struct diff_row){ a, it->name, it->value,
							     part_of(b, it->name) }, all);
	if (b)
		vec_each(it, &b->parts)
			if (part_of(a, it->name).kind == SAVED_NONE)
				add_row(arena, d,
					(struct diff_row){ b, it->name, { 0 }, it->value }, all);
}

/* ---- histograms ---- */

/* By their lower bounds; a bucket without one comes first. */
static int by_bounds(const struct saved_bucket *a, const struct saved_bucket *b)
{
	if (a->has_low != b->has_low)
		return a->has_low ? 1 : -1;
	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	if (a->has_high != b->has_high)
		return a->has_high ? -1 : 1;
	return a->high < b->high ? -1 : a->high > b->high;
}

/* Whether @inner lies within @outer. */
static bool holds(const struct saved_bucket *outer, const struct saved_bucket *inner)
{
	bool low = !outer->has_low || (inner->has_low && inner->low >= outer->low);
	bool high = !outer->has_high || (inner->has_high && inner->high <= outer->high);

	return low && high;
}

/* Adds up the buckets of @e from @*i on that lie within @outer. */
static uint64_t take_within(const struct saved_element *e, size_t n, size_t *i,
			    const struct saved_bucket *outer)
{
	uint64_t count = 0;

	while (*i < n && holds(outer, &e->buckets.v[*i]))
		count += e->buckets.v[(*i)++].count;
	return count;
}

/* A histogram may have finer buckets in one run than in the other (--percentiles): those of the
 * coarser one count. */
static void merge_buckets(struct arena *arena, const struct saved_element *a,
			  const struct saved_element *b, struct diff_histogram *h)
{
	size_t na = a && a->has_histogram ? a->buckets.n : 0, i = 0;
	size_t nb = b && b->has_histogram ? b->buckets.n : 0, j = 0;

	while (i < na || j < nb) {
		const struct saved_bucket *x = i < na ? &a->buckets.v[i] : NULL;
		const struct saved_bucket *y = j < nb ? &b->buckets.v[j] : NULL;
		const struct saved_bucket *outer = !y || (x && holds(x, y)) ? x :
						   !x || holds(y, x) ? y :
						   by_bounds(x, y) < 0 ? x : y;
		struct diff_bucket k = { .bounds = *outer };

		k.a = take_within(a, na, &i, outer);
		k.b = take_within(b, nb, &j, outer);
		h->moved += k.a > k.b ? k.a - k.b : k.b - k.a;
		vec_push(arena, &h->buckets, k);
	}
}

static void compare_histograms(struct arena *arena, const struct saved_element *a,
			       const struct saved_element *b, bool all, struct diff *d)
{
	struct diff_histogram h = { .e = a && a->has_histogram ? a : b };

	if (!(a && a->has_histogram) && !(b && b->has_histogram))
		return;
	merge_buckets(arena, a, b, &h);
	d->different = d->different || h.moved;
	if ((h.moved || all) && h.buckets.n)
		vec_push(arena, &d->histograms, h);
}

/* ---- order ---- */

static int by_name(const struct saved_element *a, const struct saved_element *b)
{
	return strcmp(a->label, b->label);
}

static int compare_absolute(const void *x, const void *y)
{
	const struct diff_row *a = x, *b = y;
	__int128 ca = magnitude(diff_change(a)), cb = magnitude(diff_change(b));

	return ca != cb ? (ca < cb ? 1 : -1) : by_name(a->e, b->e);
}

static int compare_relative(const void *x, const void *y)
{
	const struct diff_row *a = x, *b = y;
	double pa = fabs(diff_percent(a->a.number, diff_change(a)));
	double pb = fabs(diff_percent(b->a.number, diff_change(b)));

	return pa != pb ? (pa < pb ? 1 : -1) : compare_absolute(x, y);
}

static int compare_name(const void *x, const void *y)
{
	const struct diff_row *a = x, *b = y;

	return by_name(a->e, b->e) ? by_name(a->e, b->e) : strcmp(a->part, b->part);
}

static int compare_moved(const void *x, const void *y)
{
	const struct diff_histogram *a = x, *b = y;

	return a->moved != b->moved ? (a->moved < b->moved ? 1 : -1) : by_name(a->e, b->e);
}

static int compare_histogram_name(const void *x, const void *y)
{
	const struct diff_histogram *a = x, *b = y;

	return by_name(a->e, b->e);
}

static void sort(struct diff *d, enum diff_order order)
{
	if (d->rows.n)
		qsort(d->rows.v, d->rows.n, sizeof(*d->rows.v),
		      order == DIFF_ABSOLUTE ? compare_absolute :
		      order == DIFF_RELATIVE ? compare_relative : compare_name);
	if (d->histograms.n)
		qsort(d->histograms.v, d->histograms.n, sizeof(*d->histograms.v),
		      order == DIFF_NAME ? compare_histogram_name : compare_moved);
}

/* ---- notes ---- */

static void doubts_about(struct arena *a, const struct saved_run *r, struct diff *d)
{
#define NOTE(...) vec_push(a, &d->notes, arena_printf(a, __VA_ARGS__))
	if (!r->complete) {
		NOTE("%s has no summary: the run did not end, or the file is cut off", r->path);
		return;
	}
	if (r->overload)
		NOTE("%s ended early because of an overload", r->path);
	else if (r->status)
		NOTE("%s ended with status %" PRId64, r->path, r->status);
	if (r->skipped)
		NOTE("%s skipped %" PRIu64 " hits and handled %" PRIu64
		     ": its numbers are too small", r->path, r->skipped, r->hits);
	if (r->errors)
		NOTE("%s has %" PRIu64 " hits that ended with an error", r->path, r->errors);
	if (r->not_stored)
		NOTE("%s did not store %" PRIu64 " new elements, because their arrays were full",
		     r->path, r->not_stored);
	if (r->lost)
		NOTE("%s lost the output of %" PRIu64 " hits", r->path, r->lost);
}

static bool same_probes(const struct saved_run *a, const struct saved_run *b)
{
	if (a->probes.n != b->probes.n)
		return false;
	for (size_t i = 0; i < a->probes.n; i++)
		if (strcmp(a->probes.v[i], b->probes.v[i]) != 0)
			return false;
	return true;
}

static void doubts(struct arena *a, const struct saved_run *r, struct diff *d)
{
	double more = r[0].seconds > r[1].seconds ? r[0].seconds : r[1].seconds;
	double apart = fabs(r[0].seconds - r[1].seconds);

	doubts_about(a, &r[0], d);
	doubts_about(a, &r[1], d);
	if (!r[0].complete || !r[1].complete)
		return;
	if (!same_probes(&r[0], &r[1]))
		NOTE("the probes of the two runs differ; values are compared by name");
	if (r[0].kernel && r[1].kernel && strcmp(r[0].kernel, r[1].kernel) != 0)
		NOTE("the kernels differ: %s and %s", r[0].kernel, r[1].kernel);
	if (more > 5 ? apart > more / 10 : apart > 0.5)
		NOTE("the runs took %.1f and %.1f seconds", r[0].seconds, r[1].seconds);
#undef NOTE
}

void diff_compare(struct arena *a, const struct saved_run *runs, enum diff_order order, bool all,
		  struct diff *ret)
{
	*ret = (struct diff){ 0 };
	map_each(it, &runs[0].elements) {
		const struct saved_element *e = it->value, *other;

		other = map_get(&runs[1].elements, it->key);
		ret->compared += other != NULL;
		compare_parts(a, e, other, all, ret);
		compare_histograms(a, e, other, all, ret);
	}
	map_each(it, &runs[1].elements) {
		if (map_get(&runs[0].elements, it->key))
			continue;
		compare_parts(a, NULL, it->value, all, ret);
		compare_histograms(a, NULL, it->value, all, ret);
	}
	doubts(a, runs, ret);
	sort(ret, order);
}
