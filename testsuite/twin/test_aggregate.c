/* SPDX-License-Identifier: GPL-2.0 */
/* Compares aggregates with a list of all their values, which is added up in 128 bits. */
#include <stdlib.h>

#include "abi/quantile.h"
#include "aggregate.h"
#include "machine.h"
#include "twin.h"

static struct prt_hists stock; /* of the aggregates that have no pool of their own */

enum { VALUES = 300, BANKS = 4, BUCKETS = PRT_HIST_LINEAR_MAX + 2, SRCLOC = 3 };

static struct prt_stat_type random_type(void)
{
	struct prt_stat_type t = { .ops = PRT_STAT_SUM | PRT_STAT_MIN | PRT_STAT_MAX |
					  PRT_STAT_VARIANCE };
	u32 n;

	switch (twin_below(4)) {
	case 0:
		t.ops |= PRT_STAT_HIST_LOG;
		t.buckets = PRT_HIST_LOG_BUCKETS;
		break;
	case 1:
		n = 1 + (u32)twin_below(PRT_HIST_LINEAR_MAX);
		t.ops |= PRT_STAT_HIST_LINEAR;
		t.width = 1 + (s64)twin_below(twin_below(2) ? 10 : 1ull << 40);
		t.low = (s64)twin_below(2000) - 1000;
		t.high = t.low + n * t.width;
		t.buckets = n + 2;
		break;
	case 2:
		t.ops |= PRT_STAT_HIST_EXP;
		t.buckets = PRT_HIST_LOG_BUCKETS;
	}
	return t;
}

/* Makes values whose squares all fit into 64 bits, or need 128 while the variance does not, or
 * arbitrary ones, and values at the edges of buckets. */
static s64 random_value(const struct prt_stat_type *t, unsigned kind)
{
	s64 v = twin_value();

	if (t->width && twin_below(4) == 0)
		return t->low + (s64)twin_below(t->buckets) * t->width + (s64)twin_below(3) - 1;
	return kind == 0 ? v % 1000000 : kind == 1 ? (s32)twin_random() : v;
}

static bool in_bucket(const struct prt_stat_type *t, u32 i, s64 v)
{
	__int128 low = t->low, at = low + (__int128)t->width * ((s64)i - 1), one = 1;

	if (t->ops & PRT_STAT_HIST_LINEAR)
		return i == 0 ? v < low : i == t->buckets - 1 ? v >= t->high :
								v >= at && v < at + t->width;
	if (i == 64)
		return v == 0;
	if (i > 64)
		return v >= one << (i - 65) && v < one << (i - 64);
	return -(__int128)v >= one << (63 - i) && -(__int128)v < one << (64 - i);
}

static void check_hist(const struct prt_stat *st, const struct prt_stat_type *t, const s64 *v,
		       u32 n)
{
	struct prt_ctx *c = machine_context(0, 0);
	struct prt_hist_data *h = malloc(prt_hist_room(st, t));
	u32 i, k, end;

	for (i = 0; i < t->buckets; i++) {
		s64 want = 0, got;

		for (k = 0; k < n; k++)
			want += in_bucket(t, i, v[k]);
		got = prt_stat_bucket(c, st, t, 0, i, SRCLOC);
		CHECK(got == want, "bucket %u: %lld, not %lld", i, got, want);
	}
	CHECK(!c->err, "error %u", c->err);
	prt_stat_bucket(c, st, t, 0, twin_below(2) ? -1 : (s64)t->buckets, SRCLOC);
	CHECK(c->err == PRT_E_BAD_VALUE, "a bucket outside is not an error");
	/* A record fills exactly its room and omits no bucket that counts something. */
	CHECK(prt_put_hist((char *)h, st, t, 0) == (char *)h + prt_hist_room(st, t),
	      "another length");
	end = h->first + h->n;
	for (i = 0; i < t->buckets && h->is_log != PRT_HIST_EXP; i++) {
		u64 inside = i >= h->first && i < end ? ((u64 *)(h + 1))[i - h->first] : 0;

		CHECK(inside == (st->count ? st->hist[i] : 0), "bucket %u of the record", i);
	}
	free(h);
}

static void check_variance(struct prt_ctx *c, const struct prt_stat *st, const s64 *v, u32 n)
{
	unsigned __int128 squares = 0, spread;
	__int128 sum = 0, got, want;
	u32 k;

	for (k = 0; k < n; k++) {
		squares += (unsigned __int128)((__int128)v[k] * v[k]);
		sum += v[k];
	}
	/* The variance is checked only where the exact result can be computed here. */
	if (sum != (s64)sum || squares >> 120)
		return;
	got = prt_stat_variance(c, st, (s64)twin_below(64), SRCLOC);
	if (n < 2) {
		CHECK(got == 0, "variance of one value");
		return;
	}
	/* n * squares may be too large; then the rounding of sum * sum / n may add one to the
	 * result. */
	spread = squares - (unsigned __int128)(sum * sum) / n;
	want = (__int128)(spread / (n - 1));
	if (!(squares >> 64))
		want = (__int128)((squares * n - (unsigned __int128)(sum * sum)) /
				  ((unsigned __int128)n * (n - 1)));
	if (want != (s64)want)
		want = S64_MAX;
	CHECK(got == want, "variance %lld, not %lld", (s64)got, (s64)want);
}

static int by_value(const void *a, const void *b)
{
	const s64 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* The histogram's record gives the same number. */
static void check_record(const struct prt_stat *st, const struct prt_stat_type *t, u32 percent,
			 s64 want)
{
	struct prt_hist_data *h = malloc(prt_hist_room(st, t));
	s64 got;

	prt_put_hist((char *)h, st, t, 0);
	got = prt_quantile(h, h + 1, st->count, percent * (PRT_QUANTILE_WHOLE / 100)).value;
	CHECK(got == want, "%u%% is %lld in the record, %lld here", percent, got, want);
	free(h);
}

/* The quantile is the lower bound of the bucket that holds the value of that rank, but never less
 * than the minimum. */
static void check_quantile(struct prt_ctx *c, const struct prt_stat *st,
			   const struct prt_stat_type *t, const s64 *v, u32 n)
{
	u32 percent = (u32)twin_below(101), rank = (n * percent + 99) / 100, i;
	s64 got = prt_stat_quantile(c, st, t, percent * (PRT_QUANTILE_WHOLE / 100), SRCLOC), of;
	s64 *in_order = malloc(n * sizeof(*v));
	__int128 least;

	memcpy(in_order, v, n * sizeof(*v));
	qsort(in_order, n, sizeof(*v), by_value);
	of = in_order[rank ? rank - 1 : 0];
	for (i = 0; !in_bucket(t, i, of); i++)
		;
	if (t->ops & PRT_STAT_HIST_LOG)
		least = i == 64 ? 0 : i > 64 ? (__int128)1 << (i - 65) :
					       1 - ((__int128)1 << (64 - i));
	else
		least = i == 0 ? S64_MIN : t->low + (__int128)(i - 1) * t->width;
	least = least < in_order[0] ? in_order[0] : least;
	least = least > in_order[n - 1] ? in_order[n - 1] : least;
	if (rank == 0 || rank == n)
		least = in_order[rank ? n - 1 : 0];
	CHECK(got == least, "%u%% of %u: %lld, not %lld", percent, n, got, (s64)least);
	check_record(st, t, percent, got);
	free(in_order);
}

/* The record of an exponential histogram: no cell counts more values than there are; a doubling
 * that is not coarse counts all of them in their cells, and quantiles there are within 3 per cent
 * of the value of the rank. */
static void check_exp_record(const struct prt_hist_data *h, const s64 *v, u32 n)
{
	const u64 *counts = (const u64 *)(h + 1);
	u32 i, k;

	for (i = 0; i < h->n; i++) {
		u32 slot = (h->first + i) % PRT_EXP_SLOTS;
		struct prt_bounds b = prt_bucket_bounds(h, h->first + i);
		u64 there = 0, zero = (h->first + i) / PRT_EXP_SLOTS == 64;

		for (k = 0; k < n; k++)
			there += v[k] >= b.low && v[k] <= b.high;
		CHECK(counts[i] <= there, "bucket %u counts too much", i);
		CHECK(slot == 0 || counts[i - slot] || zero || counts[i] == there,
		      "bucket %u of a record", i);
	}
}

static void check_exp(const struct prt_stat *st, const struct prt_stat_type *t, const s64 *v,
		      u32 n)
{
	struct prt_hist_data *h = malloc(prt_hist_room(st, t));
	s64 *in_order = malloc(n * sizeof(*v)), exact, got;
	struct prt_ctx *c = machine_context(0, 0);
	u32 millis = (u32)twin_below(PRT_QUANTILE_WHOLE + 1), rank;
	struct prt_quantile q;
	bool coarse, neighbours;

	prt_put_hist((char *)h, st, t, 0);
	check_exp_record(h, v, n);
	memcpy(in_order, v, n * sizeof(*v));
	qsort(in_order, n, sizeof(*v), by_value);
	rank = (u32)(((u64)n * millis + PRT_QUANTILE_WHOLE - 1) / PRT_QUANTILE_WHOLE);
	exact = in_order[rank ? rank - 1 : 0];
	q = prt_quantile(h, h + 1, st->count, millis);
	got = prt_stat_quantile(c, st, t, millis, SRCLOC);
	CHECK(got == q.value, "%lld in the record, %lld here", q.value, got);
	CHECK(exact >= q.low && exact <= q.high, "%lld is not in %lld..%lld", exact, q.low, q.high);
	coarse = exact && prt_stat_slot(st, prt_hist_log_bucket(exact) * PRT_EXP_SLOTS);
	/* 27 and 28, and 32 and 33, share a bucket. */
	neighbours = llabs(exact) < 34 && llabs(got - exact) == 1;
	CHECK(coarse || neighbours || __builtin_fabsl((long double)got - exact) <=
	      0.03L * __builtin_fabsl((long double)exact), "%lld, not %lld", got, exact);
	CHECK(coarse || exact > 15 || exact < -15 || got == exact, "%lld, not %lld", got, exact);
	free(in_order);
	free(h);
}

/* Half of the aggregates take blocks as scalars do, and half of them as elements do; random ones
 * have few. */
static struct prt_stat *make_stat(const struct prt_stat_type *t)
{
	u32 size = prt_stat_size(t);
	struct prt_stat *st = calloc(1, size + prt_stat_pool_size(t, PRT_EXP_POOL));
	bool scalar = twin_below(2);

	prt_stat_init(st, t, scalar ? &stock : NULL);
	if (t->ops & PRT_STAT_HIST_EXP && !scalar)
		((struct prt_exp_pool *)((char *)st + size))->size =
			twin_below(3) ? PRT_EXP_POOL : (u32)twin_below(8);
	return st;
}

/* The work item, which is in time or not. */
static void fill_stock(void)
{
	if (twin_below(2))
		prt_hists_fill(&stock);
}

static void check(const struct prt_stat *st, const struct prt_stat_type *t, const s64 *v, u32 n)
{
	struct prt_ctx *c = machine_context(0, 0);
	s64 least = n ? v[0] : 0, most = least;
	u64 sum = 0;
	u32 k;

	for (k = 0; k < n; k++) {
		sum += (u64)v[k];
		least = v[k] < least ? v[k] : least;
		most = v[k] > most ? v[k] : most;
	}
	CHECK(prt_stat_count(st) == n, "count %lld, not %u", prt_stat_count(st), n);
	CHECK(prt_stat_sum(st) == (s64)sum, "sum %lld, not %lld", prt_stat_sum(st), (s64)sum);
	if (!n) {
		s64 (*const f[])(struct prt_ctx *, const struct prt_stat *, u32) = {
			prt_stat_min, prt_stat_max, prt_stat_avg };

		f[twin_below(3)](c, twin_below(2) ? st : NULL, SRCLOC);
		CHECK(c->err == PRT_E_EMPTY_AGGREGATE && c->err_srcloc == SRCLOC, "error %u",
		      c->err);
		return;
	}
	CHECK(prt_stat_min(c, st, SRCLOC) == least, "min");
	CHECK(prt_stat_max(c, st, SRCLOC) == most, "max");
	CHECK(prt_stat_avg(c, st, SRCLOC) == (s64)sum / (s64)n, "avg");
	CHECK(prt_stat_extract(st, 0) == n && prt_stat_extract(st, 1) == (s64)sum &&
	      prt_stat_extract(st, 2) == least && prt_stat_extract(st, 3) == most &&
	      prt_stat_extract(st, 4) == (s64)sum / (s64)n, "what is sorted by");
	check_variance(c, st, v, n);
	if (t->buckets && !(t->ops & PRT_STAT_HIST_EXP))
		check_quantile(c, st, t, v, n);
	CHECK(!c->err, "error %u", c->err);
	if (t->buckets)
		check_hist(st, t, v, n);
	if (t->ops & PRT_STAT_HIST_EXP)
		check_exp(st, t, v, n);
}

/* The values are distributed over several banks, which are merged at the end, as collecting
 * does. */
static void one_aggregate(void)
{
	struct prt_stat_type t = random_type();
	struct prt_stat *bank[BANKS];
	u32 n = (u32)twin_below(VALUES), i;
	unsigned kind = (unsigned)twin_below(3);
	s64 v[VALUES];

	CHECK(prt_hists_begin(&stock, &prt_hists_of_scalars, PRT_EXP_PIECE_BYTES, BANKS) == 0,
	      "no memory");
	for (i = 0; i < BANKS; i++) {
		CHECK(prt_hists_add_copy(&stock, PRT_EXP_PIECES) == 0, "no memory");
		bank[i] = make_stat(&t);
	}
	for (i = 0; i < n; i++) {
		v[i] = random_value(&t, kind);
		PRT_STAT_ADD(bank[twin_below(BANKS)], v[i], t.ops, t.buckets, t.low, t.high,
			     t.width);
		fill_stock();
	}
	for (i = 1; i < BANKS; i++) {
		fill_stock();
		prt_stat_merge(bank[0], bank[i], &t);
	}
	check(bank[0], &t, v, n);
	for (i = 0; i < BANKS; i++)
		free(bank[i]);
	prt_hists_end(&stock);
}

TWIN_TEST(aggregate)
{
	static struct prt_probe probe;
	u64 i;

	twin_script.probes = &probe;
	twin_script.nprobes = 1;
	CHECK(machine_open(PRT_RING_MIN) == 0, "no session");
	for (i = 0; i < twin_rounds(500); i++)
		one_aggregate();
	machine_close();
}
