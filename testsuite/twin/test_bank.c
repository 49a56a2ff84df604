/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Per-CPU globals: processors add to their banks without a lock while the thread collects again and
 * again. No addition may be lost, counted twice or seen partially: the collected total lies between
 * the additions finished before collecting began and those begun before it ended.
 */
#include "aggregate.h"
#include "context.h"
#include "global.h"
#include "machine.h"
#include "map.h"
#include "twin.h"

enum { COUNTER = 0, STAT = 8, MAP = STAT + 56, SIZE = MAP + 8, KEYS = 17, HITS = 20000 };

static struct { _Alignas(64) u64 begun, finished; } work[TWIN_CPUS];
static int writing;

static void handler(struct prt_ctx *c)
{
	struct prt_map_ref *ref = (struct prt_map_ref *)(c->bank + MAP);
	u64 n = *(u64 *)(c->bank + COUNTER) += 1;
	s64 *v = prt_map_get_l(c, ref, (s64)(n % KEYS), 1);

	PRT_STAT_ADD((struct prt_stat *)(c->bank + STAT), 3, PRT_STAT_SUM | PRT_STAT_MIN |
		     PRT_STAT_MAX, 0, 0, 0, 0);
	if (v)
		*v += 2;
}

static u64 sum_of(bool finished)
{
	u64 sum = 0;
	int i;

	for (i = 0; i < TWIN_CPUS; i++)
		sum += __atomic_load_n(finished ? &work[i].finished : &work[i].begun,
				       __ATOMIC_SEQ_CST);
	return sum;
}

/* Reads the totals in one of three ways. */
static u64 check_totals(struct prt_ctx *c)
{
	u64 n = *(u64 *)(c->bank + COUNTER), in_map = 0;
	const struct prt_stat *st = (const struct prt_stat *)(c->bank + STAT);
	s64 i;

	for (i = 0; i < KEYS; i++) {
		s64 *v = prt_map_find_l((struct prt_map_ref *)(c->bank + MAP), i);

		in_map += v ? (u64)*v : 0;
	}
	CHECK(st->count == n && st->sum == 3 * (s64)n, "%llu hits, %llu in the aggregate", n,
	      st->count);
	CHECK(in_map == 2 * n, "%llu hits, %llu in the array", n, in_map / 2);
	return n;
}

static void collect(struct prt_ctx *c)
{
	u64 before = sum_of(true), n;

	prt_global_collect(c);
	CHECK(!c->err, "error %u", c->err);
	n = check_totals(c);
	CHECK(n >= before && n <= sum_of(false), "%llu collected: not from %llu to %llu", n, before,
	      sum_of(false));
}

static void run(int nr)
{
	u64 i;

	if (nr == TWIN_CPUS) {
		while (__atomic_load_n(&writing, __ATOMIC_ACQUIRE))
			collect(&prt_thread_cpu.ctx);
		return;
	}
	for (i = 0; i < HITS; i++) {
		__atomic_add_fetch(&work[nr].begun, 1, __ATOMIC_SEQ_CST);
		machine_hit(0);
		__atomic_add_fetch(&work[nr].finished, 1, __ATOMIC_SEQ_CST);
	}
	__atomic_sub_fetch(&writing, 1, __ATOMIC_RELEASE);
}

TWIN_TEST(bank)
{
	struct prt_probe probe = {
		.handler = handler, .kind = PRT_TIMER, .flags = PRT_READS_PERCPU,
	};
	struct prt_global g[] = {
		{ .name = "n", .kind = PRT_G_LONG, .percpu = 1, .offset = COUNTER, .init = 0 },
		{ .name = "s", .kind = PRT_G_STAT, .percpu = 1, .offset = STAT },
		{ .name = "m", .kind = PRT_G_MAP, .percpu = 1, .offset = MAP, .nkeys = 1 },
	};
	u64 round;

	_Static_assert(sizeof(struct prt_stat) == MAP - STAT, "the bank's layout");
	twin_script.probes = &probe;
	twin_script.nprobes = 1;
	twin_script.globals = g;
	twin_script.nglobals = 3;
	twin_script.bank_size = SIZE;
	for (round = 0; round < twin_rounds(3); round++) {
		memset(work, 0, sizeof(work));
		CHECK(machine_open(PRT_RING_MIN) == 0, "no session");
		machine_context(TWIN_CPUS, 0);
		machine_run();
		writing = TWIN_CPUS;
		twin_threads(TWIN_CPUS + 1, run);
		collect(&prt_thread_cpu.ctx);
		CHECK(check_totals(&prt_thread_cpu.ctx) == TWIN_CPUS * HITS, "hits are lost");
		machine_close();
	}
}

/* ---- arrays that are full ---- */

enum { ROOM = 6 };

/* The content of a bank or of the totals: the first ROOM keys that come, and their sums. */
struct kept {
	s64 key[ROOM], sum[ROOM];
	u32 n;
	u64 lost;
};

static void keep(struct kept *k, s64 key, s64 v)
{
	u32 i = 0;

	while (i < k->n && k->key[i] != key)
		i++;
	if (i == ROOM) {
		k->lost++;
		return;
	}
	if (i == k->n) {
		k->key[k->n++] = key;
		k->sum[i] = 0;
	}
	k->sum[i] += v;
}

static void keep_all(struct kept *to, struct kept *from)
{
	u32 i;

	for (i = 0; i < from->n; i++)
		keep(to, from->key[i], from->sum[i]);
	from->n = 0;
}

static void check_kept(const struct kept *banks, const struct kept *totals, struct prt_ctx *c)
{
	struct prt_map_ref *ref = (struct prt_map_ref *)c->bank;
	struct prt_array_get get = { 0 };
	u64 lost = totals->lost, on_contexts = prt_thread_cpu.not_stored;
	u32 i;

	for (i = 0; i < TWIN_CPUS; i++) {
		lost += banks[i].lost;
		on_contexts += prt_cpu_of(machine_context((int)i, 0))->not_stored;
	}
	CHECK(ref->m->count == totals->n, "%u elements, not %u", ref->m->count, totals->n);
	for (i = 0; i < totals->n; i++) {
		s64 *v = prt_map_find_l(ref, totals->key[i]);

		CHECK(v && *v == totals->sum[i], "element %lld is %lld, not %lld", totals->key[i],
		      v ? *v : -1, totals->sum[i]);
	}
	CHECK(prt_global_not_stored(&get) == (lost ? 0 : -ENOENT), "an array with losses");
	CHECK(get.not_stored == lost && on_contexts == lost, "%llu and %llu lost, not %llu",
	      get.not_stored, on_contexts, lost);
	CHECK(!lost || (get.size == ROOM && get.srcloc == 1), "size %llu, place %u", get.size,
	      get.srcloc);
}

/* Elements that do not fit into a bank or into the totals are counted, and nothing else is lost. */
TWIN_TEST(bank_full)
{
	struct prt_probe probe = {
		.handler = handler, .kind = PRT_TIMER, .flags = PRT_READS_PERCPU,
	};
	struct prt_global g = {
		.name = "m", .kind = PRT_G_MAP, .percpu = 1, .nkeys = 1, .size = ROOM,
	};
	u64 round, i;

	twin_script.probes = &probe;
	twin_script.nprobes = 1;
	twin_script.globals = &g;
	twin_script.nglobals = 1;
	twin_script.bank_size = sizeof(struct prt_map_ref);
	for (round = 0; round < twin_rounds(100); round++) {
		struct kept banks[TWIN_CPUS] = { 0 }, totals = { 0 };
		u32 known = 1 + twin_below(2 * ROOM), cpu;

		CHECK(machine_open(PRT_RING_MIN) == 0, "no session");
		machine_context(TWIN_CPUS, 0);
		for (i = 0; i < 200 && !twin_hungry(); i++) {
			struct prt_ctx *c = machine_context((int)(cpu = twin_below(TWIN_CPUS)), 0);
			s64 key = twin_below(known), v = twin_below(9);
			s64 *at = prt_map_get_l(c, (struct prt_map_ref *)c->bank, key, 1);

			CHECK(at && !c->err, "error %u", c->err);
			*at += v;
			keep(&banks[cpu], key, v);
			if (twin_below(20))
				continue;
			prt_global_collect(&prt_thread_cpu.ctx);
			CHECK(!prt_thread_cpu.ctx.err, "error %u", prt_thread_cpu.ctx.err);
			for (cpu = 0; cpu < TWIN_CPUS; cpu++)
				keep_all(&totals, &banks[cpu]);
			check_kept(banks, &totals, &prt_thread_cpu.ctx);
		}
		machine_close();
	}
}
