/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Arrays of which there is one copy for all processors, and totals: they begin with a part of their
 * memory and grow, under their lock while hits use them, and at once where the session's thread
 * owns them. Memory that an array does not have yet can't be touched here (vmap() of machine.c).
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

enum { NUMBERS = 0, NAMES = 8, SIZES = 16, BANK = 24, ENTRIES = 20000, KEYS = 1500, ROUNDS = 6,
       TEXT = 100 };

static struct prt_map_ref shared, shared_names;
static u32 pause_every;   /* keys after which a processor waits for the work item; 0: never */
static u64 first_key;
static struct { _Alignas(64) u64 key, added; } work[TWIN_CPUS];

static struct prt_str name_of(char *text, s64 key)
{
	memset(text, 'k', TEXT);
	memcpy(text, &key, sizeof(key));
	return (struct prt_str){ text, 40 + (u32)((u64)key % (TEXT - 40)) };
}

static u64 lost(void)
{
	u64 sum = prt_thread_cpu.not_stored;
	int i;

	for (i = 0; i < TWIN_CPUS; i++)
		sum += prt_cpu_nr(i)->not_stored;
	return sum;
}

static u64 sum_of(struct prt_map_ref *r, bool aggregates)
{
	struct prt_ctx *c = &prt_thread_cpu.ctx;
	struct prt_iter *it;
	u64 sum = 0;

	c->steps = ENTRIES;
	it = prt_iter_walk(c, r, 1);
	CHECK(it, "no iterator");
	while (prt_iter_next(it))
		sum += aggregates ? ((struct prt_stat *)prt_iter_value(it))->count :
				    *(u64 *)prt_iter_value(it);
	prt_iter_end(c, it);
	return sum;
}

static u32 why(void)
{
	struct prt_array_get get = { 0 };

	CHECK(prt_global_not_stored(&get) == 0, "nothing is lost");
	return get.why;
}

static void close_session(void)
{
	machine_close();
	CHECK(machine_allocated() == 0, "%u allocations are left", machine_allocated());
}

/* ---- totals ---- */

static struct prt_map_ref *in_bank(struct prt_ctx *c, u32 at)
{
	return (struct prt_map_ref *)(c->bank + at);
}

static void add_to_banks(struct prt_ctx *c)
{
	char text[TEXT];
	s64 key = (s64)work[twin_cpu].key;

	*(s64 *)prt_map_get_l(c, in_bank(c, NUMBERS), key, 1) += 1;
	*(s64 *)prt_map_get_s(c, in_bank(c, NAMES), name_of(text, key), 1) += 1;
	PRT_STAT_ADD((struct prt_stat *)prt_map_get_l(c, in_bank(c, SIZES), key, 1), key,
		     PRT_STAT_SUM | PRT_STAT_HIST_LOG, PRT_HIST_LOG_BUCKETS, 0, 0, 0);
}

static struct prt_probe banks_probe = {
	.handler = add_to_banks, .kind = PRT_TIMER, .flags = PRT_READS_PERCPU,
};

static void three_banks(struct prt_global g[3])
{
	static const struct prt_stat_type log = {
		.ops = PRT_STAT_SUM | PRT_STAT_HIST_LOG, .buckets = PRT_HIST_LOG_BUCKETS,
	};

	g[0] = (struct prt_global){ .name = "n", .kind = PRT_G_MAP, .percpu = 1, .nkeys = 1,
				    .size = ENTRIES, .offset = NUMBERS };
	g[1] = (struct prt_global){ .name = "names", .kind = PRT_G_MAP, .percpu = 1, .nkeys = 1,
				    .key_string = { 1 }, .size = ENTRIES, .offset = NAMES };
	g[2] = (struct prt_global){ .name = "sizes", .kind = PRT_G_MAP, .percpu = 1, .nkeys = 1,
				    .value = PRT_G_STAT, .size = ENTRIES, .offset = SIZES,
				    .stat = log };
	twin_script.probes = &banks_probe;
	twin_script.nprobes = 1;
	twin_script.globals = g;
	twin_script.nglobals = 3;
	twin_script.bank_size = BANK;
}

static void hit_some(void)
{
	u64 k;

	for (k = 0; k < KEYS; k++) {
		work[twin_cpu].key = first_key + k;
		machine_hit(0);
		work[twin_cpu].added++;
		while (pause_every && k % pause_every == 0 && machine_work())
			;
	}
}

static u64 sum_of_totals(void)
{
	struct prt_ctx *c = &prt_thread_cpu.ctx;

	return sum_of(in_bank(c, NUMBERS), false) + sum_of(in_bank(c, NAMES), false) +
	       sum_of(in_bank(c, SIZES), true);
}

static void check_totals(void)
{
	u64 added = 0;
	int i;

	for (i = 0; i < TWIN_CPUS; i++)
		added += work[i].added;
	CHECK(sum_of_totals() + lost() == 3 * added, "%llu stored and %llu lost of %llu",
	      sum_of_totals(), lost(), 3 * added);
}

static void open_banks(struct prt_global g[3])
{
	memset(work, 0, sizeof(work));
	first_key = 0;
	three_banks(g);
	CHECK(machine_open(PRT_RING_MIN) == 0, "no session");
	machine_run();
}

/* The totals of copies that never grow. */
TWIN_TEST(grow_totals)
{
	struct prt_ctx *c = &prt_thread_cpu.ctx;
	struct prt_global g[3];
	struct prt_map *m;

	pause_every = 1;
	open_banks(g);
	m = in_bank(c, NAMES)->m;
	CHECK(m->has.elements == PRT_GROW_FIRST, "%u elements at first", m->has.elements);
	for (; first_key < ROUNDS * KEYS; first_key += KEYS) {
		hits_alone(hit_some);
		prt_global_collect(c);
		prt_global_settle();
		CHECK(!m->area.old, "old addresses are kept");
	}
	CHECK(m->count == ROUNDS * KEYS && m->has.elements < ENTRIES, "%u elements of %u",
	      m->count, m->has.elements);
	CHECK(lost() == 0, "%llu elements lost", lost());
	check_totals();
	close_session();
}

/* All at once: hits, collecting, growing, and questions for what was lost. */
TWIN_TEST(grow_totals_together)
{
	struct prt_global g[3];
	u64 round;

	for (round = 0; round < twin_rounds(1); round++) {
		pause_every = round % 2 ? 0 : 64;
		open_banks(g);
		for (; first_key < 4 * KEYS; first_key += KEYS)
			hits_together(hit_some);
		prt_global_collect(&prt_thread_cpu.ctx);
		check_totals();
		close_session();
	}
}

/* A session's limit may be too small for all that hits add; what is lost is counted. */
TWIN_TEST(grow_totals_limit)
{
	struct prt_global g[3];
	u64 kib;

	for (kib = 64; kib <= 16384; kib *= 4) {
		pause_every = 1;
		open_banks(g);
		prt_grow_limit(kib << 10);
		for (; first_key < 4 * KEYS; first_key += KEYS) {
			hits_alone(hit_some);
			prt_global_collect(&prt_thread_cpu.ctx);
		}
		check_totals();
		if (kib < 1024)
			CHECK(why() == PRT_SHORT_LIMIT, "reason %u", why());
		CHECK(kib < 16384 || !lost(), "%llu elements lost", lost());
		close_session();
	}
}

/* Copies can't use up what the totals need for what the copies have stored. */
TWIN_TEST(grow_totals_promised)
{
	struct prt_global g[3];
	u64 before;

	pause_every = 1;
	open_banks(g);
	prt_grow_limit(16 << 20);
	while (prt_grow_may(PAGE_SIZE))
		;
	for (; first_key < 4 * KEYS; first_key += KEYS)
		hits_alone(hit_some);
	before = lost();
	CHECK(why() == PRT_SHORT_LIMIT, "reason %u", why());
	prt_global_collect(&prt_thread_cpu.ctx);
	CHECK(lost() == before, "%llu elements lost by hits, %llu in all", before, lost());
	hits_alone(hit_some);
	prt_global_collect(&prt_thread_cpu.ctx);
	CHECK(in_bank(&prt_thread_cpu.ctx, NUMBERS)->m->has.elements > PRT_GROW_FIRST,
	      "the totals do not grow");
	check_totals();
	close_session();
}

/* ---- one copy for all ---- */

static const u16 locks[] = { 0, 1 };

static void add_shared(struct prt_ctx *c)
{
	s64 key = (s64)work[twin_cpu].key, *n, *name;
	char text[TEXT];

	if (!prt_lock(c, locks, 2))
		return;
	n = prt_map_get_l(c, &shared, key, 1);
	name = prt_map_get_s(c, &shared_names, name_of(text, key), 1);
	*n += 1;
	*name += 1;
	prt_unlock(c, locks, 2);
}

/* Adds as many as there is room for, in one handler. The first value stays where it is. */
static void fill_shared(struct prt_ctx *c)
{
	char text[TEXT];
	s64 *first = prt_map_get_l(c, &shared, 0, 1), key;

	*first = 1;
	for (key = 1; key < ENTRIES; key++) {
		*(s64 *)prt_map_get_l(c, &shared, key, 1) = 1;
		*(s64 *)prt_map_get_s(c, &shared_names, name_of(text, key), 1) = 1;
		*first += 1;
	}
	CHECK(*first == *(s64 *)prt_map_find_l(&shared, 0), "two copies of one value");
	*first = 1;
}

static struct prt_probe shared_probes[] = { { .handler = add_shared, .kind = PRT_ENTRY },
					    { .handler = fill_shared, .kind = PRT_BEGIN } };

static void open_shared(struct prt_global g[2])
{
	memset(work, 0, sizeof(work));
	first_key = 0;
	g[0] = (struct prt_global){ .name = "n", .kind = PRT_G_MAP, .nkeys = 1, .size = ENTRIES,
				    .where = &shared, .lock = 1 };
	g[1] = (struct prt_global){ .name = "names", .kind = PRT_G_MAP, .nkeys = 1, .lock = 2,
				    .key_string = { 1 }, .size = ENTRIES,
				    .where = &shared_names };
	twin_script.probes = shared_probes;
	twin_script.nprobes = 2;
	twin_script.nlocks = 2;
	twin_script.globals = g;
	twin_script.nglobals = 2;
	CHECK(machine_open(PRT_RING_MIN) == 0, "no session");
	CHECK(shared.m->has.elements == PRT_GROW_FIRST, "%u elements at first",
	      shared.m->has.elements);
}

static void check_shared(u64 added)
{
	struct prt_probe_counts counts;

	prt_context_counts(0, &counts);
	added -= 2 * counts.locked_out;
	CHECK(sum_of(&shared, false) + sum_of(&shared_names, false) + lost() == added,
	      "%llu and %llu stored and %llu lost of %llu", sum_of(&shared, false),
	      sum_of(&shared_names, false), lost(), added);
}

TWIN_TEST(grow_shared)
{
	struct prt_global g[2];
	u64 round;

	for (round = 0; round < twin_rounds(2); round++) {
		pause_every = round % 2 ? 0 : 64;
		open_shared(g);
		machine_run();
		for (; first_key < 4 * KEYS; first_key += KEYS)
			hits_together(hit_some);
		prt_session.quiet = true;
		check_shared(2 * TWIN_CPUS * 4 * KEYS);
		close_session();
	}
}

TWIN_TEST(grow_shared_in_time)
{
	struct prt_global g[2];

	pause_every = 1;
	open_shared(g);
	machine_run();
	for (; first_key < 4 * KEYS; first_key += KEYS)
		hits_alone(hit_some);
	CHECK(lost() == 0, "%llu elements lost", lost());
	CHECK(shared.m->has.elements < ENTRIES, "%u elements", shared.m->has.elements);
	check_shared(2 * 4 * KEYS);
	close_session();
}

/* A begin probe fills arrays at once. */
TWIN_TEST(grow_in_handler)
{
	struct prt_global g[2];

	open_shared(g);
	prt_session_run(1);
	CHECK(shared.m->count == ENTRIES && shared_names.m->count == ENTRIES - 1 && !lost(),
	      "%u and %u elements, %llu lost", shared.m->count, shared_names.m->count, lost());
	CHECK(!shared.m->area.old && !shared_names.m->area.old, "old addresses are kept");
	check_shared(2 * ENTRIES - 1);
	close_session();
}

/* Each allocation of that fails once. */
TWIN_TEST(grow_in_handler_fails)
{
	struct prt_global g[2];
	u32 nth;

	for (nth = 1; nth < 10; nth++) {
		open_shared(g);
		machine_fail(nth);
		prt_session_run(1);
		machine_fail(0);
		CHECK(why() == PRT_SHORT_MEMORY, "reason %u", why());
		check_shared(2 * ENTRIES - 1);
		close_session();
	}
}
