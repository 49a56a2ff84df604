/* SPDX-License-Identifier: GPL-2.0 */
/* A session as a trace, from records made by hand. */
#include "json_check.h"
#include "module/meta.h"
#include "record_writer.h"
#include "show/output.h"
#include "show/perfetto.h"
#include "show/show.h"
#include "unit.h"

static struct output out;
static struct buf shown;
static struct record r;

static int collect(void *arg, const char *s, size_t n)
{
	(void)arg;
	buf_write(&shown, s, n);
	return 0;
}

#define THREAD_NAMES "pid()\ntid()\nexecname()\nname"
static const struct meta_print span_begin = { .types = "llss", .names = THREAD_NAMES,
	.format = "trace_begin %d/%d %s: %s\n", .format_len = 25 };
static const struct meta_print span_end = { .types = "llss", .names = THREAD_NAMES,
	.format = "trace_end %d/%d %s: %s\n", .format_len = 23 };
static const struct meta_print counter = { .types = "sl", .names = "name\nvalue",
	.format = "trace_counter %s: %d\n", .format_len = 21 };
static const struct meta_print plain = { .types = "sls", .names = "\"l\"\nx\nx" };
static const struct meta_print by_process = { .types = "l", .names = "pid()" };
static const struct meta_print sums = { .types = "slll", .names = "key1\nkey2\ncount\nsum",
					.global = "a" };
static const struct meta_print word = { .types = "s", .names = "value", .global = "w" };

static struct perfetto *start(void)
{
	shown.len = 0;
	output_init(&out, -1);
	output_to(&out, collect, NULL);
	return perfetto_create(&out, "a.kp");
}

/* @us: microseconds since the first record. */
static void print(struct perfetto *t, const struct meta_print *p, int us, const char *text)
{
	const struct show_hit hit = { "timer.s(1)", 3, 1000000001500000007 + (uint64_t)us * 1000,
				      2, false, false };
	struct buf all = { 0 };

	buf_puts(&all, text);
	assert_true(perfetto_print(t, &hit, p, (struct args){ p->types, r.bytes, r.bytes + r.len },
				   &all));
	for (size_t n = 0; n < r.len; n++)
		assert_false(perfetto_print(t, &hit, p,
					    (struct args){ p->types, r.bytes, r.bytes + n }, &all));
	buf_deinit(&all);
	r.len = 0;
}

static void span(struct perfetto *t, const struct meta_print *p, int us, int tid, const char *name)
{
	put_long(&r, tid ? 70 : 0);
	put_long(&r, tid);
	put_text(&r, "cat");
	put_text(&r, name);
	print(t, p, us, "");
}

#define HEAD "[\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":4194304,\"tid\":4194304," \
	     "\"args\":{\"name\":\"probec a.kp\"}},\n"

/* The whole is JSON; @want follows the lines about the script. */
static void finish(struct perfetto *t, const char *want)
{
	static const char label[] = "\"labels\":\"time 0 is 2001-09-09T01:46:41.500000007Z\"}},\n";
	struct json_check j;
	const char *rest;

	perfetto_finish(t);
	output_flush(&out);
	assert_true(json_check(&j, shown.s, shown.len - 1));
	assert_memory_equal(shown.s, HEAD, sizeof(HEAD) - 1);
	rest = strstr(shown.s, label);
	assert_non_null(rest);
	assert_string_equal(rest + sizeof(label) - 1, want);
	perfetto_destroy(t);
	output_deinit(&out);
}

#define EVENT(name, ph, ts, track, rest) \
	"{\"name\":\"" name "\",\"ph\":\"" ph "\",\"ts\":" ts "," track "," rest "}"
#define TRACK_70 "\"pid\":70,\"tid\":71"
#define TRACK_OWN "\"pid\":4194304,\"tid\":4194307"
#define NAMED(track, name) \
	"{\"name\":\"thread_name\",\"ph\":\"M\"," track ",\"args\":{\"name\":\"" name "\"}},\n"
#define CPU "\"args\":{\"cpu\":3}"

TEST(spans)
{
	struct perfetto *t = start();

	span(t, &span_begin, 0, 71, "a");
	span(t, &span_begin, 1, 71, "b");
	span(t, &span_begin, 2, 71, "a");
	span(t, &span_end, 3, 71, "b");
	span(t, &span_end, 4, 71, "c");
	span(t, &span_begin, 5, 0, "idle");
	finish(t, NAMED(TRACK_70, "cat")
	       EVENT("a", "B", "0", TRACK_70, CPU) ",\n"
	       EVENT("b", "B", "1", TRACK_70, CPU) ",\n"
	       EVENT("a", "B", "2", TRACK_70, CPU) ",\n"
	       EVENT("a", "E", "3", TRACK_70, "\"args\":{\"unfinished\":1}") ",\n"
	       EVENT("b", "E", "3", TRACK_70, CPU) ",\n"
	       EVENT("end of c", "i", "4", TRACK_70, "\"s\":\"t\"," CPU) ",\n"
	       NAMED("\"pid\":4194304,\"tid\":4259844", "idle CPU 3")
	       EVENT("idle", "B", "5", "\"pid\":4194304,\"tid\":4259844", CPU) ",\n"
	       EVENT("idle", "E", "5", "\"pid\":4194304,\"tid\":4259844",
		     "\"args\":{\"unfinished\":1}") ",\n"
	       EVENT("a", "E", "5", TRACK_70, "\"args\":{\"unfinished\":1}")
	       "\n]\n");
}

TEST(others)
{
	struct perfetto *t = start();

	put_text(&r, "l");
	put_long(&r, -1);
	put_text(&r, "s");
	print(t, &plain, 0, "\n one\ntwo\n");
	put_text(&r, "l");
	put_long(&r, 0);
	put_text(&r, "");
	print(t, &plain, 1, "\n");
	put_text(&r, "n");
	put_long(&r, -5);
	print(t, &counter, 2, "trace_counter n: -5\n");
	put_long(&r, 9);
	print(t, &by_process, 3, "9\n");
	put_text(&r, "k");
	put_long(&r, 1);
	put_long(&r, 2);
	put_long(&r, 30);
	print(t, &sums, 2, "");
	put_text(&r, "x\"");
	print(t, &word, 4, "w=\"x\"\n");
	finish(t, NAMED(TRACK_OWN, "timer.s(1)")
	       EVENT("one", "i", "0", TRACK_OWN,
		     "\"s\":\"t\",\"args\":{\"cpu\":3,\"text\":\"one\\ntwo\","
		     "\"values\":{\"x\":-1}}") ",\n"
	       EVENT("n", "C", "2", TRACK_OWN, "\"args\":{\"value\":-5}") ",\n"
	       EVENT("9", "i", "3", "\"pid\":9,\"tid\":9",
		     "\"s\":\"t\",\"args\":{\"cpu\":3,\"values\":{\"pid()\":9}}") ",\n"
	       EVENT("a[k,1]", "C", "3", TRACK_OWN, "\"args\":{\"count\":2,\"sum\":30}") ",\n"
	       EVENT("w=\\\"x\\\"", "i", "4", TRACK_OWN,
		     "\"s\":\"t\",\"args\":{\"cpu\":3,\"values\":{\"value\":\"x\\\"\"}}")
	       "\n]\n");
}

TEST(nothing)
{
	struct perfetto *t = start();
	struct json_check j;

	perfetto_finish(t);
	output_flush(&out);
	assert_true(json_check(&j, shown.s, shown.len - 1));
	assert_memory_equal(shown.s, HEAD, sizeof(HEAD) - 1);
	perfetto_destroy(t);
	output_deinit(&out);
}

static int free_shown(void **state)
{
	(void)state;
	buf_deinit(&shown);
	return 0;
}

UNIT_AROUND(NULL, free_shown)
