/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ring of a flight recorder, written by one processor: whatever is printed, it holds the newest
 * groups, whole and without a gap, and most of its bytes; while a snapshot is read, its newer half
 * stays.
 */
#include <string.h>

#include "context.h"
#include "flight.h"
#include "machine.h"
#include "output.h"
#include "ring.h"
#include "twin.h"

enum { PRINT = 5, LARGE = 40000 };

static struct {
	u64 number;      /* of the next group */
	u32 len;         /* of its record */
	bool ask;        /* it asks for a snapshot */
	bool fill;       /* and then loses its output, as it prints more than there is room for */
} next;

static void print(struct prt_ctx *c)
{
	char *p = prt_out_begin(c, PRINT, next.len);

	if (p) {
		memset(p, (char)next.number, next.len - sizeof(struct prt_rec));
		prt_put_long(p, (s64)next.number);
	}
	next.number++;
	if (next.ask)
		prt_snapshot(c, PRT_LIT("this one"));
	next.ask = false;
	while (next.fill && (p = prt_out_begin(c, PRINT, 1024)))
		memset(p, 0, 1024 - sizeof(struct prt_rec));
	next.fill = false;
}

static struct prt_ring *open_ring(u32 size)
{
	static struct prt_probe probe = { .handler = print, .kind = PRT_ENTRY };

	twin_script.probes = &probe;
	twin_script.nprobes = 1;
	memset(&next, 0, sizeof(next));
	machine_records = true;
	CHECK(machine_open(size) == 0, "no session");
	machine_run();
	machine_be_cpu(0);
	return prt_cpu_nr(0)->ctx.ring;
}

static void close_ring(void)
{
	machine_be_cpu(TWIN_CPUS);
	machine_close();
	machine_records = false;
}

static void hit(u32 len)
{
	next.len = (len + 7) & ~7u;
	machine_hit(0);
}

/* Reads the ring as the loader does. Returns the number of its first group. */
static u64 check(const struct prt_ring *r)
{
	u64 at = r->hdr->tail, first = 0, number = 0;

	CHECK(at <= r->hdr->head && r->hdr->head - at <= r->size, "%llu to %llu", at,
	      r->hdr->head);
	while (at < r->hdr->head) {
		const struct prt_group *g = (const void *)(r->data + (at & r->mask));
		const struct prt_rec *rec = (const void *)(g + 1);
		const char *text = (const char *)(rec + 1);

		CHECK(g->len == sizeof(*g) + rec->len && at + g->len <= r->hdr->head,
		      "a group of %u bytes with a record of %u", g->len, rec->len);
		CHECK(!first || *(const u64 *)text == number + 1, "%llu after %llu",
		      *(const u64 *)text, number);
		number = *(const u64 *)text;
		first = first ? first : number;
		for (u32 i = 8; i < rec->len - sizeof(*rec); i++)
			CHECK(text[i] == (char)number, "byte %u of group %llu", i, number);
		at += g->len;
	}
	return first;
}

static u64 newest(const struct prt_ring *r)
{
	u64 at = r->hdr->tail, number = 0;

	while (at < r->hdr->head) {
		const struct prt_group *g = (const void *)(r->data + (at & r->mask));

		number = *(const u64 *)((const char *)(g + 1) + sizeof(struct prt_rec));
		at += g->len;
	}
	return number;
}

TWIN_TEST(flight)
{
	u64 round, i;

	for (round = 0; round < twin_rounds(8); round++) {
		u32 size = PRT_RING_MIN << (round % 3), most = 24 + (u32)twin_below(3000);
		struct prt_ring *r = open_ring(size);

		hit(24);
		for (i = 0; i < 20000; i++) {
			hit(24 + (u32)twin_below(most));
			if (size > PRT_RING_MIN && twin_below(1000) == 0)
				hit(LARGE);
			if (twin_below(50))
				continue;
			check(r);
			CHECK(newest(r) == next.number - 1, "the newest is %llu, not %llu",
			      newest(r), next.number - 1);
			CHECK(r->hdr->tail == 0 || r->hdr->head - r->hdr->tail > size / 4,
			      "only %llu bytes of %u", r->hdr->head - r->hdr->tail, size);
		}
		CHECK(r->hdr->head > 2ull * size, "hardly written");
		CHECK(r->dropped == 0, "%llu dropped", r->dropped);
		close_ring();
	}
}

TWIN_TEST(flight_snapshot)
{
	struct prt_ring *r = open_ring(PRT_RING_MIN);
	struct prt_snapshot_end again = { 0 };
	struct prt_snapshot s;
	u64 trigger, i, half, asked;

	for (i = 0; i < 5000; i++)
		hit(200);
	memset(&s, 0, sizeof(s));
	CHECK(prt_flight_get(&s) == -EAGAIN, "nobody has asked");
	trigger = next.number;
	next.ask = true;
	hit(200);
	half = trigger - PRT_RING_MIN / 2 / 216 + PRT_RING_MIN / 16 / 216 + 2;
	CHECK(prt_flight_get(&s) == 0 && strcmp(s.reason, "this one") == 0 && s.probe == 0,
	      "'%s' of probe %u", s.reason, s.probe);
	asked = s.time;
	for (i = 0; i < 100; i++) {
		hit(200);
		CHECK(check(r) <= half, "of the newer half, something is gone after %llu", i);
	}
	next.ask = true;
	for (i = 0; i < 1000; i++)
		hit(200);
	CHECK(r->dropped > 500 && check(r) <= half, "%llu dropped", r->dropped);
	CHECK(r->hdr->kept_since >= asked && r->hdr->kept_dropped == 0 &&
	      r->hdr->kept_dropped_at == 0 && r->hdr->dropped_at > r->hdr->kept_since,
	      "%llu were dropped before", r->hdr->kept_dropped);
	CHECK(prt_flight_get(&s) == 0 && s.suppressed == 1, "%u were suppressed", s.suppressed);
	CHECK(prt_flight_record(&again) == 0 && prt_flight_get(&s) == -EAGAIN, "still asked");
	i = r->dropped;
	hit(200);
	hit(200);
	CHECK(r->dropped == i && newest(r) == next.number - 1, "it does not go on");

	/* The loader can ask as well, and say how soon the script may. */
	s = (struct prt_snapshot){ .now = 1 };
	CHECK(prt_flight_get(&s) == 0 && s.probe == U32_MAX, "it may not ask");
	again.not_before = U64_MAX;
	CHECK(prt_flight_record(&again) == 0, "it had asked");
	next.ask = true;
	hit(200);
	s.now = 1;
	CHECK(prt_flight_get(&s) == 0, "it may always ask");
	CHECK(s.probe == U32_MAX && s.suppressed == 1, "%u were suppressed", s.suppressed);
	for (i = 0; i < 100; i++)
		hit(200);
	CHECK(r->hdr->kept_since > s.time && r->hdr->kept_dropped > 500 &&
	      r->hdr->kept_dropped_at, "%llu were dropped before", r->hdr->kept_dropped);
	CHECK(prt_flight_record(&again) == 0, "it had asked");
	close_ring();
}

/* The group that is open when its hit asks is of the snapshot, which lacks it if it is lost. One
 * that is opened later is not. */
TWIN_TEST(flight_open)
{
	struct prt_snapshot_end again = { 0 };
	u64 seed;

	for (seed = 0; seed < 2; seed++) {
		struct prt_ring *r = open_ring(PRT_RING_MIN);
		struct prt_snapshot s = { 0 };
		u64 i;

		for (i = 0; i < 1000 * seed; i++)
			hit(200);
		next.ask = next.fill = true;
		hit(200);
		CHECK(prt_flight_get(&s) == 0, "nobody has asked");
		CHECK(r->dropped == 1 && r->hdr->kept_since >= s.time &&
		      r->hdr->kept_dropped == 0 && r->hdr->kept_lost_n == 1 &&
		      r->hdr->kept_lost && r->hdr->kept_lost < s.time,
		      "%llu lost at %llu", r->hdr->kept_lost_n, r->hdr->kept_lost);
		next.fill = true;
		hit(200);
		CHECK(r->dropped == 2 && r->hdr->kept_lost_n == 1, "%llu lost",
		      r->hdr->kept_lost_n);
		CHECK(prt_flight_record(&again) == 0, "it had asked");

		s = (struct prt_snapshot){ .now = 1 };
		CHECK(prt_flight_get(&s) == 0, "it may not ask");
		next.fill = true;
		hit(200);
		CHECK(r->dropped == 3 && r->hdr->kept_dropped == 2 &&
		      (r->hdr->kept_lost == 0 || r->hdr->kept_lost >= s.time),
		      "lost at %llu, asked at %llu", r->hdr->kept_lost, s.time);
		CHECK(prt_flight_record(&again) == 0, "it had asked");
		close_ring();
	}
}
