/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Blocks of the exponential histograms of scalars, which they get when they are used first: none is
 * shared, a copy has no more than its values need, and values that come while there is none are
 * counted by power of two and reported.
 */
#include <string.h>

#include "aggregate.h"
#include "context.h"
#include "global.h"
#include "grow.h"
#include "hits.h"
#include "machine.h"
#include "twin.h"

enum { VALUES = 2000, NEAR = 17, COPY_MOST = 4096 };

static struct { struct prt_stat st; u64 room[PRT_HIST_LOG_BUCKETS + PRT_EXP_WORDS]; } shared;
static u64 hits[TWIN_CPUS];
static u32 doublings;     /* of the values, */
static bool signs;        /* which may be negative */
static bool in_time;      /* the work item runs after each hit */

static const struct prt_stat_type type = {
	.ops = PRT_STAT_SUM | PRT_STAT_MIN | PRT_STAT_MAX | PRT_STAT_HIST_EXP,
	.buckets = PRT_HIST_LOG_BUCKETS,
};

static void add(struct prt_stat *st, s64 v)
{
	PRT_STAT_ADD(st, v, PRT_STAT_SUM | PRT_STAT_MIN | PRT_STAT_MAX | PRT_STAT_HIST_EXP,
		     PRT_HIST_LOG_BUCKETS, 0, 0, 0);
}

/* A value of a random one of the first doublings: 1, 2 or 3, 4 to 7, and so on. */
static void any_value(struct prt_ctx *c)
{
	u64 low = 1ull << twin_below(doublings);
	s64 v = (s64)(low + twin_below(low));

	add((struct prt_stat *)c->bank, signs && twin_below(2) ? -v : v);
	hits[twin_cpu]++;
}

static struct prt_probe probe = {
	.handler = any_value, .kind = PRT_TIMER, .flags = PRT_READS_PERCPU,
};

static struct prt_global globals[] = {
	{ .name = "took", .kind = PRT_G_STAT, .percpu = 1, .stat = type },
	{ .name = "all", .kind = PRT_G_STAT, .where = &shared, .stat = type },
};

static int open_all(void)
{
	twin_script.probes = &probe;
	twin_script.nprobes = 1;
	twin_script.globals = globals;
	twin_script.nglobals = 2;
	twin_script.bank_size = sizeof(shared);
	signs = false;
	memset(hits, 0, sizeof(hits));
	return machine_open(PRT_RING_MIN);
}

static void open_with(u32 n)
{
	doublings = n;
	CHECK(open_all() == 0, "no session");
	machine_run();
}

static void close_all(void)
{
	machine_close();
	CHECK(machine_allocated() == 0, "%u allocations are left", machine_allocated());
}

static struct prt_stat *totals(void)
{
	return (struct prt_stat *)prt_thread_cpu.ctx.bank;
}

static struct prt_exp_pool *pool_of(const struct prt_stat *st)
{
	return (struct prt_exp_pool *)((char *)st + prt_stat_size(&type));
}

/* The values in all cells and beside them; the latter are *@coarse. */
static u64 values(const struct prt_stat *st, u64 *coarse)
{
	u64 sum = 0;
	u32 i;

	*coarse = 0;
	for (i = 0; i < PRT_EXP_BUCKETS; i++) {
		sum += prt_stat_slot(st, i);
		if (i % PRT_EXP_SLOTS == 0)
			*coarse += prt_stat_slot(st, i);
	}
	return sum;
}

static struct prt_array_get losses(void)
{
	struct prt_array_get get = { 0 };

	return prt_global_not_stored(&get) ? (struct prt_array_get){ 0 } : get;
}

static void run_hits(void)
{
	u32 k;

	for (k = 0; k < VALUES && !twin_hungry(); k++) {
		machine_hit(0);
		while (in_time && machine_work())
			;
	}
}

TWIN_TEST(cells)
{
	u64 round, sum, coarse;
	int i;

	for (round = 0; round < twin_rounds(3); round++) {
		open_with(1 + (u32)twin_below(63));
		signs = twin_below(2);
		in_time = round % 2;
		hits_together(run_hits);
		prt_global_collect(&prt_thread_cpu.ctx);
		for (i = 0, sum = 0; i < TWIN_CPUS; i++)
			sum += hits[i];
		CHECK(values(totals(), &coarse) == sum && totals()->count == sum, "of %llu", sum);
		CHECK(coarse == losses().coarse, "%llu coarse, %llu reported", coarse,
		      losses().coarse);
		close_all();
	}
}

/* A copy whose values are within a factor of 2^16 of each other takes 4 KB with all that belongs
 * to it, and keeps its blocks when it is emptied. One that has none takes much less. */
TWIN_TEST(cells_of_a_copy)
{
	u64 least = prt_stat_size(&type) + prt_stat_pool_size(&type, 0), bytes, coarse;
	struct prt_stat *st;
	u32 turn;

	open_with(NEAR);
	in_time = true;
	for (turn = 0; turn < 4; turn++) {
		hits_alone(run_hits);
		prt_global_collect(&prt_thread_cpu.ctx);
	}
	CHECK(values(totals(), &coarse) == hits[0] && !coarse, "%llu coarse", coarse);
	for (turn = 0; turn < 3; turn++) {
		st = turn == 2 ? totals() : (struct prt_stat *)prt_cpu_nr(0)->banks[turn];
		bytes = least + DIV_ROUND_UP(pool_of(st)->used, PRT_EXP_PIECE) *
				PRT_EXP_PIECE_BYTES;
		CHECK(pool_of(st)->used == NEAR, "%u blocks", pool_of(st)->used);
		CHECK(bytes <= COPY_MOST, "%llu bytes", bytes);
	}
	st = (struct prt_stat *)prt_cpu_nr(1)->banks[0];
	CHECK(!pool_of(st)->used && least < 1200, "%llu bytes when it is not used", least);
	close_all();
}

/* While the work item runs, no value lacks a block, however many powers of two there are. */
TWIN_TEST(cells_in_time)
{
	u64 coarse;
	u32 turn;

	open_with(63);
	signs = in_time = true;
	for (turn = 0; turn < 4; turn++) {
		hits_alone(run_hits);
		prt_global_collect(&prt_thread_cpu.ctx);
	}
	CHECK(values(totals(), &coarse) == hits[0] && !coarse && !losses().coarse,
	      "%llu coarse", losses().coarse);
	CHECK(pool_of(totals())->used == 2 * 63, "%u blocks", pool_of(totals())->used);
	close_all();
}

/* The pieces that are ready take all positive numbers of one hit, and values that lack one are
 * counted with the reason. */
TWIN_TEST(cells_used_up)
{
	static const u8 reasons[] = { PRT_SHORT_TIME, PRT_SHORT_LIMIT, PRT_SHORT_MEMORY };
	u64 coarse, there;
	u32 i, k;

	for (i = 0; i < 3; i++) {
		open_with(63);
		for (k = 0; k < 63; k++)
			add(&shared.st, (s64)(1ull << k) + k);
		CHECK(values(&shared.st, &coarse) == 63 && !coarse, "%llu at once", coarse);
		signs = true;
		in_time = reasons[i] != PRT_SHORT_TIME;
		if (reasons[i] == PRT_SHORT_LIMIT)
			prt_grow_limit(PRT_CELLS_CHUNK - 1);
		machine_fail(reasons[i] == PRT_SHORT_MEMORY);
		hits_alone(run_hits);
		machine_fail(0);
		there = values((struct prt_stat *)prt_cpu_nr(0)->ctx.bank, &coarse);
		CHECK(there == hits[0], "%llu of %llu", there, hits[0]);
		CHECK(coarse && losses().coarse == coarse, "%llu coarse", coarse);
		CHECK(losses().why == reasons[i], "reason %u, not %u", losses().why, reasons[i]);
		close_all();
	}
}
