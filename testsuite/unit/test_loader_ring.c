/* SPDX-License-Identifier: GPL-2.0 */
/* The merge of several CPUs' rings in memory made by hand: order, open hits, wrapping, damage. */
#include "device/ring.h"
#include "unit.h"

enum { SIZE = 256, RINGS = 3 };

/* The data is mapped twice in a row, as the kernel maps it. */
struct fake {
	struct prt_ring_head head;
	_Alignas(8) char data[2 * SIZE];
};

struct fixture {
	struct fake fake[RINGS];
	struct ring ring[RINGS];
	struct rings rings;
	unsigned damaged;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	for (int i = 0; i < RINGS; i++)
		f->ring[i] = (struct ring){ .head = &f->fake[i].head,
					    .data = f->fake[i].data,
					    .size = SIZE };
	f->rings = (struct rings){ .ring = f->ring, .n = RINGS };
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	free(*state);
	return 0;
}

static void put(struct fixture *f, int ring, uint64_t time, uint32_t len)
{
	struct fake *r = &f->fake[ring];
	struct prt_group g = { .len = len, .kind = PRT_GROUP_OUTPUT, .time = time };
	char bytes[SIZE] = "";

	assert_true(r->head.head - r->head.tail + len <= SIZE);
	memcpy(bytes, &g, sizeof(g));
	for (uint32_t i = 0; i < len; i++) {
		size_t at = (r->head.head + i) % SIZE;

		r->data[at] = r->data[at + SIZE] = bytes[i];
	}
	r->head.head += len;
}

/* Returns the time of the next group, or 0. */
static uint64_t next(struct fixture *f, uint64_t now)
{
	const struct prt_group *g = ring_next(&f->rings, now, &f->damaged);

	return g ? g->time : 0;
}

TEST_WITH(in_order, setup, teardown)
{
	struct fixture *f = *state;

	put(f, 0, 10, 16);
	put(f, 0, 40, 24);
	put(f, 0, 41, 16);
	put(f, 1, 20, 16);
	put(f, 1, 30, 16);
	put(f, 2, 35, 16);
	put(f, 2, 50, 16);
	ring_look(&f->rings);
	assert_int_equal(next(f, 1000), 10);
	assert_int_equal(next(f, 1000), 20);
	assert_int_equal(next(f, 1000), 30);
	assert_int_equal(next(f, 1000), 35);
	assert_int_equal(next(f, 1000), 40);
	assert_int_equal(next(f, 1000), 41);
	assert_int_equal(next(f, 1000), 50);
	assert_int_equal(next(f, 1000), 0);
	assert_int_equal(f->fake[0].head.tail, 0);
	assert_false(f->fake[0].head.tail == f->fake[0].head.head);
	ring_release(&f->rings);
	assert_int_equal(f->fake[0].head.tail, 56);
	assert_true(ring_empty(&f->rings));
	assert_int_equal(f->damaged, 0);
}

TEST_WITH(not_before_now, setup, teardown)
{
	struct fixture *f = *state;

	put(f, 0, 10, 16);
	put(f, 1, 20, 16);
	ring_look(&f->rings);
	assert_int_equal(next(f, 20), 10);
	assert_int_equal(next(f, 20), 0);
	/* Groups that arrive after ring_look() belong to the next turn. */
	put(f, 0, 11, 16);
	assert_int_equal(next(f, 1000), 20);
	assert_int_equal(next(f, 1000), 0);
	ring_look(&f->rings);
	assert_int_equal(next(f, 1000), 11);
}

TEST_WITH(open_hit_elsewhere, setup, teardown)
{
	struct fixture *f = *state;

	put(f, 0, 10, 16);
	put(f, 0, 30, 16);
	f->fake[1].head.open = 25;
	ring_look(&f->rings);
	assert_int_equal(next(f, 1000), 10);
	assert_int_equal(next(f, 1000), 0);
	/* The hit ends, and its group precedes the one that waited. */
	put(f, 1, 25, 16);
	f->fake[1].head.open = 0;
	ring_look(&f->rings);
	assert_int_equal(next(f, 1000), 25);
	assert_int_equal(next(f, 1000), 30);
}

/* The merge must not wait for a thread that waits for room in its own ring. */
TEST_WITH(own_open_hit, setup, teardown)
{
	struct fixture *f = *state;

	put(f, 2, 10, 16);
	put(f, 2, 20, 16);
	put(f, 0, 15, 16);
	put(f, 0, 25, 16);
	f->fake[2].head.open = 20;
	ring_look(&f->rings);
	assert_int_equal(next(f, 1000), 10);
	assert_int_equal(next(f, 1000), 15);
	assert_int_equal(next(f, 1000), 20);
	assert_int_equal(next(f, 1000), 0);
	f->fake[2].head.open = 0;
	ring_look(&f->rings);
	assert_int_equal(next(f, 1000), 25);
}

/* A session that has ended is read to its end, whatever damage its rings have. */
TEST_WITH(last_look, setup, teardown)
{
	struct fixture *f = *state;

	put(f, 0, 10, 16);
	put(f, 0, 5000, 16);
	put(f, 1, UINT64_MAX, 16);
	f->fake[2].head.open = 5;
	ring_look_last(&f->rings);
	assert_int_equal(next(f, UINT64_MAX), 10);
	assert_int_equal(next(f, UINT64_MAX), 5000);
	assert_int_equal(next(f, UINT64_MAX), UINT64_MAX);
	assert_int_equal(next(f, UINT64_MAX), 0);
	assert_true(ring_empty(&f->rings));
}

TEST_WITH(about_to_read_the_clock, setup, teardown)
{
	struct fixture *f = *state;

	put(f, 0, 10, 16);
	f->fake[1].head.open = 1;
	ring_look(&f->rings);
	assert_int_equal(next(f, 1000), 0);
	f->fake[1].head.open = 11;
	ring_look(&f->rings);
	assert_int_equal(next(f, 1000), 10);
}

TEST_WITH(wraps, setup, teardown)
{
	struct fixture *f = *state;
	uint64_t time = 0;

	for (int i = 0; i < 100; i++) {
		const struct prt_group *g;

		put(f, 1, ++time, 88);
		put(f, 1, ++time, 104);
		ring_look(&f->rings);
		for (int j = 0; j < 2; j++) {
			g = ring_next(&f->rings, 10000, &f->damaged);
			assert_non_null(g);
			assert_int_equal(g->time, time - 1 + (uint64_t)j);
			assert_int_equal(g->len, j ? 104 : 88);
		}
		ring_release(&f->rings);
	}
	assert_int_equal(f->damaged, 0);
}

TEST_WITH(damage, setup, teardown)
{
	static const uint32_t lens[] = { 0, 8, 15, 20, 48, UINT32_MAX };
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		struct prt_group *g;
		size_t at = f->fake[0].head.head % SIZE;

		put(f, 0, 10, 16);
		put(f, 0, 20, 16);
		g = (void *)(f->fake[0].data + at);
		memcpy(&g->len, &lens[i], 4);
		g = (void *)(f->fake[0].data + (at + SIZE) % (2 * SIZE));
		memcpy(&g->len, &lens[i], 4);
		put(f, 1, 30, 16);
		ring_look(&f->rings);
		assert_int_equal(next(f, 1000), 30);
		assert_int_equal(next(f, 1000), 0);
		ring_release(&f->rings);
		assert_int_equal(f->damaged, i + 1);
		assert_true(ring_empty(&f->rings));
	}
	/* A head that claims more than the ring holds. */
	f->fake[0].head.head += SIZE + 8;
	ring_look(&f->rings);
	assert_int_equal(next(f, 1000), 0);
	assert_int_equal(f->damaged, sizeof(lens) / sizeof(lens[0]) + 1);
}
