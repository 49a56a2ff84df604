/* SPDX-License-Identifier: GPL-2.0 */
/* The rows of --monitor: from a text of metrics, with the rates since the one before. */
#include <math.h>

#include "monitor/model.h"
#include "unit.h"

#define SECOND 1000000000LL
#define OF_SCRIPT "script=\"my-reads.kp\""

static void take(struct model *m, const char *s, int64_t now)
{
	struct buf t = { 0 };

	buf_puts(&t, s);
	model_read(m, &t, now);
	buf_deinit(&t);
}

static const struct model_row *row(const struct model *m, const char *name, const char *labels)
{
	for (size_t i = 0; i < m->n; i++)
		if (strcmp(m->rows[i].name, name) == 0 && strcmp(m->rows[i].labels, labels) == 0)
			return &m->rows[i];
	fail_msg("no row %s{%s}", name, labels);
	return NULL;
}

static void is(double a, double b)
{
	assert_true(fabs(a - b) < 1e-9);
}

TEST(rows)
{
	struct model m = { 0 };
	const struct model_row *r;

	take(&m, "# HELP probec_my_reads_n What it counts.\n"
		 "# TYPE probec_my_reads_n_total counter\n"
		 "probec_my_reads_n_total 7\n"
		 "# TYPE probec_my_reads_last gauge\n"
		 "probec_my_reads_last{key=\"a \\\"b\\\\\",key2=\"1\"} -3\n"
		 "# TYPE own_name gauge\n"
		 "own_name 1.5\n"
		 "# TYPE probec_my_reads_state_info gauge\n"
		 "probec_my_reads_state_info{value=\"it is \\\"up\\\"\"} 1\n"
		 "# TYPE proberun_info gauge\n"
		 "proberun_info{" OF_SCRIPT ",release=\"6.1\",version=\"1\"} 1\n", SECOND);
	assert_int_equal(m.n, 4);
	is(row(&m, "n", "")->value, 7);
	is(row(&m, "n", "")->rate, 0);
	is(row(&m, "last", "key=\"a \\\"b\\\\\",key2=\"1\"")->value, -3);
	is(row(&m, "own_name", "")->value, 1.5);
	r = row(&m, "state", "");
	assert_string_equal(r->text, "it is \"up\"");
	assert_false(r->is_aggregate);
	assert_int_equal(m.taken, SECOND);
	model_deinit(&m);
}

TEST(aggregates)
{
	struct model m = { 0 };
	const struct model_row *r;

	take(&m, "# TYPE us histogram\n"
		 "us_bucket{key=\"a\",le=\"1\"} 30\n"
		 "us_bucket{key=\"a\",le=\"3\"} 40\n"
		 "us_bucket{key=\"a\",le=\"+Inf\"} 41\n"
		 "us_count{key=\"a\"} 41\n"
		 "us_sum{key=\"a\"} 60\n"
		 "us_count{key=\"b\"} 2\n"
		 "# TYPE us_min gauge\nus_min{key=\"a\"} 1\n"
		 "# TYPE us_max gauge\nus_max{key=\"a\"} 9\n"
		 /* Not of an aggregate. */
		 "# TYPE us_maximum gauge\nus_maximum 5\n", SECOND);
	assert_int_equal(m.n, 3);
	r = row(&m, "us", "key=\"a\"");
	assert_true(r->is_aggregate);
	is(r->value, 41);
	is(r->sum, 60);
	is(r->min, 1);
	is(r->max, 9);
	/* Each bucket without those before it. */
	assert_int_equal(r->nbuckets, 3);
	is(m.buckets[r->first].bound, 1);
	is(m.buckets[r->first].count, 30);
	is(m.buckets[r->first + 1].count, 10);
	assert_true(isinf(m.buckets[r->first + 2].bound));
	is(m.buckets[r->first + 2].count, 1);
	r = row(&m, "us", "key=\"b\"");
	is(r->value, 2);
	assert_true(isnan(r->sum));
	assert_int_equal(r->nbuckets, 0);
	is(row(&m, "us_maximum", "")->value, 5);
	model_deinit(&m);
}

#define PROBE(n, point) "{" OF_SCRIPT ",probe=\"" #n "\",point=\"" point "\""

TEST(probes)
{
	struct model m = { 0 };

	take(&m, "# TYPE proberun_hits counter\n"
		 "proberun_hits_total" PROBE(0, "begin") "} 1\n"
		 "proberun_of_a_newer_one_total" PROBE(0, "begin") "} 1\n"
		 "proberun_hits_total" PROBE(2, "kernel.function(\\\"f\\\")") "} 100\n"
		 "proberun_errors_total" PROBE(2, "x") "} 3\n"
		 "proberun_skipped_hits_total" PROBE(2, "x") ",reason=\"busy\"} 4\n"
		 "proberun_skipped_hits_total" PROBE(2, "x") ",reason=\"lock\"} 5\n"
		 "proberun_handler_seconds_total" PROBE(2, "kernel.function(\\\"f\\\")") "} 0.5\n"
		 "proberun_hits_total" PROBE(100001, "far") "} 1\n"
		 "proberun_lost_output_total{" OF_SCRIPT "} 7\n"
		 "proberun_lost_stacks_total{" OF_SCRIPT "} 2\n", SECOND);
	assert_int_equal(m.n, 0);
	assert_int_equal(m.nprobes, 3);
	assert_string_equal(m.probes[0].point, "begin");
	assert_string_equal(m.probes[1].point, "");
	assert_string_equal(m.probes[2].point, "kernel.function(\"f\")");
	is(m.probes[2].hits, 100);
	is(m.probes[2].errors, 3);
	is(m.probes[2].skipped, 9);
	is(m.probes[2].seconds, 0.5);
	is(m.probes[2].rate, 0);
	is(m.lost, 9);
	model_deinit(&m);
}

TEST(rates)
{
	struct model m = { 0 };

	take(&m, "a 10\nb 5\n# TYPE proberun_hits counter\n"
		 "proberun_hits_total" PROBE(0, "p") "} 100\n"
		 "proberun_handler_seconds_total" PROBE(0, "p") "} 1\n", 10 * SECOND);
	take(&m, "a 16\nnew 4\n# TYPE proberun_hits counter\n"
		 "proberun_hits_total" PROBE(0, "p") "} 300\n"
		 "proberun_handler_seconds_total" PROBE(0, "p") "} 1.5\n", 12 * SECOND);
	assert_int_equal(m.n, 2);
	is(row(&m, "a", "")->rate, 3);
	is(row(&m, "new", "")->rate, 2);
	is(m.probes[0].rate, 100);
	is(m.probes[0].load, 0.25);
	/* At the same moment, and after a value that fell. */
	take(&m, "a 1\n", 12 * SECOND);
	is(row(&m, "a", "")->rate, 0);
	take(&m, "a 0\n", 13 * SECOND);
	is(row(&m, "a", "")->rate, -1);
	model_deinit(&m);
}

static void has_order(struct model *m, enum model_sort by, const char *names)
{
	char text[64] = "";

	model_sort(m, by);
	for (size_t i = 0; i < m->n; i++)
		strcat(text, m->rows[i].name);
	assert_string_equal(text, names);
}

TEST(order)
{
	struct model m = { 0 };

	take(&m, "b 1\na 3\nc 3\n", SECOND);
	take(&m, "b 9\na 10\nc 4\n", 2 * SECOND);
	has_order(&m, MODEL_BY_VALUE, "abc");
	has_order(&m, MODEL_BY_RATE, "bac");
	has_order(&m, MODEL_BY_NAME, "abc");
	/* The order on the screen does not disturb the next rates. */
	model_sort(&m, MODEL_BY_RATE);
	take(&m, "b 10\na 12\nc 7\n", 3 * SECOND);
	is(row(&m, "a", "")->rate, 2);
	is(row(&m, "b", "")->rate, 1);
	is(row(&m, "c", "")->rate, 3);
	model_deinit(&m);
}

/* No text does harm: each beginning of one, and lines of anything. */
TEST(damaged)
{
	static const char text[] = "# TYPE us histogram\n"
				   "us_bucket{le=\"1\",key=\"\\\"} 3\nus_count 1\n"
				   "a{value=\"\\\\\"} 1\nproberun_info{script=\"\\\"} 1\n"
				   "proberun_hits{probe=\"1\",point=\"\\";
	static const char *const lines[] = { "", "\n\n", " ", "{", "} 1", "a{ 1", "a{value} 1\n",
		"a_info{value=} 1\n", "proberun_hits{probe=\"-1\",point=\"x\"} 1\n", "# TYPE\n",
		"# TYPE  \n", "a{le=\"1\n", "x nan\n", "x inf\nx -inf\n" };
	struct model m = { 0 };

	for (size_t n = 0; n < sizeof(text); n++) {
		char part[sizeof(text)];

		memcpy(part, text, n);
		part[n] = '\0';
		take(&m, part, (int64_t)(n + 1) * SECOND);
	}
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		take(&m, lines[i], (int64_t)(i + 1000) * SECOND);
	model_read(&m, &(struct buf){ 0 }, 2000 * SECOND);
	assert_int_equal(m.n, 0);
	model_deinit(&m);
}
