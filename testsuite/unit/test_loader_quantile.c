// SPDX-License-Identifier: GPL-2.0
/* Quantiles of histograms, compared with the sorted values themselves. */
#include "quantile.h"
#include "show/args.h"
#include "show/percentiles.h"
#include "unit.h"

enum { VALUES = 1500, ROUNDS = 400, BUCKETS = PRT_HIST_LINEAR_MAX + 2 };

static uint64_t seed = 1;

static uint64_t any(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return seed >> 32 | seed << 32;
}

/* Draws a value of a distribution: constant, uniform, with two peaks, exponential with both signs,
 * all 64-bit numbers, edges of buckets. */
static int64_t draw(unsigned kind)
{
	int64_t edge = (int64_t)(1ULL << any() % 63);

	switch (kind) {
	case 0:
		return 77;
	case 1:
		return (int64_t)(any() % 1000);
	case 2:
		return (int64_t)(any() % 10 ? any() % 100 : 1000000 + any() % 100);
	case 3:
		return (int64_t)(any() >> any() % 64) * (any() % 4 ? 1 : -1);
	case 4:
		return (int64_t)any();
	case 5:
		return edge - (int64_t)(any() % 3) + 1;
	default:
		return -(int64_t)(any() % 50) - 1;
	}
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Returns the bucket that counts @v, by the bounds that the loader shows; those have a test of
 * their own. */
static uint32_t bucket_of(const struct arg *h, int64_t v)
{
	for (uint32_t i = 0; i < h->hist.n; i++) {
		struct args_bucket b = args_bucket(h, i);

		if ((!b.has_low || v >= b.low) && (!b.has_high || v <= b.high))
			return i;
	}
	fail_msg("no bucket for %lld", (long long)v);
	return 0;
}

static void fill(struct arg *h, uint64_t *counts, const int64_t *v, size_t n)
{
	memset(counts, 0, BUCKETS * sizeof(*counts));
	h->counts = (const char *)counts;
	h->hist.min = v[0];
	h->hist.max = v[n - 1];
	for (size_t i = 0; i < n; i++)
		counts[bucket_of(h, v[i])]++;
}

static void check(const struct arg *h, const int64_t *v, size_t n, unsigned millis)
{
	unsigned __int128 product = (unsigned __int128)n * millis;
	size_t rank = (size_t)((product + PRT_QUANTILE_WHOLE - 1) / PRT_QUANTILE_WHOLE);
	int64_t exact = v[rank ? rank - 1 : 0];
	struct prt_quantile q;

	assert_true(percentiles_get(h, millis, &q));
	if (q.low > exact || q.high < exact)
		fail_msg("%u of %zu values: %lld is not in %lld..%lld", millis, n, (long long)exact,
			 (long long)q.low, (long long)q.high);
	/* The documents promise the bucket of the exact value, and the exact value at both ends. */
	assert_int_equal(bucket_of(h, q.low), bucket_of(h, exact));
	assert_int_equal(bucket_of(h, q.high), bucket_of(h, exact));
	assert_int_equal(q.row, bucket_of(h, exact));
	if (rank <= 1 || rank == n)
		assert_true(q.low == exact && q.high == exact);
	if (h->hist.is_log && exact > 0)
		assert_true(exact / 2 < q.low);
	if (!h->hist.is_log && q.row > 0 && q.row < h->hist.n - 1)
		assert_true(exact - q.low < h->hist.width);
	assert_true(q.low >= v[0] && q.high <= v[n - 1]);
}

TEST(distributions)
{
	static const unsigned millis[] = {
		0, 1, 1000, 10000, 25000, 50000, 75000, 90000, 95000, 99000, 99900, 99999, 100000,
	};
	static int64_t v[VALUES];
	static uint64_t counts[BUCKETS];

	for (unsigned round = 0; round < ROUNDS; round++) {
		size_t n = 1 + any() % (round % 3 ? VALUES : 12);
		uint32_t buckets = 1 + (uint32_t)(any() % PRT_HIST_LINEAR_MAX);
		int64_t low = (int64_t)(any() % 100) - 50, width = 1 + (int64_t)(any() % 40);
		struct arg log = {
			.type = 'H', .hist = { .is_log = 1, .n = PRT_HIST_LOG_BUCKETS },
		};
		struct arg linear = { .type = 'H', .hist = {
			.n = buckets + 2, .low = low, .width = width,
			.high = low + buckets * width } };

		for (size_t i = 0; i < n; i++)
			v[i] = draw(round % 7);
		qsort(v, n, sizeof(*v), by_value);
		for (int is_linear = 0; is_linear < 2; is_linear++) {
			struct arg *h = is_linear ? &linear : &log;

			fill(h, counts, v, n);
			for (size_t i = 0; i < sizeof(millis) / sizeof(*millis); i++)
				check(h, v, n, millis[i]);
			check(h, v, n, (unsigned)(any() % (PRT_QUANTILE_WHOLE + 1)));
		}
	}
}

/* The histogram of a record omits empty buckets at its ends, and its counts are not aligned. */
TEST(cut)
{
	struct prt_hist_data all = {
		.is_log = 1, .n = PRT_HIST_LOG_BUCKETS, .min = 5, .max = 1000,
	};
	struct prt_hist_data part = { .is_log = 1, .n = 8, .first = 67, .min = 5, .max = 1000 };
	uint64_t counts[PRT_HIST_LOG_BUCKETS] = { [67] = 3, [70] = 4, [74] = 2 };
	char bytes[8 * sizeof(uint64_t) + 1];

	memcpy(bytes + 1, counts + 67, sizeof(bytes) - 1);
	for (unsigned millis = 0; millis <= PRT_QUANTILE_WHOLE; millis += 500) {
		struct prt_quantile a = prt_quantile(&all, counts, 9, millis);
		struct prt_quantile b = prt_quantile(&part, bytes + 1, 9, millis);

		assert_true(a.low == b.low && a.high == b.high && a.row == b.row + 67);
	}
}

/* Counts near 2^64 and sums that wrap: a damaged record gives some number and never faults. */
TEST(huge)
{
	struct prt_hist_data h = { .is_log = 1, .n = 2, .first = 65, .min = 1, .max = 3 };
	uint64_t most[] = { 1, UINT64_MAX - 1 }, half[] = { 1ULL << 63, (1ULL << 63) - 1 };

	assert_int_equal(prt_quantile(&h, most, UINT64_MAX, 50000).low, 2);
	assert_int_equal(prt_quantile(&h, half, UINT64_MAX, 50000).low, 1);
	assert_int_equal(prt_quantile(&h, half, UINT64_MAX, 50001).low, 2);
	assert_int_equal(prt_quantile(&h, half, UINT64_MAX, 100000).low, 3);
	prt_quantile(&h, half, 1, 100000);
}

static void check_bucket(const struct arg *h, uint32_t *at, int64_t low, int64_t high,
			 uint64_t count)
{
	struct args_bucket b;

	assert_true(args_next_bucket(h, at, &b));
	assert_true(b.has_low && b.has_high);
	assert_int_equal(b.low, low);
	assert_int_equal(b.high, high);
	assert_int_equal(b.count, count);
}

/* The buckets of an exponential histogram, those of a logarithmic one that are made of them, and
 * quantiles among values of which only the power of two is known. */
TEST(exponential)
{
	/* Three times 2; from 4 on, one value that is in no cell, twice 4 and once 7. */
	uint64_t counts[2 * PRT_EXP_SLOTS] = { [1] = 3, [PRT_EXP_SLOTS] = 1,
					       [PRT_EXP_SLOTS + 1] = 2,
					       [2 * PRT_EXP_SLOTS - 4] = 1 };
	struct arg h = { .type = 'H', .counts = (const char *)counts, .hist = {
		.is_log = PRT_HIST_EXP, .n = 2 * PRT_EXP_SLOTS, .first = 66 * PRT_EXP_SLOTS,
		.min = 2, .max = 7 } };
	struct prt_quantile q;
	struct args_bucket b;
	uint32_t at = 0;

	check_bucket(&h, &at, 2, 3, 3);
	check_bucket(&h, &at, 4, 7, 4);
	assert_false(args_next_bucket(&h, &at, &b));
	h.hist.rows = 4;
	at = 0;
	check_bucket(&h, &at, 2, 2, 3);
	check_bucket(&h, &at, 4, 7, 1);
	check_bucket(&h, &at, 4, 4, 2);
	check_bucket(&h, &at, 7, 7, 1);
	assert_false(args_next_bucket(&h, &at, &b));
	assert_true(percentiles_get(&h, 40000, &q));
	assert_true(q.value == 2 && q.low == 2 && q.high == 2);
	assert_true(percentiles_get(&h, 70000, &q));
	assert_true(q.value == 5 && q.low == 4 && q.high == 7);
	counts[PRT_EXP_SLOTS] = 0;
	assert_true(percentiles_get(&h, 70000, &q));
	assert_true(q.value == 4 && q.low == 4 && q.high == 4);
}
