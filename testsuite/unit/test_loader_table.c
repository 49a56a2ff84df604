/* SPDX-License-Identifier: GPL-2.0 */
/* Tables that the loader orders, from records made by hand: order, limit, joined stacks, and the
 * message of a session that shows nothing. */
#include "common/say.h"
#include "module/meta.h"
#include "record_writer.h"
#include "show/empty.h"
#include "show/output.h"
#include "show/show.h"
#include "show/tally.h"
#include "unit.h"

struct fixture {
	struct output out;
	struct show show;
	struct buf shown;
	struct record r;
};

static int collect(void *arg, const char *s, size_t len)
{
	buf_write(&((struct fixture *)arg)->shown, s, len);
	return 0;
}

/* Functions of 0x100 bytes, one after another. */
static int name(void *arg, struct prt_symbol_get *get)
{
	(void)arg;
	snprintf(get->text, sizeof(get->text), "f%llu+0x%llx/0x100",
		 (unsigned long long)get->address >> 8, (unsigned long long)get->address & 0xff);
	return 0;
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	output_init(&f->out, -1);
	output_to(&f->out, collect, f);
	buf_reserve(&f->shown, 1);
	f->shown.s[0] = '\0';
	show_open(&f->show, SHOW_TEXT, NULL, 0, &f->out);
	f->show.names.ask = name;
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	show_close(&f->show);
	output_deinit(&f->out);
	buf_deinit(&f->shown);
	free(f);
	return 0;
}

static const struct meta_print begin = { .types = "l", .format = "", .names = "-1",
					 .edge = META_BEGIN };
static const struct meta_print end = { .types = "", .format = "", .edge = META_END };
static const struct meta_print by_number = { .types = "sl", .format = "%s %d\n", .format_len = 6,
					     .names = "name\nn", .column = 2 };
static const struct meta_print by_name = { .types = "sl", .format = "%s %d\n", .format_len = 6,
					   .names = "name\nn", .column = 1, .ascends = true };
static const struct meta_print more = { .types = "", .format = " and\n", .format_len = 5 };
static const struct meta_print samples = { .types = "skl", .format = "s[%s,%s]=%d\n",
					   .format_len = 12, .names = "key1\nkey2\nvalue",
					   .global = "s", .column = 3 };
static const struct meta_print sums = { .types = "klllll", .format = "t[%s] %d %d %d %d %d\n",
					.format_len = 21, .global = "t", .column = 6,
					.names = "key1\ncount\nmin\navg\nmax\nsum" };

static void print(struct fixture *f, const struct meta_print *p)
{
	assert_true(show_print(&f->show, p, f->r.bytes, f->r.len));
	f->r.len = 0;
}

static void open_table(struct fixture *f, int64_t limit)
{
	put_long(&f->r, limit);
	print(f, &begin);
}

static void row(struct fixture *f, const struct meta_print *p, const char *text, int64_t n)
{
	put_text(&f->r, text);
	put_long(&f->r, n);
	print(f, p);
}

static void three_rows(struct fixture *f, const struct meta_print *p)
{
	print(f, &more);
	row(f, p, "b", 2);
	row(f, p, "a", -7);
	print(f, &more);
	row(f, p, "c", 5);
}

TEST_WITH(rows_are_sorted, setup, teardown)
{
	struct fixture *f = *state;

	open_table(f, -1);
	three_rows(f, &by_number);
	print(f, &end);
	open_table(f, 2);
	three_rows(f, &by_name);
	assert_string_equal(f->shown.s, "");
	print(f, &end);
	output_flush(&f->out);
	/* A record before the first row stays there, one after a row stays with it. */
	assert_string_equal(f->shown.s, " and\nc 5\nb 2\na -7\n and\n and\na -7\n and\nb 2\n");
}

TEST_WITH(other_hits_are_not_held, setup, teardown)
{
	static const struct show_hit session = { "end", -1, 1, 0, false, false };
	static const struct show_hit later = { "timer.s(1)", -1, 2, 1, false, false };
	static const struct show_hit other = { "kernel.function(\"f\")", 3, 2, 2, true, false };
	struct fixture *f = *state;

	f->show.hit = &session;
	open_table(f, -1);
	row(f, &by_number, "held", 1);
	f->show.hit = &other;
	row(f, &by_number, "other", 1);
	/* The hit of the table ended early: an error. */
	f->show.hit = &later;
	row(f, &by_number, "later", 1);
	open_table(f, -1);
	row(f, &by_number, "last", 1);
	show_finish(&f->show);
	f->show.hit = NULL;
	output_flush(&f->out);
	assert_string_equal(f->shown.s, "other 1\nheld 1\nlater 1\nlast 1\n");
}

static void put_frames(struct fixture *f, uint64_t first, uint64_t second)
{
	const struct prt_stack_part part = { .kind = PRT_STACK_KERNEL, .n = 2 };
	const uint64_t frames[] = { first, second };

	put_stack(&f->r, 0, &part, frames);
}

static void sample(struct fixture *f, const char *comm, uint64_t first, uint64_t second, int64_t n)
{
	put_text(&f->r, comm);
	put_frames(f, first, second);
	put_long(&f->r, n);
	print(f, &samples);
}

#define FRAME "0x0000000000000"

TEST_WITH(stacks_are_joined_by_function, setup, teardown)
{
	struct fixture *f = *state;

	open_table(f, -1);
	sample(f, "x", 0x305, 0x410, 5);
	sample(f, "x", 0x110, 0x210, 4);
	sample(f, "y", 0x111, 0x210, 1);
	sample(f, "x", 0x120, 0x210, 3);
	sample(f, "x", 0x130, 0x210, 2);
	print(f, &end);
	output_flush(&f->out);
	assert_string_equal(f->shown.s,
			    "s[x,\n " FRAME "100 : f1 [kernel]\n " FRAME "210 : f2+0x10/0x100 "
			    "[kernel]\n]=9\n"
			    "s[x,\n " FRAME "305 : f3+0x5/0x100 [kernel]\n " FRAME
			    "410 : f4+0x10/0x100 [kernel]\n]=5\n"
			    "s[y,\n " FRAME "111 : f1+0x11/0x100 [kernel]\n " FRAME
			    "210 : f2+0x10/0x100 [kernel]\n]=1\n");
}

static void sum(struct fixture *f, uint64_t first, const int64_t values[5])
{
	put_frames(f, first, 0x900);
	for (int i = 0; i < 5; i++)
		put_long(&f->r, values[i]);
	print(f, &sums);
}

TEST_WITH(aggregates_are_joined, setup, teardown)
{
	struct fixture *f = *state;

	open_table(f, -1);
	sum(f, 0x110, (int64_t[]){ 100, 1, 1, 1, 100 });
	sum(f, 0x320, (int64_t[]){ 1, 70, 70, 70, 70 });
	sum(f, 0x310, (int64_t[]){ 2, -5, 45, 95, 90 });
	print(f, &end);
	output_flush(&f->out);
	assert_string_equal(f->shown.s,
			    "t[\n " FRAME "300 : f3 [kernel]\n " FRAME "900 : f9+0x0/0x100 "
			    "[kernel]\n] 3 -5 53 95 160\n"
			    "t[\n " FRAME "110 : f1+0x10/0x100 [kernel]\n " FRAME
			    "900 : f9+0x0/0x100 [kernel]\n] 100 1 1 1 100\n");
}

/* ---- sessions that show nothing ---- */

static void hear(void *arg, const char *s, size_t len)
{
	buf_write(arg, s, len);
}

static const char *said(struct buf *t, uint64_t hits, uint64_t rows, bool tool)
{
	static struct meta_probe probes[] = { { .kind = "begin" }, { .kind = "entry" } };
	static struct meta_print prints[] = { { .types = "l", .format = "%d", .names = "n" } };
	struct tally_probe counts[2] = { 0 };
	struct tally tally = { .n = 2, .probes = counts };
	struct meta m = { .nprobes = 2, .probes = probes, .nprints = 1, .prints = prints,
			  .nsites = 3, .is_tool = tool };

	counts[0].c.hits = 1;
	counts[1].c.hits = hits;
	t->len = 0;
	buf_puts(t, "");
	say_to(hear, t);
	empty_report(&tally, &m, rows);
	return t->s;
}

TEST(empty_sessions_say_why)
{
	static const struct meta_print heading = { .types = "sl", .names = "\"PID\"\nnow()" };
	static const struct meta_print value = { .types = "sl", .names = "\"PID\"\nn" };
	struct buf t = { 0 };

	assert_non_null(strstr(said(&t, 0, 0, false), "0 hits: none of the 3 places was reached"));
	assert_non_null(strstr(said(&t, 7, 0, true), "0 of 7 hits matched"));
	assert_string_equal(said(&t, 7, 0, false), "");
	assert_string_equal(said(&t, 0, 1, true), "");
	assert_false(empty_is_row(&heading, false));
	assert_true(empty_is_row(&heading, true));
	assert_true(empty_is_row(&value, false));
	assert_false(empty_is_row(&begin, true));
	buf_deinit(&t);
}
