/* SPDX-License-Identifier: GPL-2.0 */
/* Quantiles of five distributions of a million values each, against the sorted list of the values,
 * and the histogram of random parts merged in random order against that of all values. */
#include <stdlib.h>

#include "abi/quantile.h"
#include "aggregate.h"
#include "machine.h"
#include "twin.h"

enum { VALUES = 1000000, PARTS = 20, SRCLOC = 3 };

static const struct prt_stat_type exponential = {
	.ops = PRT_STAT_MIN | PRT_STAT_MAX | PRT_STAT_HIST_EXP, .buckets = PRT_HIST_LOG_BUCKETS,
};

static struct prt_hists stock;

static double fraction(void)
{
	return ((double)(twin_random() >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void)
{
	return __builtin_sqrt(-2 * __builtin_log(fraction())) *
	       __builtin_cos(6.283185307179586 * fraction());
}

static s64 uniform(void)
{
	return (s64)twin_below(1000000);
}

static s64 decaying(void)
{
	return (s64)(-52380 * __builtin_log(fraction()));
}

static s64 log_normal(void)
{
	return (s64)__builtin_exp(10 + 2 * normal());
}

static s64 two_peaks(void)
{
	return (s64)(twin_below(10) ? 300 + 50 * normal() : 5e6 + 5e5 * normal());
}

static s64 heavy_tail(void)
{
	return (s64)(1000 / __builtin_pow(fraction(), 0.8));
}

/* Values of either sign, among them those whose buckets hold one number each. */
static s64 small(void)
{
	return (s64)twin_below(31) - 15;
}

static struct prt_stat *make(void)
{
	struct prt_stat *st = calloc(1, prt_stat_size(&exponential) +
				     prt_stat_pool_size(&exponential, 0));

	prt_stat_init(st, &exponential, &stock);
	CHECK(prt_hists_add_copy(&stock, PRT_EXP_PIECES) == 0, "no memory");
	return st;
}

static void add(struct prt_stat *st, s64 v)
{
	PRT_STAT_ADD(st, v, PRT_STAT_MIN | PRT_STAT_MAX | PRT_STAT_HIST_EXP, PRT_HIST_LOG_BUCKETS,
		     0, 0, 0);
	/* The work item does this. */
	if (stock.made - stock.taken < stock.spare)
		prt_hists_fill(&stock);
}

static int by_value(const void *a, const void *b)
{
	const s64 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void check_quantiles(const char *name, const struct prt_stat *st, s64 *v)
{
	static const u32 millis[] = { 1000, 50000, 90000, 99000, 99900 };
	struct prt_ctx *c = machine_context(0, 0);
	u32 i;

	qsort(v, VALUES, sizeof(*v), by_value);
	for (i = 0; i < sizeof(millis) / sizeof(*millis); i++) {
		s64 got = prt_stat_quantile(c, st, &exponential, millis[i], SRCLOC);
		s64 want = v[(u64)VALUES * millis[i] / PRT_QUANTILE_WHOLE - 1];
		double off = __builtin_fabs((double)(got - want));

		CHECK(want > 15 || want < -15 ? off <= 0.03 * __builtin_fabs((double)want) :
						got == want,
		      "%s, %u: %lld, not %lld", name, millis[i], got, want);
	}
}

/* The merged parts have the record of all values, byte for byte. */
static void check_parts(const char *name, const struct prt_stat *all, const s64 *v)
{
	struct prt_stat *part[PARTS];
	char *want = malloc(prt_hist_room(all, &exponential)), *got;
	u32 i, room = prt_hist_room(all, &exponential), n = 1 + (u32)twin_below(PARTS);

	for (i = 0; i < n; i++)
		part[i] = make();
	for (i = 0; i < VALUES; i++)
		add(part[twin_below(n)], v[i]);
	for (; n > 1; n--) {
		u32 to = (u32)twin_below(n - 1);

		prt_stat_merge(part[to], part[n - 1], &exponential);
		free(part[n - 1]);
	}
	CHECK(prt_hist_room(part[0], &exponential) == room, "%s: a record of another size", name);
	got = malloc(room);
	prt_put_hist(want, all, &exponential, 0);
	prt_put_hist(got, part[0], &exponential, 0);
	CHECK(memcmp(want, got, room) == 0, "%s: merged to something else", name);
	free(part[0]);
	free(want);
	free(got);
}

TWIN_TEST(quantile)
{
	static const struct { const char *name; s64 (*draw)(void); } distributions[] = {
		{ "uniform", uniform }, { "exponential", decaying }, { "log-normal", log_normal },
		{ "two peaks", two_peaks }, { "heavy tail", heavy_tail }, { "small", small },
	};
	s64 *v = malloc(VALUES * sizeof(*v));
	static struct prt_probe probe;
	u32 i, k;

	twin_script.probes = &probe;
	twin_script.nprobes = 1;
	CHECK(machine_open(PRT_RING_MIN) == 0, "no session");
	for (k = 0; k < sizeof(distributions) / sizeof(*distributions); k++) {
		struct prt_stat *st;

		CHECK(prt_hists_begin(&stock, &prt_hists_of_scalars, PRT_EXP_PIECE_BYTES,
				      PARTS + 1) == 0, "no memory");
		st = make();
		for (i = 0; i < VALUES; i++)
			add(st, v[i] = distributions[k].draw());
		check_parts(distributions[k].name, st, v);
		check_quantiles(distributions[k].name, st, v);
		free(st);
		prt_hists_end(&stock);
	}
	free(v);
	machine_close();
}
