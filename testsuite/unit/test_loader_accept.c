/* SPDX-License-Identifier: GPL-2.0 */
/* The format of metrics that a client gets, and answers in protocol buffers that are damaged. */
#include "metrics/private.h"
#include "metrics/protobuf.h"
#include "unit.h"

#define PROTOBUF "application/vnd.google.protobuf"
#define FAMILY "proto=io.prometheus.client.MetricFamily"

TEST(formats)
{
	static const struct { const char *accept; int format; } rows[] = {
		{ NULL, METRICS_PROMETHEUS }, { "", METRICS_PROMETHEUS },
		{ "*/*", METRICS_PROMETHEUS }, { "text/html,*/*;q=0.1", METRICS_PROMETHEUS },
		{ "image/png", METRICS_PROMETHEUS },
		/* Prometheus 2.42, with native histograms and without. */
		{ PROTOBUF ";" FAMILY ";encoding=delimited,application/openmetrics-text;"
		  "version=1.0.0;q=0.8,application/openmetrics-text;version=0.0.1;q=0.75,"
		  "text/plain;version=0.0.4;q=0.5,*/*;q=0.1", METRICS_PROTOBUF },
		{ "application/openmetrics-text;version=1.0.0,application/openmetrics-text;"
		  "version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
		  METRICS_OPENMETRICS },
		/* Spaces, capitals, the order, qualities. */
		{ " Application/VND.google.protobuf ; encoding=delimited ; " FAMILY " ; q=0.6 , "
		  "text/plain;q=0.5", METRICS_PROTOBUF },
		{ "text/plain;q=0.5," PROTOBUF ";" FAMILY ";encoding=delimited;q=0.49",
		  METRICS_PROMETHEUS },
		{ "text/plain, application/openmetrics-text", METRICS_PROMETHEUS },
		{ "application/openmetrics-text;q=0.123,text/plain;q=0.12", METRICS_OPENMETRICS },
		{ "application/openmetrics-text;q=0", METRICS_PROMETHEUS },
		/* Other messages, and other ways to separate them. */
		{ PROTOBUF, METRICS_PROMETHEUS },
		{ PROTOBUF ";encoding=delimited", METRICS_PROMETHEUS },
		{ PROTOBUF ";" FAMILY ";encoding=text", METRICS_PROMETHEUS },
		{ PROTOBUF ";proto=other;encoding=delimited,application/openmetrics-text",
		  METRICS_OPENMETRICS },
		{ ",;,;q=;q=x;=,;;,", METRICS_PROMETHEUS },
		{ "application/openmetrics-text;q=2", METRICS_PROMETHEUS },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(accept_format(rows[i].accept), rows[i].format);
}

TEST(written_and_read)
{
	struct protobuf_field f;
	struct buf t = { 0 };
	const char *at, *end;
	size_t open;

	protobuf_number(&t, 1, UINT64_MAX);
	open = protobuf_open(&t, 300);
	for (int i = 0; i < 200; i++)
		protobuf_put(&t, protobuf_zigzag(-i));
	protobuf_close(&t, open);
	protobuf_double(&t, 3, 1.5);
	protobuf_bytes(&t, 4, "", 0);
	at = t.s;
	end = t.s + t.len;
	assert_true(protobuf_next(&at, end, &f));
	assert_true(f.number == 1 && !f.s && f.v == UINT64_MAX);
	assert_true(protobuf_next(&at, end, &f));
	assert_true(f.number == 300 && f.len == 65 + 2 * 135 && f.s[64] == 127);
	assert_true(protobuf_next(&at, end, &f));
	assert_true(f.number == 3 && f.len == 8 && memcmp(f.s, &(double){ 1.5 }, 8) == 0);
	assert_true(protobuf_next(&at, end, &f));
	assert_true(f.number == 4 && f.len == 0);
	assert_false(protobuf_next(&at, end, &f));
	buf_deinit(&t);
}

/* An answer that is cut off, and one whose lengths are those of no memory. */
TEST(damaged)
{
	static const char cut[] = { 0x12, 100, 'a', 'b' }, no_end[] = { 0x08, '\xff', '\xff' },
		group[] = { 0x0b, 0 }, huge[] = { 0x12, '\xff', '\xff', '\xff', '\xff', '\xff',
						  '\xff', '\xff', '\xff', '\xff', 1, 'x' };
	struct protobuf_field f;
	const char *at = cut;

	assert_true(protobuf_next(&at, cut + sizeof(cut), &f));
	assert_true(f.number == 2 && f.len == 2 && f.s == cut + 2);
	assert_ptr_equal(at, cut + sizeof(cut));
	at = no_end;
	assert_false(protobuf_next(&at, no_end + sizeof(no_end), &f));
	at = group;
	assert_false(protobuf_next(&at, group + sizeof(group), &f));
	at = huge;
	assert_true(protobuf_next(&at, huge + sizeof(huge), &f));
	assert_int_equal(f.len, 1);
}

/* Buckets of the whole range, and a record whose counts are where no values are. */
TEST(ends_of_range)
{
	static struct fine fine;
	static uint64_t counts[PRT_EXP_BUCKETS];
	struct arg h = { .type = 'H', .counts = (const char *)counts,
			 .hist = { .is_log = PRT_HIST_EXP, .n = PRT_EXP_BUCKETS } };
	uint64_t sum = 0;

	for (size_t i = 0; i < PRT_EXP_BUCKETS; i++)
		counts[i] = 1;
	for (int again = 0; again < 2; again++)
		buckets_fine(&fine, &h);
	for (unsigned i = 0; i < FINE_BUCKETS; i++)
		sum += fine.positive.counts[i] + fine.negative.counts[i];
	assert_int_equal(sum + fine.zero, PRT_EXP_BUCKETS);
	assert_int_equal(fine.positive.past, FINE_BUCKETS);
	assert_int_equal(fine.negative.past, FINE_BUCKETS);
	assert_int_equal(fine.positive.first, 0);
	assert_int_equal(fine.zero, PRT_EXP_SLOTS);
}
