/* SPDX-License-Identifier: GPL-2.0 */
/* From records to the text of metrics: names, labels, histograms, the limit, damaged records. */
#include <unistd.h>

#include "metrics/private.h"
#include "record_writer.h"
#include "unit.h"

static void put_log(struct record *r, uint32_t first, const uint64_t *counts, uint32_t n)
{
	struct prt_hist_data h = { .is_log = 1, .first = first, .n = n };

	put_hist(r, &h, counts);
}

static const char *lines(const struct buf *t)
{
	return t->s && t->len ? t->s : "";
}

TEST(names_and_labels)
{
	const struct meta_metric mm = { .name = "reads", .type = "counter", .unit = "",
					.labels = "program\nfd", .help = "" };
	const struct meta_print print = { .types = "sll" };
	struct metric_samples f = { .m = &mm, .print = &print };
	struct snapshot s = { .n = 1, .metrics = &f, .formats = METRICS_TEXT_BITS };
	struct record r = { .len = 0 };

	put_string(&r, "a\"b\\c\nd\xff\x1b\xc3\xa9", 11);
	put_long(&r, -3);
	put_long(&r, 42);
	assert_int_equal(sample_add(&s, &f, r.bytes, r.len), 0);
	assert_string_equal(lines(&f.text.values),
			    "reads_total{program=\"a\\\"b\\\\c\\nd\\\\xff\\\\x1b\xc3\xa9\","
			    "fd=\"-3\"} 42\n");
	assert_int_equal(s.series, 1);
	for (size_t len = 0; len < r.len; len += 8)
		assert_int_equal(sample_add(&s, &f, r.bytes, len), -1);
	buf_deinit(&f.text.values);
	buf_deinit(&s.labels);
}

TEST(strings)
{
	const struct meta_metric mm = { .name = "level", .type = "info", .unit = "",
					.labels = "", .help = "" };
	const struct meta_print print = { .types = "s" };
	struct metric_samples f = { .m = &mm, .print = &print };
	struct snapshot s = { .n = 1, .metrics = &f, .formats = METRICS_TEXT_BITS };
	struct record r = { .len = 0 };

	put_string(&r, "high", 4);
	assert_int_equal(sample_add(&s, &f, r.bytes, r.len), 0);
	assert_string_equal(lines(&f.text.values), "level_info{value=\"high\"} 1\n");
	buf_deinit(&f.text.values);
	buf_deinit(&s.labels);
}

/* Cumulative, from 0 on, and to the greatest bucket that was there before. */
TEST(histograms)
{
	const struct meta_metric mm = { .name = "t", .type = "histogram", .unit = "",
					.labels = "k", .help = "" };
	const struct meta_print print = { .types = "lllllH" };
	struct metric_samples f = { .m = &mm, .print = &print };
	struct snapshot s = { .n = 1, .metrics = &f, .formats = METRICS_TEXT_BITS };
	struct record r = { .len = 0 };

	/* 2 in [2, 4), 1 in [4, 8) */
	for (int i = 0; i < 5; i++)
		put_long(&r, (int64_t[]){ 9, 3, 10, 2, 5 }[i]);
	put_log(&r, 66, (uint64_t[]){ 2, 1 }, 2);
	assert_int_equal(sample_add(&s, &f, r.bytes, r.len), 0);
	assert_string_equal(lines(&f.text.values),
			    "t_bucket{k=\"9\",le=\"0\"} 0\n"
			    "t_bucket{k=\"9\",le=\"1\"} 0\n"
			    "t_bucket{k=\"9\",le=\"3\"} 2\n"
			    "t_bucket{k=\"9\",le=\"7\"} 3\n"
			    "t_bucket{k=\"9\",le=\"+Inf\"} 3\n"
			    "t_count{k=\"9\"} 3\n"
			    "t_sum{k=\"9\"} 10\n");
	assert_string_equal(lines(&f.text.least), "t_min{k=\"9\"} 2\n");
	assert_string_equal(lines(&f.text.most), "t_max{k=\"9\"} 5\n");
	f.text.values.len = 0;
	r.len = 0;
	for (int i = 0; i < 5; i++)
		put_long(&r, (int64_t[]){ 8, 2, -3, -4, 1 }[i]);
	put_log(&r, 61, (uint64_t[]){ 1, 0, 0, 0, 1 }, 5);
	assert_int_equal(sample_add(&s, &f, r.bytes, r.len), 0);
	assert_string_equal(lines(&f.text.values),
			    "t_bucket{k=\"8\",le=\"-4\"} 1\n"
			    "t_bucket{k=\"8\",le=\"-2\"} 1\n"
			    "t_bucket{k=\"8\",le=\"-1\"} 1\n"
			    "t_bucket{k=\"8\",le=\"0\"} 1\n"
			    "t_bucket{k=\"8\",le=\"1\"} 2\n"
			    "t_bucket{k=\"8\",le=\"3\"} 2\n"
			    "t_bucket{k=\"8\",le=\"7\"} 2\n"
			    "t_bucket{k=\"8\",le=\"+Inf\"} 2\n");
	buf_deinit(&f.text.values);
	buf_deinit(&f.text.least);
	buf_deinit(&f.text.most);
	buf_deinit(&s.labels);
	free(s.buckets.v);
}

/* Points for a collector: counts of single buckets, up to each bound and above the one before. */
TEST(points)
{
	const struct meta_metric mm = { .name = "t", .type = "histogram", .unit = "microseconds",
					.labels = "name\nk", .help = "x" };
	const struct meta_print print = { .types = "slllllH" };
	const struct metric_family family = { mm.name, mm.type, mm.unit, mm.help };
	struct metric_samples f = { .m = &mm, .print = &print };
	struct snapshot s = { .n = 1, .metrics = &f, .formats = 1 << METRICS_OTLP_JSON,
			      .times = { 5, 7 } };
	struct record r = { .len = 0 };
	struct buf t = { 0 };
	struct metrics_page page = { .text = &t, .format = METRICS_OTLP_JSON };

	put_string(&r, "a\"\xff", 3);
	for (int i = 0; i < 5; i++)
		put_long(&r, (int64_t[]){ -9, 3, 10, 2, 5 }[i]);
	put_log(&r, 66, (uint64_t[]){ 2, 1 }, 2);
	assert_int_equal(sample_add(&s, &f, r.bytes, r.len), 0);
	assert_int_equal(f.text.values.len, 0);
	otlp_open_metric(&page, &family);
	buf_write(&t, f.points.s, f.points.len);
	otlp_close_metric(&page);
	assert_string_equal(t.s, "{\"name\":\"t\",\"description\":\"x\",\"unit\":\"us\","
			    "\"histogram\":{\"aggregationTemporality\":2,\"dataPoints\":[{"
			    "\"attributes\":[{\"key\":\"name\",\"value\":{\"stringValue\":"
			    "\"a\\\"\xef\xbf\xbd\"}},"
			    "{\"key\":\"k\",\"value\":{\"intValue\":\"-9\"}}],"
			    "\"startTimeUnixNano\":\"5\",\"timeUnixNano\":\"7\",\"count\":\"3\","
			    "\"sum\":10,\"min\":2,\"max\":5,"
			    "\"bucketCounts\":[\"0\",\"0\",\"2\",\"1\",\"0\"],"
			    "\"explicitBounds\":[0,1,3,7]}]}}");
	for (size_t len = 0; len < r.len; len += 8)
		assert_int_equal(sample_add(&s, &f, r.bytes, len), -1);
	buf_deinit(&t);
	buf_deinit(&f.points);
	free(s.buckets.v);
}

TEST(the_limit)
{
	const struct meta_metric mm = { .name = "n", .type = "gauge", .unit = "", .labels = "k",
					.help = "" };
	const struct meta_print print = { .types = "ll" };
	struct metric_samples f = { .m = &mm, .print = &print };
	struct snapshot s = { .n = 1, .metrics = &f, .formats = METRICS_TEXT_BITS };
	size_t rows = 0;

	for (int i = 0; i < METRICS_SERIES_MAX + 7; i++) {
		struct record r = { .len = 0 };

		put_long(&r, i);
		put_long(&r, i);
		assert_int_equal(sample_add(&s, &f, r.bytes, r.len), 0);
	}
	for (size_t i = 0; i < f.text.values.len; i++)
		rows += f.text.values.s[i] == '\n';
	assert_int_equal(rows, METRICS_SERIES_MAX);
	assert_int_equal(s.series, METRICS_SERIES_MAX);
	assert_int_equal(s.left_out, 7);
	buf_deinit(&f.text.values);
	buf_deinit(&s.labels);
}

/* A sample of a histogram has lines for buckets that are not its own, too. */
TEST(the_limit_of_histograms)
{
	const struct meta_metric mm = { .name = "h", .type = "histogram", .unit = "",
					.labels = "k", .help = "" };
	const struct meta_print print = { .types = "lllllH" };
	struct metric_samples f = { .m = &mm, .print = &print };
	struct snapshot s = { .n = 1, .metrics = &f, .formats = METRICS_TEXT_BITS };
	const uint64_t one = 1;
	size_t rows = 0;

	for (int i = 0; i < METRICS_SERIES_MAX; i++) {
		struct record r = { .len = 0 };

		put_long(&r, i);
		put_long(&r, 1); /* count, sum, min, max */
		put_long(&r, 1 << 20);
		put_long(&r, 1 << 20);
		put_long(&r, 1 << 20);
		put_log(&r, 64 + 21, &one, 1);
		assert_int_equal(sample_add(&s, &f, r.bytes, r.len), 0);
	}
	for (size_t i = 0; i < f.text.values.len; i++)
		rows += f.text.values.s[i] == '\n';
	for (size_t i = 0; i < f.text.least.len; i++)
		rows += 2 * (f.text.least.s[i] == '\n');
	/* 0, the 21 powers up to the value's, +Inf; count, sum, min, max. */
	assert_int_equal(rows, METRICS_SERIES_MAX / 27 * 27);
	assert_int_equal(s.series, rows);
	assert_int_equal(s.series + s.left_out, METRICS_SERIES_MAX * 27);
	buf_deinit(&f.text.values);
	buf_deinit(&f.text.least);
	buf_deinit(&f.text.most);
	buf_deinit(&s.labels);
	free(s.buckets.v);
}

TEST(descriptions)
{
	struct buf t = { 0 };

	sample_describe(&t, METRICS_OPENMETRICS, "a_seconds", "", "counter", "seconds",
			"with \"quotes\"\nand \\");
	sample_describe(&t, METRICS_PROMETHEUS, "a_seconds", "", "counter", "seconds",
			"with \"quotes\"\nand \\");
	sample_describe(&t, METRICS_PROMETHEUS, "b", "", "info", "", "x");
	sample_describe(&t, METRICS_OPENMETRICS, "b", "_min", "gauge", "", "x");
	assert_string_equal(t.s, "# HELP a_seconds with \\\"quotes\\\"\\nand \\\\\n"
			    "# TYPE a_seconds counter\n"
			    "# UNIT a_seconds seconds\n"
			    "# HELP a_seconds_total with \"quotes\"\\nand \\\\\n"
			    "# TYPE a_seconds_total counter\n"
			    "# HELP b_info x\n"
			    "# TYPE b_info gauge\n"
			    "# HELP b_min x\n"
			    "# TYPE b_min gauge\n");
	buf_deinit(&t);
}

TEST(bad_addresses)
{
	static const char *const bad[] = { "", "x", "0", "65536", "1.2.3:9000", ":", "a:1", "::1:9",
					   "[::1]", "[::1:9", "9000x", "1.2.3.4:", "-5", " 5",
					   "999.1.1.1:80" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(metrics_listen(bad[i]), -1);
}
