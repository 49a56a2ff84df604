/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rings with the loader as their reader: every processor and the session thread print random groups
 * at the same time, while the merge of loader/device/ring.c reads. Each text is a function of its
 * writer, hit and number, so the reader knows what it must read. At the end every hit was read
 * whole and in order, or was counted as dropped. The same while the rings grow.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/mm.h>

#include "context.h"
#include "loader/device/ring.h"
#include "machine.h"
#include "output.h"
#include "ring.h"
#include "twin.h"

enum { WRITERS = TWIN_CPUS + 1, PRINT = 5, RECORDS = 4, HOT = 0, THREAD = 1 };

static struct {
	u64 hits[WRITERS];      /* hits that began to print */
	u64 lost[WRITERS];      /* hits that were told that there was no room */
	u8 *fate[WRITERS];      /* of each hit: 1 printed, 2 lost, 0 unknown */
	u64 seen[WRITERS];      /* the next hit that the reader may see */
	u64 read[WRITERS];
	u64 last_time;
	u64 rounds;
	int writing;            /* threads that are still writing */
} r;

/* ---- what is printed ---- */

static u64 shape(u64 writer, u64 hit, u64 record)
{
	u64 z = (writer << 56 ^ hit << 8 ^ record) * 0x9e3779b97f4a7c15ull;

	return (z ^ z >> 29) * 0xbf58476d1ce4e5b9ull;
}

static u32 records_of(u64 writer, u64 hit)
{
	return shape(writer, hit, 99) >> 33 & 1 ? 1 : shape(writer, hit, 98) >> 40 & 3;
}

static struct prt_str text_of(char *buf, u64 writer, u64 hit, u64 record)
{
	u64 s = shape(writer, hit, record);
	u32 len = s >> 60 == 0 ? s >> 40 & 4095 : s >> 40 & 63;

	memset(buf, (char)s, len);
	return (struct prt_str){ buf, len };
}

static void print(struct prt_ctx *c)
{
	u64 writer = PRT_IS_PROCESS(c) ? TWIN_CPUS : c->cpu, hit = r.hits[writer]++, i;
	u64 n = records_of(writer, hit);
	char buf[4096], *p;

	for (i = 0; i < n; i++) {
		struct prt_str s = text_of(buf, writer, hit, i);

		p = prt_out_begin(c, PRINT, sizeof(struct prt_rec) + 24 + prt_str_room(s));
		if (!p)
			break;
		p = prt_put_long(p, (s64)writer);
		p = prt_put_long(p, (s64)hit);
		p = prt_put_long(p, (s64)i);
		prt_put_str(p, s);
	}
	r.fate[writer][hit] = i < n ? 2 : n ? 1 : 0;
	r.lost[writer] += i < n;
}

/* ---- the reader ---- */

static struct prt_ring *ring_nr(int nr)
{
	return nr == TWIN_CPUS ? prt_thread_cpu.ctx.ring : prt_cpu_nr(nr)->ctx.ring;
}

static void unmap_ring(struct ring *ring)
{
	if (ring->data)
		munmap((void *)ring->data, 2 * ring->size);
	ring->data = NULL;
}

/* Checks one record; returns the end of it. */
static const char *check_record(const char *p, u64 writer, u64 hit, u64 record)
{
	const struct prt_rec *rec = (const void *)p;
	const s64 *args = (const void *)(rec + 1);
	char buf[4096];
	struct prt_str s = text_of(buf, writer, hit, record);
	u32 len = sizeof(*rec) + 24 + prt_str_room(s);

	CHECK(rec->id == PRINT && rec->len == len, "record %u of %u bytes, not %u", rec->id,
	      rec->len, len);
	CHECK((u64)args[0] == writer && (u64)args[1] == hit && (u64)args[2] == record,
	      "%lld %lld %lld, not %llu %llu %llu", args[0], args[1], args[2], writer, hit, record);
	CHECK(*(const u32 *)(args + 3) == s.len &&
	      memcmp((const char *)(args + 3) + 4, s.s, s.len) == 0,
	      "another text");
	return p + len;
}

/* A group of a hot handler is one hit; the thread's are any number of whole hits and parts of
 * them. */
static void check_group(const struct prt_group *g, u32 ring)
{
	const char *p = (const char *)(g + 1), *end = (const char *)g + g->len;
	static u64 part; /* position in the thread's hit that is being read */

	CHECK(g->time >= r.last_time, "time goes back from %llu to %llu", r.last_time, g->time);
	CHECK(g->kind == PRT_GROUP_OUTPUT && g->probe == (ring == TWIN_CPUS ? THREAD : HOT),
	      "kind %u probe %u", g->kind, g->probe);
	r.last_time = g->time;
	while (p < end) {
		const s64 *args = (const void *)(p + sizeof(struct prt_rec));
		u64 hit = (u64)args[1], i, n = records_of(ring, hit);

		CHECK(hit >= r.seen[ring], "hit %llu of %u comes again", hit, ring);
		if (ring == TWIN_CPUS) {
			p = check_record(p, ring, hit, part++);
			if (part < n)
				continue;
			part = 0;
		} else {
			for (i = 0; i < n; i++)
				p = check_record(p, ring, hit, i);
			CHECK(p == end, "more than a hit's records");
		}
		r.seen[ring] = hit + 1;
		r.read[ring]++;
	}
}

static u32 ring_of(const struct rings *rings, const struct prt_group *g)
{
	u32 i;

	for (i = 0; i < rings->n; i++)
		if ((const char *)g >= rings->ring[i].data &&
		    (const char *)g < rings->ring[i].data + 2 * rings->ring[i].size)
			return i;
	CHECK(0, "a group in no ring");
}

/* Maps the data of ring @nr as the loader does (loader/device/device_rings.c). */
static void map_ring(struct ring *to, int nr)
{
	do {
		size_t len = 2ul * __atomic_load_n(&to->head->size, __ATOMIC_ACQUIRE);
		char *at = mmap(NULL, len, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		struct vm_area_struct area = { (u64)at, (u64)at + len, 0 };

		CHECK(prt_ring_mmap(ring_nr(nr), &area, 1) == 0, "ring %d can't be mapped", nr);
		unmap_ring(to);
		to->data = at;
		to->size = len / 2;
	} while (to->size != __atomic_load_n(&to->head->size, __ATOMIC_ACQUIRE));
}

static void map_grown(struct rings *rings)
{
	u32 i;

	for (i = 0; i < rings->n; i++)
		if (__atomic_load_n(&rings->ring[i].head->size, __ATOMIC_ACQUIRE) !=
		    rings->ring[i].size)
			map_ring(&rings->ring[i], (int)i);
}

/* One turn of the loader's pump. */
static void turn(struct rings *rings)
{
	const struct prt_group *g;
	unsigned damaged = 0;
	u64 now = prt_clock_now();

	ring_look(rings);
	if (machine_rings_grow)
		map_grown(rings);
	while ((g = ring_next(rings, now, &damaged))) {
		check_group(g, ring_of(rings, g));
		if (twin_below(16) == 0)
			ring_release(rings);
	}
	ring_release(rings);
	CHECK(!damaged, "%u rings are damaged", damaged);
}

static void read_all(void)
{
	struct ring ring[WRITERS];
	struct rings rings = { .ring = ring, .n = WRITERS };
	bool writing;
	int i;

	for (i = 0; i < WRITERS; i++) {
		ring[i] = (struct ring){ .head = ring_nr(i)->hdr };
		if (machine_rings_grow) {
			map_ring(&ring[i], i);
		} else {
			ring[i].data = ring_nr(i)->data;
			ring[i].size = ring_nr(i)->size;
		}
	}
	do {
		writing = __atomic_load_n(&r.writing, __ATOMIC_ACQUIRE);
		turn(&rings);
		ring_sleep(&rings, twin_below(2));
		if (twin_below(8) == 0)
			usleep((useconds_t)twin_below(500));
	} while (writing || !ring_empty(&rings));
	for (i = 0; i < WRITERS && machine_rings_grow; i++)
		unmap_ring(&ring[i]);
}

static void work(int nr)
{
	u64 i;

	if (nr == WRITERS) {
		read_all();
		return;
	}
	if (nr > WRITERS) {
		while (__atomic_load_n(&r.writing, __ATOMIC_ACQUIRE))
			machine_work();
		return;
	}
	for (i = 0; i < r.rounds; i++) {
		if (nr == TWIN_CPUS)
			prt_session_run(THREAD);
		else
			machine_hit(HOT);
	}
	__atomic_sub_fetch(&r.writing, 1, __ATOMIC_RELEASE);
}

static void check_losses(int nr)
{
	const struct prt_ring *ring = ring_nr(nr);
	u64 printed = 0, i;

	CHECK(r.hits[nr] == r.rounds, "writer %d: %llu hits", nr, r.hits[nr]);
	for (i = 0; i < r.rounds; i++)
		printed += r.fate[nr][i] == 1;
	CHECK(r.read[nr] == printed, "writer %d: %llu read of %llu", nr, r.read[nr], printed);
	CHECK(ring->dropped == r.lost[nr] && ring->hdr->dropped == r.lost[nr],
	      "writer %d: %llu dropped, %llu counted", nr, r.lost[nr], ring->dropped);
	CHECK(nr < TWIN_CPUS || !r.lost[nr], "the thread lost something");
}

static void write_and_read(void)
{
	static struct prt_probe probes[] = { { .handler = print, .kind = PRT_ENTRY },
					     { .handler = print, .kind = PRT_BEGIN } };
	u64 round;
	int i;

	twin_script.probes = probes;
	twin_script.nprobes = 2;
	for (round = 0; round < twin_rounds(4); round++) {
		memset(&r, 0, sizeof(r));
		r.rounds = 10000;
		r.writing = WRITERS;
		CHECK(machine_open(PRT_RING_MIN) == 0, "no session");
		machine_run();
		for (i = 0; i < WRITERS; i++)
			r.fate[i] = calloc(r.rounds, 1);
		twin_threads(WRITERS + 1 + !!machine_rings_grow, work);
		for (i = 0; i < WRITERS; i++) {
			check_losses(i);
			free(r.fate[i]);
		}
		machine_close();
	}
}

TWIN_TEST(ring)
{
	write_and_read();
}

TWIN_TEST(ring_grows)
{
	machine_rings_grow = PRT_RING_MIN * (twin_below(2) ? 4 : 16);
	write_and_read();
	machine_rings_grow = 0;
}

/* ---- one ring that grows, of which the reader has read some when it stops ---- */

static void put_number(struct prt_ctx *c)
{
	char *p = prt_out_begin(c, PRINT, sizeof(struct prt_rec) + 8 + 8 * (u32)(r.rounds % 50));

	if (p)
		prt_put_long(p, (s64)r.rounds);
	else
		prt_warn(c, PRT_LIT("it is full")); /* in the reserve, up to the last byte */
	r.lost[0] += !p;
	r.rounds++;
}

static u32 hit_and_read(struct rings *rings, u64 hits, u64 read)
{
	const struct prt_group *g;
	unsigned damaged = 0;
	u32 ret = 0;

	while (hits--)
		machine_hit(0);
	ring_look_last(rings);
	map_grown(rings);
	while (ret < read && (g = ring_next(rings, U64_MAX, &damaged))) {
		const struct prt_rec *rec = (const void *)(g + 1);

		u64 nr;

		ret++;
		if (g->len == sizeof(*g))
			continue; /* there was no room for the warning either */
		if (rec->id == PRT_REC_WARN) {
			CHECK(memcmp((const char *)(rec + 1) + 4, "it is full", 10) == 0,
			      "another warning");
			continue;
		}
		nr = *(const u64 *)(rec + 1);
		CHECK(rec->id == PRINT && (nr == r.seen[0] || (r.lost[0] && nr > r.seen[0])),
		      "record %u of hit %llu, not %llu, %llu lost", rec->id, nr, r.seen[0],
		      r.lost[0]);
		CHECK(rec->len == sizeof(*rec) + 8 + 8 * (u32)(nr % 50), "%u bytes", rec->len);
		r.seen[0] = nr + 1;
		r.read[0]++;
	}
	CHECK(!damaged, "the ring is damaged");
	ring_release(rings);
	return ret;
}

TWIN_TEST(ring_grows_unread)
{
	static struct prt_probe probe = { .handler = put_number };
	struct ring ring;
	struct rings rings = { .ring = &ring, .n = 1 };
	u64 round;

	twin_script.probes = &probe;
	twin_script.nprobes = 1;
	for (round = 0; round < twin_rounds(20); round++) {
		u64 fit = 0;

		memset(&r, 0, sizeof(r));
		machine_rings_grow = PRT_RING_MIN * 16;
		CHECK(machine_open(PRT_RING_MIN) == 0, "no session");
		ring = (struct ring){ .head = ring_nr(0)->hdr };
		map_ring(&ring, 0);
		machine_run();
		machine_be_cpu(0);
		/* It begins anywhere, and is full or not when it grows. */
		while (r.read[0] < 2 * round)
			hit_and_read(&rings, 1 + twin_below(3), U64_MAX);
		while (ring_nr(0)->size < machine_rings_grow && fit++ < 10000) {
			hit_and_read(&rings, 1 + twin_below(100), twin_below(4) ? 0 : 30);
			if (twin_below(fit < 100 ? 32 : 2) == 0)
				machine_work();
		}
		CHECK(ring_nr(0)->size == machine_rings_grow, "it does not grow");
		while (hit_and_read(&rings, 0, U64_MAX))
			;
		CHECK(r.read[0] + r.lost[0] == r.rounds, "%llu of %llu read, %llu lost", r.read[0],
		      r.rounds, r.lost[0]);
		machine_be_cpu(TWIN_CPUS);
		unmap_ring(&ring);
		machine_close();
	}
	machine_rings_grow = 0;
}

/* ---- one ring without a reader: what is dropped, what the reserve is for ---- */

static void fill_up(struct prt_ctx *c)
{
	char *p = prt_out_begin(c, PRINT, 1024);

	if (p)
		memset(p, 0, 1024 - sizeof(struct prt_rec));
	if (!p)
		prt_warn(c, PRT_LIT("full"));
}

TWIN_TEST(ring_full)
{
	static struct prt_probe probe = { .handler = fill_up };
	const struct prt_ring *ring;
	u64 fit, i;

	twin_script.probes = &probe;
	twin_script.nprobes = 1;
	CHECK(machine_open(PRT_RING_MIN) == 0, "no session");
	ring = ring_nr(0);
	machine_run();
	machine_be_cpu(0);
	fit = (PRT_RING_MIN - PRT_RING_RESERVE) / (1024 + sizeof(struct prt_group));
	for (i = 0; i < fit; i++)
		machine_hit(0);
	CHECK(ring->dropped == 0 && ring->head == fit * (1024 + sizeof(struct prt_group)),
	      "%llu dropped before it is full", ring->dropped);
	for (i = 0; i < 10; i++)
		machine_hit(0);
	/* The warnings about these drops use the reserve. */
	CHECK(ring->dropped == 10, "%llu dropped", ring->dropped);
	CHECK(ring->hdr->dropped_bytes >= 10 * 1024 && ring->hdr->dropped_bytes <= 10 * 1040,
	      "%llu bytes dropped", ring->hdr->dropped_bytes);
	CHECK(ring->head == fit * 1040 + 10 * (16 + 8 + 8), "%llu bytes in it", ring->head);
	for (i = 0; i < 10000; i++)
		machine_hit(0);
	CHECK(ring->head <= PRT_RING_MIN, "%llu bytes in it", ring->head);
	/* An invalid tail is treated as a full ring. */
	ring->hdr->tail = ring->head + 8;
	machine_hit(0);
	CHECK(prt_ring_room(ring) == 0 && ring->head <= PRT_RING_MIN, "room for %llu",
	      prt_ring_room(ring));
	ring->hdr->tail = ring->head;
	i = ring->head;
	machine_hit(0);
	CHECK(ring->head == i + 1040, "an empty ring takes nothing");
	machine_be_cpu(TWIN_CPUS);
	machine_close();
}

/* The loader's mapping: the header, then the data twice, read-only. */
TWIN_TEST(ring_mmap)
{
	size_t pages = 2 * PRT_RING_MIN / PAGE_SIZE + 1;
	char *at = mmap(NULL, pages * PAGE_SIZE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct vm_area_struct all = { (u64)at, (u64)at + pages * PAGE_SIZE, 0 };
	struct vm_area_struct two = { (u64)at, (u64)at + 2 * PAGE_SIZE, VM_WRITE | VM_MAYWRITE };
	struct vm_area_struct head = { (u64)at, (u64)at + PAGE_SIZE, VM_WRITE | VM_MAYWRITE };
	struct prt_ring *ring;
	static struct prt_probe probe;

	twin_script.probes = &probe;
	twin_script.nprobes = 1;
	CHECK(machine_open(PRT_RING_MIN) == 0, "no session");
	ring = ring_nr(1);
	CHECK(prt_ring_mmap(ring, &two, 0) == -EPERM, "data can be written");
	CHECK(prt_ring_mmap(ring, &head, 0) == 0 && head.vm_flags & VM_MAYWRITE,
	      "the header can't");
	CHECK(prt_ring_mmap(ring, &all, 1) == -EINVAL, "more than there is");
	CHECK(prt_ring_mmap(ring, &head, pages) == -EINVAL, "more than there is");
	CHECK(prt_ring_mmap(ring, &all, 0) == 0 && !(all.vm_flags & VM_MAYWRITE), "not mapped");
	twin_bytes(ring->data, PRT_RING_MIN);
	CHECK(memcmp(at + PAGE_SIZE, ring->data, PRT_RING_MIN) == 0, "not the first time");
	CHECK(memcmp(at + PAGE_SIZE + PRT_RING_MIN, ring->data, PRT_RING_MIN) == 0,
	      "nor the second");
	CHECK(((struct prt_ring_head *)at)->magic == PRT_MAGIC, "no header");
	munmap(at, pages * PAGE_SIZE);
	machine_close();
}
