/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Histograms of arrays, which elements get when they are used first: each element has one of its
 * own, whatever becomes of the element, and there are not many more than elements in use.
 */
#include <string.h>

#include "aggregate.h"
#include "context.h"
#include "global.h"
#include "grow.h"
#include "hists.h"
#include "hits.h"
#include "limits.h"
#include "machine.h"
#include "map.h"
#include "twin.h"

enum { ENTRIES = 6000, KEYS = 5000 };

static u32 pause_every;   /* hits after which a processor waits for the work item; 0: never */
static u64 hits[TWIN_CPUS];
static u32 keys = KEYS;   /* that hits add, in turn */

static struct prt_map_ref *array(struct prt_ctx *c)
{
	return (struct prt_map_ref *)c->bank;
}

static struct prt_hists *stock(void)
{
	return array(&prt_thread_cpu.ctx)->m->t->hists;
}

static void add(struct prt_ctx *c, s64 key)
{
	struct prt_stat *st = prt_map_get_l(c, array(c), key, 1);

	CHECK(st && st->hist, "no memory, not even for what is lost");
	PRT_STAT_ADD(st, key, PRT_STAT_SUM | PRT_STAT_HIST_LOG, PRT_HIST_LOG_BUCKETS, 0, 0, 0);
}

static void new_key(struct prt_ctx *c)
{
	add(c, 1 + (s64)(hits[twin_cpu]++ % keys));
}

static struct prt_probe probe = {
	.handler = new_key, .kind = PRT_TIMER, .flags = PRT_READS_PERCPU,
};

static struct prt_global sizes(void)
{
	return (struct prt_global){
		.name = "sizes", .kind = PRT_G_MAP, .value = PRT_G_STAT, .percpu = 1, .nkeys = 1,
		.size = ENTRIES,
		.stat = { .ops = PRT_STAT_SUM | PRT_STAT_HIST_LOG,
			  .buckets = PRT_HIST_LOG_BUCKETS },
	};
}

static void open_with(struct prt_global *g)
{
	twin_script.probes = &probe;
	twin_script.nprobes = 1;
	twin_script.globals = g;
	twin_script.nglobals = 1;
	twin_script.bank_size = sizeof(struct prt_map_ref);
	CHECK(machine_open(PRT_RING_MIN) == 0, "no session");
	memset(hits, 0, sizeof(hits));
	machine_run();
}

static void close_all(void)
{
	machine_close();
	CHECK(machine_allocated() == 0, "%u allocations are left", machine_allocated());
}

/* The number of values in all elements, each of which has all of its values in the bucket of its
 * key. */
static u64 values(struct prt_ctx *c)
{
	struct prt_iter *it;
	u64 sum = 0;
	u32 i;

	c->steps = 10 * array(c)->m->t->capacity;
	it = prt_iter_walk(c, array(c), 1);
	CHECK(it, "no iterator");
	while (prt_iter_next(it)) {
		const struct prt_stat *st = prt_iter_value(it);
		u32 own = prt_hist_log_bucket(prt_iter_key_long(it, 0));

		for (i = 0; i < PRT_HIST_LOG_BUCKETS; i++)
			CHECK(st->hist[i] == (i == own ? st->count : 0), "bucket %u of %lld: %llu",
			      i, prt_iter_key_long(it, 0), st->hist[i]);
		sum += st->count;
	}
	prt_iter_end(c, it);
	return sum;
}

static u64 not_stored(void)
{
	u64 sum = prt_thread_cpu.not_stored;
	int i;

	for (i = 0; i < TWIN_CPUS; i++)
		sum += prt_cpu_nr(i)->not_stored;
	return sum;
}

static void run_hits(void)
{
	u32 k;

	for (k = 0; k < KEYS && !twin_hungry(); k++) {
		machine_hit(0);
		while (pause_every && k % pause_every == 0 && machine_work())
			;
	}
}

TWIN_TEST(hists)
{
	struct prt_global g = sizes();
	u64 round, sum;
	int i;

	for (round = 0; round < twin_rounds(1); round++) {
		open_with(&g);
		pause_every = round % 2 ? 0 : 32;
		hits_together(run_hits);
		prt_global_collect(&prt_thread_cpu.ctx);
		for (i = 0, sum = 0; i < TWIN_CPUS; i++)
			sum += hits[i];
		CHECK(values(&prt_thread_cpu.ctx) + not_stored() == sum, "of %llu", sum);
		close_all();
	}
}

/* As many are made as elements are in use and are to be spare, and no element is lost. */
TWIN_TEST(hists_in_time)
{
	struct prt_global g = sizes();
	u64 first, used;

	open_with(&g);
	first = stock()->made;
	CHECK(first < PRT_GROW_FIRST + 3 * TWIN_CPUS * PRT_HISTS_COPY + stock()->each,
	      "%llu at first", first);
	pause_every = 1;
	hits_alone(run_hits);
	prt_global_collect(&prt_thread_cpu.ctx);
	CHECK(not_stored() == 0, "%llu lost", not_stored());
	CHECK(values(&prt_thread_cpu.ctx) == hits[0], "of %llu", hits[0]);
	/* One processor has elements, and the totals. */
	used = stock()->taken;
	CHECK(used >= 2 * hits[0] && used <= 2 * hits[0] + 3 * TWIN_CPUS, "%llu in use", used);
	CHECK(stock()->made <= used + first, "%llu made", stock()->made);
	close_all();
}

static u32 why(void)
{
	struct prt_array_get get = { 0 };

	CHECK(prt_global_not_stored(&get) == 0, "nothing is lost");
	return get.why;
}

/* Where there is none left, a new element is lost, which is counted with the reason. */
TWIN_TEST(hists_used_up)
{
	static const u8 reasons[] = { PRT_SHORT_TIME, PRT_SHORT_LIMIT, PRT_SHORT_MEMORY };
	struct prt_global g = sizes();
	u32 i, n;

	for (i = 0; i < 3; i++) {
		open_with(&g);
		pause_every = reasons[i] == PRT_SHORT_TIME ? 0 : 1;
		if (reasons[i] == PRT_SHORT_LIMIT)
			prt_grow_limit(PRT_HISTS_CHUNK + 1);
		machine_fail(reasons[i] == PRT_SHORT_MEMORY);
		hits_alone(run_hits);
		machine_fail(0);
		CHECK(why() == reasons[i], "reason %u, not %u", why(), reasons[i]);
		n = array(&prt_cpu_nr(0)->ctx)->m->count;
		CHECK(n >= PRT_GROW_SPARE && n < KEYS, "%u elements", n);
		CHECK(values(&prt_cpu_nr(0)->ctx) + not_stored() == KEYS, "values are missing");
		close_all();
	}
}

static u32 turns;

static void some_in_time(int nr)
{
	u32 k;

	for (k = 0; k < turns; k++) {
		machine_hit(0);
		while (machine_work())
			;
	}
}

/* The session's limit of memory counts for the totals as well, in which each key stays, while hits
 * use their elements again after each merge. What hits have stored within the limit has room in the
 * totals. */
TWIN_TEST(hists_within_limit)
{
	enum { MANY = 12000, CHUNKS = 6 };
	static const u32 hits_a_read[] = { 50, MANY };
	struct prt_global g = sizes();
	u64 first, lost;
	u32 i, k;

	g.size = MANY;
	for (i = 0; i < 2; i++) {
		open_with(&g);
		keys = MANY;
		first = stock()->made;
		prt_grow_limit(CHUNKS * PRT_HISTS_CHUNK);
		turns = hits_a_read[i];
		for (k = 0; k < MANY; k += turns) {
			twin_threads(1, some_in_time);
			lost = not_stored();
			prt_global_collect(&prt_thread_cpu.ctx);
		}
		CHECK(why() == PRT_SHORT_LIMIT, "reason %u", why());
		CHECK(i == 0 || not_stored() == lost, "%llu lost by a read", not_stored() - lost);
		CHECK(values(&prt_thread_cpu.ctx) + not_stored() == MANY, "values are missing");
		CHECK(stock()->made <= 2 * first + CHUNKS * stock()->each, "%llu made, %llu first",
		      stock()->made, first);
		CHECK(values(&prt_thread_cpu.ctx) >= PRT_GROW_SPARE, "%llu stored",
		      values(&prt_thread_cpu.ctx));
		close_all();
	}
	keys = KEYS;
}

/* Elements that come and go, one by one and all at once. */
static void some_key(struct prt_ctx *c)
{
	s64 key = 1 + (s64)twin_below(40);

	add(c, key);
	if (twin_below(3) == 0)
		prt_map_del_l(array(c), 1 + (s64)twin_below(40));
	if (twin_below(500) == 0)
		prt_map_clear(array(c));
	hits[twin_cpu]++;
}

TWIN_TEST(hists_again)
{
	struct prt_global g = sizes();
	struct prt_probe deletes = { .handler = some_key, .kind = PRT_TIMER };
	u64 before;

	open_with(&g);
	twin_script.probes = &deletes;
	pause_every = 0;
	before = stock()->taken;
	hits_alone(run_hits);
	CHECK(stock()->taken <= before + 40, "%llu for 40 keys", stock()->taken - before);
	values(&prt_cpu_nr(0)->ctx);
	close_all();
}
