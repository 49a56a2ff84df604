/* SPDX-License-Identifier: GPL-2.0 */
/* A session as JSON objects and as CSV rows, from records made by hand; the table of -t. */
#include "common/say.h"
#include "json_check.h"
#include "module/meta.h"
#include "record_writer.h"
#include "show/args.h"
#include "show/output.h"
#include "show/show.h"
#include "show/tally.h"
#include "show/timing.h"
#include "unit.h"

#define LOG_SIZE (sizeof(struct prt_hist_data) + 3 * 8)

struct fixture {
	struct output out;
	struct show show;
	struct buf shown;
	struct record r;
	int error; /* what the output's writer returns */
};

static int collect(void *arg, const char *s, size_t len)
{
	struct fixture *f = arg;

	if (!f->error)
		buf_write(&f->shown, s, len);
	return f->error;
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	output_init(&f->out, -1);
	output_to(&f->out, collect, f);
	buf_reserve(&f->shown, 1);
	f->shown.s[0] = '\0';
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	output_deinit(&f->out);
	buf_deinit(&f->shown);
	free(f);
	return 0;
}

static void print(struct fixture *f, const struct meta_print *p)
{
	assert_true(show_print(&f->show, p, f->r.bytes, f->r.len));
	f->r.len = 0;
}

/* Each line is a JSON object; @want is a part of the last one, which excludes its time. */
static void check_lines(struct fixture *f)
{
	const char *p = f->shown.s;
	struct json_check j;

	while (*p) {
		const char *end = strchr(p, '\n');

		assert_non_null(end);
		if (!json_check(&j, p, (size_t)(end - p)))
			fail_msg("not JSON: %.*s", (int)(end - p), p);
		p = end + 1;
	}
}

static const struct meta_print plain = { .types = "ls", .format = "%d %s\n", .format_len = 6,
					 .names = "n + 1\n\"a\" . s" };
static const struct meta_print bare = { .types = "", .format = "bye\n", .format_len = 4,
					.names = "" };
static const struct meta_print nameless = { .types = "l", .format = "%d\n", .format_len = 3 };
static const struct meta_print array = { .types = "slll", .format = "%s%d%d%d\n", .format_len = 9,
					 .names = "key1\nkey2\ncount\nsum", .global = "a" };
static const struct meta_print scalar = { .types = "s", .format = "s=%s\n", .format_len = 5,
					  .names = "value", .global = "s" };
static const struct meta_print histogram = { .types = "lH", .format = "%d%H", .format_len = 4,
					     .names = "x\n@hist(h)" };

static const struct meta_print keyed = { .types = "Hsl", .format = "%H", .format_len = 2,
					 .names = "@hist_log(t[k, i])\nk\ni" };

TEST_WITH(objects, setup, teardown)
{
	static const struct show_hit hit = { .probe = "timer.s(1)", .cpu = 3,
					     .time = 1000000001500000000 };
	struct fixture *f = *state;

	show_open(&f->show, SHOW_JSON, NULL, 0, &f->out);
	f->show.hit = &hit;
	put_long(&f->r, -7);
	put_string(&f->r, "x\"\xff", 3);
	print(f, &plain);
	print(f, &bare);
	put_long(&f->r, 1);
	print(f, &nameless);
	put_string(&f->r, "k", 1);
	put_long(&f->r, 2);
	put_long(&f->r, 3);
	put_long(&f->r, 4);
	print(f, &array);
	put_string(&f->r, "", 0);
	print(f, &scalar);
	f->show.hit = NULL;
	show_close(&f->show);
#define HEAD "\"probe\":\"timer.s(1)\",\"cpu\":3,\"time\":1000000001.500000000,"
	assert_string_equal(
		f->shown.s,
		"{\"type\":\"print\"," HEAD "\"text\":\"-7 x\\\"\xef\xbf\xbd\\n\",\"args\":["
		"{\"expr\":\"n + 1\",\"value\":-7},"
		"{\"expr\":\"\\\"a\\\" . s\",\"value\":\"x\\\"\xef\xbf\xbd\","
		"\"hex\":\"7822ff\"}]}\n"
		"{\"type\":\"print\"," HEAD "\"text\":\"bye\\n\",\"args\":[]}\n"
		"{\"type\":\"print\"," HEAD
		"\"text\":\"1\\n\",\"args\":[{\"expr\":null,\"value\":1}]}\n"
		"{\"type\":\"global\"," HEAD
		"\"name\":\"a\",\"keys\":[\"k\",2],\"value\":{\"count\":3,\"sum\":4}}\n"
		"{\"type\":\"global\"," HEAD "\"name\":\"s\",\"keys\":[],\"value\":\"\"}\n");
#undef HEAD
	check_lines(f);
}

TEST_WITH(buckets, setup, teardown)
{
	static const struct prt_hist_data ends = { .is_log = 1, .n = 3, .first = 63, .min = -1,
						   .max = 1 };
	static const struct prt_hist_data linear = { .n = 5, .low = 0, .high = 25, .width = 10,
						     .min = -7, .max = 40 };
	static const uint64_t three[] = { 1, 0, 2 }, five[] = { 1, 2, 3, 4, 5 };
	struct fixture *f = *state;

	show_open(&f->show, SHOW_JSON, NULL, 0, &f->out);
	put_long(&f->r, 9);
	put_hist(&f->r, &ends, three);
	print(f, &histogram);
	put_long(&f->r, 9);
	put_hist(&f->r, &linear, five);
	print(f, &histogram);
	show_close(&f->show);
	check_lines(f);
	assert_non_null(strstr(f->shown.s, "\"value\":{\"buckets\":["
					   "{\"low\":-1,\"high\":-1,\"count\":1},"
					   "{\"low\":1,\"high\":1,\"count\":2}],"
					   "\"min\":-1,\"max\":1}}]}\n"));
	assert_non_null(strstr(f->shown.s,
			       "[{\"high\":-1,\"count\":1},{\"low\":0,\"high\":9,\"count\":2},"
			       "{\"low\":10,\"high\":19,\"count\":3},"
			       "{\"low\":20,\"high\":24,\"count\":4},"
			       "{\"low\":25,\"count\":5}],\"min\":-7,\"max\":40}"));
}

/* A bucket that is open at one end shows at least where its values begin. */
static void open_ends(struct fixture *f)
{
	static const struct prt_hist_data linear = { .n = 3, .low = 0, .high = 10, .width = 10,
						     .min = -7, .max = 40 };
	static const uint64_t counts[] = { 4, 0, 6 };
	size_t len = f->shown.len;
	struct percentiles p;

	assert_int_equal(percentiles_parse("10,20,50,99,100", &p), 0);
	show_open(&f->show, SHOW_TEXT, &p, 0, &f->out);
	put_long(&f->r, 9);
	put_hist(&f->r, &linear, counts);
	print(f, &histogram);
	show_close(&f->show);
	assert_non_null(strstr(f->shown.s + len,
			       "\np10=-7 p20>=-7 p50>=10 p99=40 p100=40\n\n"));
}

TEST_WITH(percentiles, setup, teardown)
{
	static const struct prt_hist_data ends = { .is_log = 1, .n = 3, .first = 63, .min = -1,
						   .max = 1 };
	static const struct prt_hist_data linear = { .n = 5, .low = 0, .high = 25, .width = 10,
						     .min = -7, .max = 40 };
	static const struct prt_hist_data none = { .is_log = 1, .first = 64 };
	static const struct meta_print two = { .types = "HlH", .format = "%H%%H%5d%H.",
					       .format_len = 11, .names = "a\nb\nc" };
	static const uint64_t three[] = { 1, 0, 2 }, five[] = { 1, 2, 3, 4, 5 };
	struct percentiles p;
	struct fixture *f = *state;
	size_t len;

	assert_int_equal(percentiles_parse("0,50,99.9", &p), 0);
	show_open(&f->show, SHOW_TEXT, &p, 0, &f->out);
	put_hist(&f->r, &linear, five);
	put_long(&f->r, 9);
	put_hist(&f->r, &ends, three);
	print(f, &two);
	put_long(&f->r, 9);
	put_hist(&f->r, &none, five);
	print(f, &histogram);
	show_close(&f->show);
	assert_non_null(strstr(f->shown.s, " 5\np0=-7 p50=20 p99.9=40\n\n%H    9value |--"));
	assert_non_null(strstr(f->shown.s, "\np0=-1 p50=1 p99.9=1\n\n.9value |--"));
	assert_null(strstr(strstr(f->shown.s, ".9value"), "p0"));
	len = f->shown.len;
	show_open(&f->show, SHOW_JSON, &p, 0, &f->out);
	put_long(&f->r, 9);
	put_hist(&f->r, &linear, five);
	print(f, &histogram);
	show_close(&f->show);
	assert_non_null(strstr(f->shown.s + len,
			       "\"percentiles\":["
			       "{\"percent\":0,\"value\":-7,\"low\":-7,\"high\":-7},"
			       "{\"percent\":50,\"value\":20,\"low\":20,\"high\":24},"
			       "{\"percent\":99.9,\"value\":40,\"low\":40,\"high\":40}]}}]}\n"));
	open_ends(f);
	assert_int_equal(percentiles_parse("100.000,1", &p), 0);
	for (size_t i = 0; i < 8; i++) {
		static const char *const wrong[] = { "", "50,", ",50", "100.001", "101", "-1",
						     "5.", "0.1234" };

		assert_int_equal(percentiles_parse(wrong[i], &p), -1);
	}
}

/* The buckets cover the whole range of numbers once: each begins behind the one before. */
TEST(all_buckets)
{
	uint64_t counts[PRT_HIST_LOG_BUCKETS] = { 0 };
	struct arg a = { .type = 'H', .hist = { .is_log = 1, .n = PRT_HIST_LOG_BUCKETS },
			 .counts = (const char *)counts };
	struct args_bucket b, last = { 0 };

	for (uint32_t i = 0; i < PRT_HIST_LOG_BUCKETS; i++, last = b) {
		b = args_bucket(&a, i);
		assert_true(b.has_low && b.has_high && b.low <= b.high);
		if (i)
			assert_true(b.low == last.high + 1);
		else
			assert_true(b.low == INT64_MIN);
	}
	assert_true(last.high == INT64_MAX);
}

TEST_WITH(table, setup, teardown)
{
	static const struct prt_hist_data linear = { .n = 3, .low = 0, .high = 10, .width = 10 };
	static const uint64_t counts[] = { 4, 0, 5 };
	static const struct meta_print words = { .types = "sl", .format = "%s%d\n", .format_len = 5,
						 .names = "\"n \"\nn" };
	static const struct meta_print only = { .types = "s", .format = "%s\n", .format_len = 3,
						.names = "\"a\\\"b\"" };
	struct fixture *f = *state;

	show_open(&f->show, SHOW_CSV, NULL, 0, &f->out);
	print(f, &bare);
	for (int i = 0; i < 2; i++) {
		put_long(&f->r, i);
		put_string(&f->r, "a,b", 3);
		print(f, &plain);
	}
	put_string(&f->r, "n ", 2);
	put_long(&f->r, 6);
	print(f, &words);
	put_string(&f->r, "a\"b", 3);
	print(f, &only);
	put_long(&f->r, 7);
	put_hist(&f->r, &linear, counts);
	print(f, &histogram);
	for (int i = 0; i < 2; i++) {
		put_hist(&f->r, &linear, counts);
		put_string(&f->r, i ? "b" : "a", 1);
		put_long(&f->r, i);
		print(f, &keyed);
	}
	put_long(&f->r, 1);
	print(f, &nameless);
	put_string(&f->r, "k", 1);
	put_long(&f->r, 2);
	put_long(&f->r, 3);
	put_long(&f->r, 4);
	print(f, &array);
	put_string(&f->r, "", 0);
	print(f, &scalar);
	show_close(&f->show);
	assert_string_equal(f->shown.s, "n + 1,\"\"\"a\"\" . s\"\n"
					"0,\"a,b\"\n"
					"1,\"a,b\"\n"
					"\nn\n6\n"
					"\nx,@hist(h) low,@hist(h) high,@hist(h) count\n"
					"7,,-1,4\n"
					"7,10,,5\n"
					"\nk,i,\"@hist_log(t[k, i]) low\","
					"\"@hist_log(t[k, i]) high\",\"@hist_log(t[k, i]) count\"\n"
					"a,0,,-1,4\n"
					"a,0,10,,5\n"
					"b,1,,-1,4\n"
					"b,1,10,,5\n"
					"\narg1\n1\n"
					"\nname,key1,key2,count,sum\n"
					"a,k,2,3,4\n"
					"\nname,value\n"
					"s,\"\"\n");
}

/* With percentiles, rows have those of a histogram that the format does not use, too. */
TEST_WITH(csv_percentiles, setup, teardown)
{
	static const struct prt_hist_data linear = { .n = 5, .low = 0, .high = 25, .width = 10,
						     .min = -7, .max = 40 };
	static const struct meta_print hidden = { .types = "lH", .format = "%d\n", .format_len = 3,
						  .names = "@count(x)\nx" };
	static const uint64_t five[] = { 1, 2, 3, 4, 5 };
	struct fixture *f = *state;
	struct percentiles p;

	assert_int_equal(percentiles_parse("50,99.9", &p), 0);
	show_open(&f->show, SHOW_CSV, &p, 0, &f->out);
	put_long(&f->r, 15);
	put_hist(&f->r, &linear, five);
	print(f, &hidden);
	put_long(&f->r, 9);
	put_hist(&f->r, &linear, five);
	print(f, &histogram);
	show_close(&f->show);
	assert_non_null(strstr(f->shown.s, "@count(x),x p50,x p99.9\n15,20,40\n\n"));
	assert_non_null(strstr(f->shown.s, " count,"));
	assert_non_null(strstr(f->shown.s, ",5,20,40\n"));
}

/* A record that is cut anywhere is rejected and leaves nothing in the stream. */
TEST_WITH(damaged, setup, teardown)
{
	static const struct prt_hist_data log3 = { .is_log = 1, .n = 3, .first = 63 };
	static const uint64_t three[] = { 1, 0, 2 };
	static const enum show_format formats[] = { SHOW_JSON, SHOW_CSV };
	struct fixture *f = *state;

	for (size_t i = 0; i < 2; i++) {
		show_open(&f->show, formats[i], NULL, 0, &f->out);
		f->r.len = 0;
		put_long(&f->r, 1);
		put_hist(&f->r, &log3, three);
		assert_int_equal(f->r.len, 8 + LOG_SIZE);
		for (size_t len = 0; len < f->r.len; len++) {
			char *copy = malloc(len ? len : 1);

			memcpy(copy, f->r.bytes, len);
			assert_false(show_print(&f->show, &histogram, copy, len));
			free(copy);
		}
		f->r.len = 0;
		put_string(&f->r, "key", 3);
		put_long(&f->r, 1);
		assert_false(show_print(&f->show, &array, f->r.bytes, f->r.len));
		show_close(&f->show);
	}
	assert_int_equal(f->shown.len, 0);
}

/* A stack is shown completely, with a note if frames are missing. */
TEST_WITH(stacks, setup, teardown)
{
	static const struct prt_stack_part part = { .kind = PRT_STACK_KERNEL, .n = 2,
						    .flags = PRT_STACK_DEEPER };
	static const struct prt_stack_part lost = { .kind = PRT_STACK_LOST };
	static const uint64_t frames[] = { 0xffffffff81000010, 0xffffffff81000020 };
	static const struct meta_print one = { .types = "k", .format = "<%s>\n", .format_len = 5,
					       .names = "bt" };
	struct fixture *f = *state;

	show_open(&f->show, SHOW_TEXT, NULL, 0, &f->out);
	put_stack(&f->r, PRT_STACK_PLAIN, &part, frames);
	print(f, &one);
	put_stack(&f->r, PRT_STACK_WITH_NAMES, &part, frames);
	print(f, &one);
	put_stack(&f->r, PRT_STACK_PLAIN, &lost, frames);
	print(f, &one);
	show_close(&f->show);
	assert_string_equal(f->shown.s,
			    "<0xffffffff81000010 0xffffffff81000020 ...>\n"
			    "< 0xffffffff81000010 : 0xffffffff81000010\n"
			    " 0xffffffff81000020 : 0xffffffff81000020\n"
			    " ... the frames after these\n>\n"
			    "<[lost stack]>\n");
}

/* A stack that is cut anywhere, or whose lengths disagree, is rejected. */
TEST_WITH(damaged_stacks, setup, teardown)
{
	static const struct prt_stack_part part = { .kind = PRT_STACK_KERNEL, .n = 2 };
	static const uint64_t frames[] = { 0xffffffff81000010, 0xffffffff81000020 };
	static const struct meta_print one = { .types = "k", .format = "%s", .format_len = 2,
					       .names = "bt" };
	static const enum show_format formats[] = { SHOW_TEXT, SHOW_JSON, SHOW_CSV, SHOW_FOLDED };
	static const uint32_t lengths[] = { 1, 8, 31, 33, 40, UINT32_MAX, UINT32_MAX - 7 };
	static const uint32_t counts[] = { 0, 1, 3, UINT32_MAX };
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		show_open(&f->show, formats[i], NULL, 0, &f->out);
		f->r.len = 0;
		put_stack(&f->r, PRT_STACK_PLAIN, &part, frames);
		for (size_t len = 0; len < f->r.len; len++) {
			char *copy = malloc(len ? len : 1);

			memcpy(copy, f->r.bytes, len);
			assert_false(show_print(&f->show, &one, copy, len));
			free(copy);
		}
		for (size_t n = 0; n < sizeof(lengths) / 4; n++) {
			memcpy(f->r.bytes, &lengths[n], 4);
			assert_false(show_print(&f->show, &one, f->r.bytes, f->r.len));
		}
		memcpy(f->r.bytes, &(uint32_t){ 32 }, 4);
		for (size_t n = 0; n < sizeof(counts) / 4; n++) {
			memcpy(f->r.bytes + sizeof(struct prt_stack_data) +
			       offsetof(struct prt_stack_part, n), &counts[n], 4);
			assert_false(show_print(&f->show, &one, f->r.bytes, f->r.len));
		}
		show_close(&f->show);
	}
	assert_int_equal(f->shown.len, 0);
}

static void write_said(void *arg, const char *s, size_t len)
{
	buf_write(arg, s, len);
}

TEST_WITH(messages, setup, teardown)
{
	static const struct position srcloc = { "a b.kp", 3, 5, 9, "probe begin" };
	struct fixture *f = *state;
	struct buf said = { 0 };

	say_to(write_said, &said);
	show_open(&f->show, SHOW_JSON, NULL, 0, &f->out);
	say_message(&(struct say_message){ .kind = "error", .id = "E_X", .text = "no\n", .len = 3,
					   .hint = "go", .srcloc = &srcloc, .probe = "begin" });
	say_message(&(struct say_message){ .kind = "log", .text = "\xc3", .len = 1 });
	output_flush(&f->out);
	check_lines(f);
	assert_non_null(strstr(f->shown.s, "\"probe\":\"begin\",\"id\":\"E_X\",\"file\":\"a b.kp\","
					   "\"line\":3,\"col\":5,\"text\":\"no\\n\","
					   "\"hint\":\"go\"}\n"));
	assert_null(said.s);
	/* On a full disk, a message that cannot become a part of the stream is still shown. */
	f->error = -28;
	say_message(&(struct say_message){ .kind = "log", .text = "lost", .len = 4 });
	output_flush(&f->out);
	assert_true(f->out.broken);
	assert_int_equal(f->out.error, 28);
	say_error("E_Y", "a step", "number %d", 5);
	assert_string_equal(said.s, "probec: error: number 5 [E_Y]\n      = a step\n");
	show_close(&f->show);
	say_to(NULL, NULL);
	buf_deinit(&said);
}

/* The kernel's errors for a full disk and for a pipe without a reader. */
TEST(no_room)
{
	FILE *full = fopen("/dev/full", "w");
	struct output out;

	assert_non_null(full);
	output_init(&out, fileno(full));
	output_write(&out, "text", 4);
	output_flush(&out);
	assert_true(out.broken);
	assert_int_equal(out.error, 28);
	output_write(&out, "more", 4);
	output_flush(&out);
	assert_int_equal(out.len, 0);
	output_deinit(&out);
	fclose(full);
}

TEST(timing)
{
	char name[301] = "";
	struct position srcloc = { "/s.kp", 12, 1, 2, "x" };
	struct meta_probe probes[] = { { "entry", "kernel.function(\"f\")", 0, false, false },
				       { "timer", "timer.s(1)", META_NO_SRCLOC, false, false },
				       { "entry", name, 0, false, false } };
	struct meta m = { .nprobes = 3, .probes = probes, .nsrclocs = 1, .srclocs = &srcloc };
	struct tally_probe counts[3] = {
		{ .c = { .hits = 1234567, .timed = 10, .estimate = 1234567 * 200ULL, .slowest = 900,
			 .errors = 2 },
		  .skipped = { [TALLY_BUSY] = 3, [TALLY_NO_INSTANCE] = 4 },
		  .sites = { [PRT_MECH_FTRACE] = 1, [PRT_MECH_KPROBE] = 2 } },
		{ .c = { .hits = 5, .overruns = 1 } },
	};
	struct tally t = { .n = 3, .probes = counts };
	struct prt_status st = { .clock_khz = 2000000 };
	struct buf out = { 0 };
	const char *p;

	memset(name, 'n', 300);
	m.nprobes = t.n = 2;
	timing_table(&out, &m, &t, &st);
	assert_string_equal(
		out.s,
		"   hits  avg ns  max ns  skipped  errors  overruns  by                probe\n"
		"1234567     100     450        7       2         0  ftrace+kprobe x2  "
		"kernel.function(\"f\")  /s.kp:12\n"
		"    skipped: 3 came while another handler ran, 4 found no free instance "
		"for the return\n"
		"      5       -       -        0       0         1  timer             "
		"timer.s(1)\n");
	/* The kernel's marks; the mark for ftrace repeats the mechanism and is omitted. */
	counts[0].marks[0] = 2;
	counts[0].marks[1] = 2;
	m.nprobes = t.n = 1;
	out.len = 0;
	timing_table(&out, &m, &t, &st);
	assert_non_null(strstr(out.s,
			       "\n    the kernel's marks: [FTRACE] [OPTIMIZED] x2\n    skip"));
	counts[0].cost = 147;
	out.len = 0;
	timing_table(&out, &m, &t, &st);
	assert_non_null(strstr(out.s, "\n    elapsed times include the cost of the probe, "
				      "147 ns at least\n    skip"));
	t.subtracts = true;
	out.len = 0;
	timing_table(&out, &m, &t, &st);
	assert_non_null(strstr(out.s, "\n    elapsed times are without 147 ns, the least cost of "
				      "the probe\n"));
	counts[0].cost = -1;
	out.len = 0;
	timing_table(&out, &m, &t, &st);
	assert_non_null(strstr(out.s, "\n    elapsed times include the cost of the probe, which is "
				      "not measured\n"));
	m.nprobes = t.n = 3;
	out.len = 0;
	timing_table(&out, &m, &t, &st);
	for (p = out.s; *p; p = strchr(p, '\n') + 1)
		assert_true(strcspn(p, "\n") <= TIMING_WIDTH);
	buf_deinit(&out);
}

TEST_WITH(figures, setup, teardown)
{
	struct meta_probe probes[] = { { "entry", "kernel.function(\"f\")", META_NO_SRCLOC, false,
					 false } };
	struct meta m = { .nprobes = 1, .probes = probes, .script = "s.kp", .release = "6.1" };
	struct tally_probe counts = { .c = { .hits = 9, .timed = 2, .estimate = 1800,
					     .slowest = 300 },
				      .skipped = { [TALLY_RECURSED] = 6 } };
	struct tally t = { .n = 1, .probes = &counts };
	struct prt_status st = { .clock_khz = 1000000, .dropped = 11, .now = 2500000000,
				 .epoch_clock = 1000000000 };
	struct fixture *f = *state;

	show_open(&f->show, SHOW_JSON, NULL, 0, &f->out);
	timing_object(&f->show, &m, &t, &st);
	counts.cost = 147;
	timing_object(&f->show, &m, &t, &st);
	t.subtracts = true;
	timing_object(&f->show, &m, &t, &st);
	timing_summary(&f->show, &m, &t, &st, 77, 1);
	show_close(&f->show);
	check_lines(f);
	assert_non_null(strstr(f->shown.s, "\"by\":\"nothing\",\"timed\":2,\"total_ns\":1800,"
					   "\"avg_ns\":200,\"max_ns\":300}]}\n"));
	assert_non_null(strstr(f->shown.s, "\"by\":\"nothing\",\"cost_ns\":147,\"timed\":2,"));
	assert_non_null(strstr(f->shown.s, "\"by\":\"nothing\",\"subtracted_ns\":147,"));
	assert_non_null(strstr(f->shown.s, "\"script\":\"s.kp\",\"kernel\":\"6.1\","
					   "\"seconds\":1.500000000,\"status\":1,\"hits\":9,"
					   "\"errors\":0,\"lost\":11,"
					   "\"lost_bytes\":77,\"not_stored\":0,"
					   "\"skipped\":{\"busy\":0,"
					   "\"locked_out\":0,\"recursed\":6,\"no_instance\":0,"
					   "\"inherited\":0,"
					   "\"unwatched\":0},"
					   "\"probes\":["));
}
