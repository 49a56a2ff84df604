/* SPDX-License-Identifier: GPL-2.0 */
/* From when on a snapshot is complete, and what its head says: rings made by hand. */
#include "session/flight.h"
#include "device/ring.h"
#include "shared/memory.h"
#include "show/output.h"
#include "show/show.h"
#include "show/snapshot.h"
#include "unit.h"

enum { SIZE = 256 };

/* Returns a ring with groups of these times; the last one is 0. */
static struct ring ring_of(bool is_overwritten, uint64_t lost_at, const uint64_t *times)
{
	struct prt_group g = { .len = sizeof(g), .kind = PRT_GROUP_OUTPUT };
	char *data = memory_zeroed(SIZE, 1);
	uint64_t n = 0;

	for (; times[n]; n++) {
		g.time = times[n];
		memcpy(data + n * sizeof(g), &g, sizeof(g));
	}
	return (struct ring){ .data = data, .size = SIZE, .end = n * sizeof(g),
			      .open = RING_NOT_OPEN, .is_overwritten = is_overwritten,
			      .lost_at = lost_at };
}

#define TIMES(...) (const uint64_t[]){ __VA_ARGS__, 0 }
#define NONE (const uint64_t[]){ 0 }

/* Returns from when on a snapshot of two rings is complete; 0: it has everything. */
static uint64_t whole(struct ring a, struct ring b)
{
	struct rings rings = { .ring = memory_zeroed(2, sizeof(a)), .n = 2 };
	struct flight f = { 0 };
	unsigned damaged = 0;
	uint64_t ret;

	rings.ring[0] = a;
	rings.ring[1] = b;
	assert_int_equal(flight_adopt(&f, &rings, "a test", &damaged), 0);
	assert_int_equal(damaged, 0);
	ret = f.whole;
	flight_deinit(&f);
	return ret;
}

TEST(complete_from)
{
	assert_int_equal(whole(ring_of(false, 0, TIMES(10, 20)), ring_of(false, 0, NONE)), 0);
	assert_int_equal(whole(ring_of(true, 0, TIMES(10, 20)),
			       ring_of(false, 0, TIMES(5, 30))), 10);
	assert_int_equal(whole(ring_of(true, 0, TIMES(10, 20)),
			       ring_of(true, 0, TIMES(15, 30))), 15);
}

/* A hit that was larger than its ring has overwritten all of it and was lost itself: of that
 * processor, nothing is known. */
TEST(nothing_is_complete)
{
	assert_true(whole(ring_of(true, 0, NONE), ring_of(false, 0, TIMES(5, 30))) > 30);
	assert_true(whole(ring_of(false, 0, TIMES(5, 30)), ring_of(true, 0, NONE)) > 30);
}

/* A hit without output is a hole: what is older is a part. */
TEST(hole)
{
	assert_int_equal(whole(ring_of(true, 17, TIMES(10, 20)),
			       ring_of(false, 0, TIMES(5, 30))), 17);
	assert_int_equal(whole(ring_of(false, 0, TIMES(10, 20)),
			       ring_of(false, 7, TIMES(5, 30))), 7);
	assert_int_equal(whole(ring_of(true, 7, TIMES(10, 20)),
			       ring_of(false, 0, TIMES(5, 30))), 10);
}

static int collect(void *text, const char *s, size_t len)
{
	buf_write(text, s, len);
	return 0;
}

/* Returns the head of @h as text; the caller frees it. */
static char *head_of(const struct show_snapshot *h, enum show_format format)
{
	struct buf text = { 0 };
	struct output out;
	struct show show;

	output_init(&out, -1);
	output_to(&out, collect, &text);
	show_open(&show, format, NULL, 0, &out);
	show_snapshot(&show, h);
	show_close(&show);
	output_deinit(&out);
	return text.s;
}

/* The reason is often made from what a program is called or has opened. */
TEST(one_line)
{
	struct show_snapshot h = { .host = "web1", .number = 3,
				   .reason = "a\n--- snapshot 4 on web1\n\x1b[31m\r\tb" };
	char *s = head_of(&h, SHOW_TEXT);

	assert_non_null(strstr(s, ": a\\x0a--- snapshot 4 on web1\\x0a"));
	assert_ptr_equal(strchr(s, '\n'), s + strlen(s) - 1);
	free(s);
}

TEST(lost)
{
	struct show_snapshot h = { .host = "web1", .number = 1, .reason = "r", .lost = 7,
				   .overwritten = 1 };
	char *s = head_of(&h, SHOW_TEXT);

	assert_non_null(strstr(s, ": 0 hits, 1 KiB of older ones overwritten meanwhile, without "
			       "the output of 7 hits for which there was no room ---\n"));
	free(s);
	s = head_of(&h, SHOW_JSON);
	assert_non_null(strstr(s, "\"overwritten\":1,\"lost\":7,\"suppressed\":0"));
	free(s);
}
