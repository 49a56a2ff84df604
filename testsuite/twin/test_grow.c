/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Arrays that grow: processors add to them while the work item gives them memory and the thread
 * collects. What they hold at the end is what was added: nothing is lost unless it is counted as
 * lost, and nothing is damaged when memory is missing. Memory that an array does not have yet can't
 * be touched here (vmap() of machine.c).
 */
#include <string.h>

#include "aggregate.h"
#include "context.h"
#include "global.h"
#include "grow.h"
#include "hits.h"
#include "limits.h"
#include "machine.h"
#include "map.h"
#include "twin.h"

enum { NUMBERS = 0, NAMES = 8, SIZES = 16, BANK = 24, ENTRIES = 20000, KEYS = 5000, TEXT = 100 };

static int writing;
static u32 pause_every;   /* keys after which a processor waits for the work item; 0: never */
static struct { _Alignas(64) u64 added, keys; } work[TWIN_CPUS];

static struct prt_map_ref *ref_at(struct prt_ctx *c, u32 at)
{
	return (struct prt_map_ref *)(c->bank + at);
}

/* Each processor has keys of its own and shares every other one. */
static s64 key_of(u64 n)
{
	return n % 2 ? (s64)n : (s64)(n * TWIN_CPUS + twin_cpu) << 20;
}

static struct prt_str name_of(char *text, s64 key)
{
	memset(text, 'k', TEXT);
	memcpy(text, &key, sizeof(key));
	return (struct prt_str){ text, 8 + (u32)((u64)key % (TEXT - 8)) };
}

/* Adds 1 to an element of each array; the kept sums are those of what was stored. */
static void handler(struct prt_ctx *c)
{
	char text[TEXT];
	s64 key = key_of(work[twin_cpu].keys);
	s64 *n = prt_map_get_l(c, ref_at(c, NUMBERS), key, 1);
	s64 *name = prt_map_get_s(c, ref_at(c, NAMES), name_of(text, key), 1);
	struct prt_stat *st = prt_map_get_l(c, ref_at(c, SIZES), key, 1);

	CHECK(n && name && st, "no memory, not even for what is lost");
	*n += 1;
	*name += 1;
	PRT_STAT_ADD(st, key % 1000 + 1, PRT_STAT_SUM | PRT_STAT_HIST_EXP, PRT_HIST_LOG_BUCKETS, 0,
		     0, 0);
}

static u64 lost(void)
{
	u64 sum = prt_thread_cpu.not_stored;
	int i;

	for (i = 0; i < TWIN_CPUS; i++)
		sum += prt_cpu_nr(i)->not_stored;
	return sum;
}

/* The sum of what all elements of an array hold, which are as many as its list has. */
static u64 sum_of(struct prt_ctx *c, u32 at, bool aggregates)
{
	struct prt_iter *it;
	u64 sum = 0, buckets = 0;
	u32 n = 0, i;

	c->steps = ENTRIES;
	it = prt_iter_walk(c, ref_at(c, at), 1);
	CHECK(it, "no iterator");
	for (; prt_iter_next(it); n++) {
		struct prt_stat *st = prt_iter_value(it);

		sum += aggregates ? st->count : *(u64 *)st;
		for (i = 0; aggregates && i < PRT_EXP_BUCKETS; i++)
			buckets += prt_stat_slot(st, i);
	}
	prt_iter_end(c, it);
	CHECK(n == ref_at(c, at)->m->count, "%u elements of %u", n, ref_at(c, at)->m->count);
	CHECK(!aggregates || buckets == sum, "%llu values in buckets, not %llu", buckets, sum);
	return sum;
}

static void check_sums(struct prt_ctx *c)
{
	u64 sum = sum_of(c, NUMBERS, false) + sum_of(c, NAMES, false) + sum_of(c, SIZES, true);
	u64 added = 0;
	int i;

	for (i = 0; i < TWIN_CPUS; i++)
		added += work[i].added;
	CHECK(sum + lost() == 3 * added, "%llu stored and %llu lost of %llu", sum, lost(),
	      3 * added);
}

static void hit_keys(void)
{
	u64 k;

	for (k = 0; k < KEYS && !twin_hungry(); k++) {
		work[twin_cpu].keys = twin_below(8) ? k : twin_below(k + 1);
		machine_hit(0);
		work[twin_cpu].added++;
		while (pause_every && k % pause_every == 0 && machine_work())
			;
	}
}

/* Thread TWIN_CPUS is the session's, the one after it that of the work item. */
static void run(int nr)
{
	struct prt_ctx *c = &prt_thread_cpu.ctx;

	if (nr > TWIN_CPUS) {
		while (__atomic_load_n(&writing, __ATOMIC_ACQUIRE)) {
			struct prt_array_get get = { 0 };

			machine_work();
			prt_global_not_stored(&get);
		}
	} else if (nr == TWIN_CPUS) {
		while (__atomic_load_n(&writing, __ATOMIC_ACQUIRE)) {
			prt_global_collect(c);
			CHECK(!c->err, "error %u", c->err);
		}
	} else {
		hit_keys();
		__atomic_sub_fetch(&writing, 1, __ATOMIC_RELEASE);
	}
}

static struct prt_probe probe = {
	.handler = handler, .kind = PRT_TIMER, .flags = PRT_READS_PERCPU,
};

static void three_arrays(struct prt_global g[3])
{
	static const struct prt_stat_type exp = {
		.ops = PRT_STAT_SUM | PRT_STAT_HIST_EXP, .buckets = PRT_HIST_LOG_BUCKETS,
	};

	g[0] = (struct prt_global){ .name = "n", .kind = PRT_G_MAP, .percpu = 1, .nkeys = 1,
				    .size = ENTRIES, .offset = NUMBERS };
	g[1] = (struct prt_global){ .name = "names", .kind = PRT_G_MAP, .percpu = 1, .nkeys = 1,
				    .key_string = { 1 }, .size = ENTRIES, .offset = NAMES };
	g[2] = (struct prt_global){ .name = "sizes", .kind = PRT_G_MAP, .percpu = 1, .nkeys = 1,
				    .value = PRT_G_STAT, .size = 12000, .offset = SIZES,
				    .stat = exp };
	twin_script.probes = &probe;
	twin_script.nprobes = 1;
	twin_script.globals = g;
	twin_script.nglobals = 3;
	twin_script.bank_size = BANK;
}

static void begin(void)
{
	memset(work, 0, sizeof(work));
	machine_run();
	writing = TWIN_CPUS;
}

/* All at once: hits, collecting, growing, and questions for what was lost. */
TWIN_TEST(grow)
{
	struct prt_global g[3];
	u64 round;

	three_arrays(g);
	for (round = 0; round < twin_rounds(1); round++) {
		CHECK(machine_open(PRT_RING_MIN) == 0, "no session");
		begin();
		pause_every = round % 2 ? 0 : 64;
		twin_threads(TWIN_CPUS + 2, run);
		prt_global_collect(&prt_thread_cpu.ctx);
		check_sums(&prt_thread_cpu.ctx);
		machine_close();
		CHECK(machine_allocated() == 0, "%u allocations are left", machine_allocated());
	}
}

/* ---- one processor ---- */

static void collected(struct prt_ctx *c)
{
	prt_global_collect(c);
	check_sums(c);
}

/* An array that grows in time loses nothing, and begins with a part of its memory. */
TWIN_TEST(grow_in_time)
{
	struct prt_global g[3];
	struct prt_map *m;

	three_arrays(g);
	CHECK(machine_open(PRT_RING_MIN) == 0, "no session");
	begin();
	m = ref_at(&prt_cpu_nr(0)->ctx, NUMBERS)->m;
	CHECK(m->has.elements == PRT_GROW_FIRST, "%u elements at first", m->has.elements);
	CHECK(prt_global_cpu_memory() < prt_global_memory() / 2, "a bank takes %llu bytes",
	      prt_global_cpu_memory());
	pause_every = 1;
	hits_alone(hit_keys);
	CHECK(m->has.elements > KEYS && m->has.elements < ENTRIES, "%u elements", m->has.elements);
	CHECK(lost() == 0, "%llu elements lost", lost());
	collected(&prt_thread_cpu.ctx);
	machine_close();
}

static u32 why(void)
{
	struct prt_array_get get = { 0 };

	CHECK(prt_global_not_stored(&get) == 0, "nothing is lost");
	return get.why;
}

/* An array that can't grow is full, says why, and keeps its elements. */
TWIN_TEST(grow_stops)
{
	struct prt_global g[3];

	three_arrays(g);
	pause_every = 0;
	CHECK(machine_open(PRT_RING_MIN) == 0, "no session");
	begin();
	hits_alone(hit_keys);
	CHECK(why() == PRT_SHORT_TIME, "reason %u", why());
	CHECK(ref_at(&prt_cpu_nr(0)->ctx, NUMBERS)->m->count == PRT_GROW_FIRST, "%u elements",
	      ref_at(&prt_cpu_nr(0)->ctx, NUMBERS)->m->count);
	collected(&prt_thread_cpu.ctx);
	machine_close();

	pause_every = 1;
	CHECK(machine_open(PRT_RING_MIN) == 0, "no session");
	begin();
	prt_grow_limit(1 << 20);
	hits_alone(hit_keys);
	CHECK(why() == PRT_SHORT_LIMIT, "reason %u", why());
	collected(&prt_thread_cpu.ctx);
	machine_close();
}

/* Each allocation of growing fails once, in a session of its own. */
TWIN_TEST(grow_fails)
{
	struct prt_global g[3];
	u32 nth;

	three_arrays(g);
	pause_every = 1;
	for (nth = 1; nth < 7; nth++) {
		CHECK(machine_open(PRT_RING_MIN) == 0, "no session");
		begin();
		machine_fail(nth);
		hits_alone(hit_keys);
		machine_fail(0);
		CHECK(why() == PRT_SHORT_MEMORY, "reason %u", why());
		collected(&prt_thread_cpu.ctx);
		machine_close();
		CHECK(machine_allocated() == 0, "%u allocations are left", machine_allocated());
	}
}

/* Elements go while their array grows, one by one and all of them. */
static void delete_some(struct prt_ctx *c)
{
	static u64 hits;
	struct prt_map_ref *r = ref_at(c, NUMBERS), *names = ref_at(c, NAMES);
	char text[TEXT];
	s64 key = (s64)twin_below(KEYS);
	s64 *v = prt_map_get_l(c, r, key, 1);

	*v = key;
	*(s64 *)prt_map_get_s(c, names, name_of(text, key), 1) = key;
	if (++hits % 3 == 0) {
		prt_map_del_l(r, key);
		prt_map_del_s(names, name_of(text, key));
		CHECK(!prt_map_find_l(r, key), "what was deleted is found");
	}
	if (hits % 7000 == 0) {
		prt_map_clear(r);
		prt_map_clear(names);
		CHECK(!r->m->count && !names->m->count, "what was cleared has elements");
	}
	key = (s64)twin_below(KEYS);
	v = prt_map_find_l(r, key);
	CHECK(!v || *v == key, "element %lld is %lld", key, *v);
	v = prt_map_find_s(names, name_of(text, key));
	CHECK(!v || *v == key, "name %lld is %lld", key, *v);
}

TWIN_TEST(grow_deletes)
{
	struct prt_global g[3];
	struct prt_probe deletes = { .handler = delete_some, .kind = PRT_TIMER };

	three_arrays(g);
	twin_script.probes = &deletes;
	CHECK(machine_open(PRT_RING_MIN) == 0, "no session");
	begin();
	pause_every = 16;
	hits_alone(hit_keys);
	CHECK(ref_at(&prt_cpu_nr(0)->ctx, NUMBERS)->m->has.elements > PRT_GROW_FIRST,
	      "it does not grow");
	machine_close();
}
