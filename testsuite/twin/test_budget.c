/* SPDX-License-Identifier: GPL-2.0 */
/* Everything ends: loops by steps, recursion by depth and by stack, foreach by its cost, and a
 * session by the share of a processor that its handlers take. */

#include "budget.h"
#include "clock.h"
#include "context.h"
#include "machine.h"
#include "map.h"
#include "ring.h"
#include "twin.h"

enum { ENTRIES = PRT_HOT_ITER_MAX + 500 };

static struct prt_map_ref ref;
static u64 turns;
static u32 room_size;
static bool sorts;

/* The macros that emitted code uses. */
static void endless(struct prt_ctx *c)
{
	for (;;) {
		PRT_STEPS(c, 1 + turns % 3, 1, out);
		turns++;
		prt_breathe(c);
	}
out:;
}

static noinline void recurse(struct prt_ctx *c)
{
	volatile char room[room_size + 1];

	room[0] = 1;
	if (!prt_enter(c, 2))
		return;
	turns += (u64)room[0];
	recurse(c);
	prt_leave(c);
}

static void takes_workspace(struct prt_ctx *c)
{
	while (prt_workspace(c, 64, 3))
		turns++;
}

static void walks(struct prt_ctx *c)
{
	struct prt_sort by = { .key = sorts, .dir = 1 };

	for (;;) {
		struct prt_iter *it = prt_iter_start(c, &ref, by, 100, 4);

		if (!it)
			return;
		turns++;
		prt_iter_end(c, it);
	}
}

static void nests(struct prt_ctx *c)
{
	struct prt_iter *it = prt_iter_start(c, &ref, (struct prt_sort){ 0 }, 1, 5);

	if (!it)
		return;
	turns++;
	nests(c);
	prt_iter_end(c, it);
}

static void whole(struct prt_ctx *c)
{
	prt_iter_end(c, prt_iter_start(c, &ref, (struct prt_sort){ 0 }, -1, 6));
}

/* Runs a handler as a hit and returns how it ended. */
static u32 ends(void (*handler)(struct prt_ctx *c), s64 steps, bool process)
{
	struct prt_ctx *c = machine_context(process ? TWIN_CPUS : 0, steps);

	turns = 0;
	handler(c);
	return c->err;
}

static void check_loops(void)
{
	s64 steps = (s64)twin_below(10000);
	bool process = twin_below(2);

	CHECK(ends(endless, steps, process) == PRT_E_STEPS, "an endless loop ends otherwise");
	CHECK(turns <= (u64)steps && turns + 1 >= (u64)steps / 3, "%llu turns with %lld steps",
	      turns, steps);
	/* A handler in process context ends early once the session is closed. */
	if (process && steps) {
		prt_session.closed = true;
		CHECK(ends(endless, steps, true) == PRT_E_STEPS && turns == 1, "goes on: %llu",
		      turns);
		prt_session.closed = false;
	}
	sorts = twin_below(2);
	CHECK(ends(walks, steps, process) == PRT_E_STEPS, "foreach for ever ends otherwise");
	CHECK(turns * (ENTRIES / PRT_SORT_STEPS) <= (u64)steps, "%llu walks with %lld steps",
	      turns, steps);
}

static void check_depth(void)
{
	u32 err;

	twin_script.maxnesting = (u32)twin_below(200);
	room_size = (u32)twin_below(4000);
	err = ends(recurse, 0, false);
	CHECK(err == (turns == twin_script.maxnesting ? PRT_E_NESTING : PRT_E_STACK),
	      "recursion ends with error %u after %llu calls", err, turns);
	CHECK(turns <= twin_script.maxnesting, "%llu calls", turns);
	CHECK(turns * room_size < 16384, "%llu calls of %u bytes", turns, room_size);
	/* A call takes a few hundred bytes of stack here. */
	CHECK(turns == twin_script.maxnesting || turns > 20 || room_size > 100, "%llu calls",
	      turns);
	CHECK(prt_cpu_nr(0)->ctx.nesting == 0, "nesting is left");
	CHECK(ends(takes_workspace, 0, false) == PRT_E_NESTING &&
	      turns == twin_script.workspace_size / 64, "%llu blocks", turns);
	CHECK(ends(nests, 100000, false) == PRT_E_BAD_VALUE && turns == 4, "%llu deep", turns);
	CHECK(ends(nests, 100000, true) == PRT_E_BAD_VALUE && turns == 4, "%llu deep", turns);
	CHECK(ends(whole, 100000, false) == PRT_E_BAD_VALUE, "a hot probe holds all: %u",
	      prt_cpu_nr(0)->ctx.err);
	CHECK(ends(whole, 100000, true) == 0, "the thread can't hold all");
}

TWIN_TEST(budget)
{
	struct prt_probe probe = { .handler = endless };
	struct prt_global g = { .name = "a", .kind = PRT_G_MAP, .where = &ref, .nkeys = 1 };
	s64 i;

	twin_script.probes = &probe;
	twin_script.nprobes = twin_script.nglobals = 1;
	twin_script.globals = &g;
	twin_script.maxmapentries = ENTRIES;
	CHECK(machine_open(PRT_RING_MIN) == 0, "no session");
	for (i = 0; i < ENTRIES; i++)
		CHECK(prt_map_get_l(machine_context(0, 0), &ref, i * 77, 1), "no room");
	for (i = 0; i < (s64)twin_rounds(300); i++) {
		check_loops();
		check_depth();
	}
	machine_close();
}

/* ---- without limits, and overload ---- */

static u64 burn, enough;

static void burns(struct prt_ctx *c)
{
	u64 i;

	for (i = 0; i < burn; i++)
		prt_clock_now();
}

static void cheap(struct prt_ctx *c)
{
}

/* Runs until the session is stopped. */
static void patient(struct prt_ctx *c)
{
	for (;;) {
		PRT_STEPS(c, 1, 1, out);
		if (++turns == enough)
			WRITE_ONCE(prt_session.stop, true);
	}
out:;
}

static void open_unlimited(const struct prt_probe *probes, u32 flags)
{
	twin_script.probes = probes;
	twin_script.nprobes = 2;
	twin_script.maxload = 50;
	CHECK(machine_open(PRT_RING_MIN) == 0, "no session");
	prt_session.setup.flags = flags;
	prt_budget_setup();
	machine_run();
	machine_be_cpu(0);
}

TWIN_TEST(unlimited)
{
	struct prt_probe probes[2] = { { .handler = patient }, { .handler = cheap } };
	u64 i;

	for (i = 0; i < twin_rounds(10); i++) {
		turns = 0;
		enough = 1 + twin_below(1000000);
		twin_script.maxaction = 1 + (s64)twin_below(10000);
		open_unlimited(probes, PRT_SETUP_NO_TIME_LIMITS);
		machine_hit(0);
		CHECK(turns >= enough && turns <= enough + (u64)prt_session.hot_steps,
		      "%llu turns, the end was asked for after %llu", turns, enough);
		CHECK(!prt_cpu_nr(0)->ctx.busy, "the context is busy");
		machine_be_cpu(TWIN_CPUS);
		machine_close();
	}
}

/* Passes seconds of the clock, @percent of which are spent in handlers. */
static void load(u64 percent, u64 seconds)
{
	u64 end = prt_clock_now() + seconds * 1000000, i;

	burn = 100 + twin_below(1000);
	while (prt_clock_now() < end && !prt_session.stop) {
		machine_hit(0);
		machine_hit(1);
		for (i = 0; i < burn * (100 - percent) / percent; i++)
			prt_clock_now();
	}
}

TWIN_TEST(overload)
{
	struct prt_probe probes[2] = { { .handler = cheap }, { .handler = burns } };
	const struct prt_group *g;

	open_unlimited(probes, 0);
	load(1 + twin_below(35), 6);
	CHECK(!prt_session.stop, "ended without need");
	load(65 + twin_below(35), 6);
	CHECK(prt_session.stop && prt_session.error == PRT_E_OVERLOAD, "not ended");
	g = (const struct prt_group *)prt_cpu_nr(0)->ctx.ring->data;
	CHECK(g->probe == 1, "probe %u is blamed", g->probe);
	machine_be_cpu(TWIN_CPUS);
	machine_close();

	open_unlimited(probes, PRT_SETUP_NO_TIME_LIMITS);
	load(90, 6);
	CHECK(!prt_session.stop, "ended without limits");
	machine_be_cpu(TWIN_CPUS);
	machine_close();
}

/* ---- breakpoints, and the limit that no option removes ---- */

enum { BREAKPOINT = 1000, SAMPLE = 10000 }; /* in ticks */

static u64 sample_every; /* ticks */
static bool alone;       /* breakpoints lead to no hit, as at the entries of return probes */

static const struct prt_probe quick[2] = { { .handler = cheap }, { .handler = cheap } };

static void open_for_breakpoints(u32 maxload, u32 flags, bool arming)
{
	open_unlimited(quick, flags);
	twin_script.maxload = maxload;
	prt_budget_breakpoints_cost(BREAKPOINT);
	prt_budget_by_breakpoint(1, 0);
	if (arming)
		prt_context_shut(true);
	machine_in_breakpoint = true;
	machine_sampling = false;
	sample_every = SAMPLE;
}

static void close_after_breakpoints(void)
{
	machine_in_breakpoint = false;
	machine_be_cpu(TWIN_CPUS);
	machine_close();
}

/* Takes a sample, which finds the processor in a hit with a probability of @percent. */
static void take_sample(u64 percent)
{
	if (machine_sampling && machine_in_breakpoint)
		prt_budget_sample(prt_clock_now(), twin_below(100) < percent);
}

/* @n breakpoints that lead to no hit of probe 1. */
static void count_alone(enum prt_breakpoint kind, u32 n)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	if (prt_budget_count_alone(1, kind, n))
		prt_budget_alone(1, kind);
	raw_local_irq_restore(flags);
}

/* Passes seconds of the clock in which breakpoints appear to take @percent of each of the first
 * @cpus processors, and really take @really percent. */
static void pass_dear_breakpoints(u64 percent, u64 really, u64 seconds, int cpus)
{
	u64 start = prt_clock_now(), sampled = start / sample_every;
	int cpu;

	while (prt_clock_now() < start + seconds * 1000000 && !prt_session.stop) {
		u64 next = prt_clock_now() + BREAKPOINT * 100 / percent;
		bool sample = prt_clock_now() / sample_every != sampled;

		for (cpu = 0; cpu < cpus; cpu++) {
			machine_be_cpu(cpu);
			if (alone)
				count_alone(PRT_BREAKPOINT_KERNEL, 1);
			else
				machine_hit(1);
			if (sample)
				take_sample(really);
		}
		if (sample)
			sampled = prt_clock_now() / sample_every;
		while (prt_clock_now() < next)
			;
	}
}

static void pass_breakpoints(u64 percent, u64 seconds, int cpus)
{
	pass_dear_breakpoints(percent, percent, seconds, cpus);
}

/* The cost of breakpoints counts for MAXLOAD: of hits that run, of hits that are rejected, and of
 * breakpoints that lead to none. */
TWIN_TEST(breakpoints)
{
	int arming;

	for (arming = 0; arming < 2; arming++) {
		alone = twin_below(2);
		open_for_breakpoints(50, 0, arming);
		pass_breakpoints(1 + twin_below(40), 6, 1);
		CHECK(!prt_session.stop, "ended without need");
		pass_breakpoints(60 + twin_below(30), 6, 1);
		CHECK(prt_session.stop && prt_session.error == PRT_E_OVERLOAD, "not ended");
		close_after_breakpoints();

		alone = false;
		open_for_breakpoints(50, 0, arming);
		machine_in_breakpoint = false;
		pass_breakpoints(90, 6, 1);
		CHECK(!prt_session.stop, "ended, and there were no breakpoints");
		close_after_breakpoints();
	}
}

/* Breakpoints that lead to no hit are charged several at a time: none twice, all but the last few.
 * By the clock here, those in programs cost nothing. */
TWIN_TEST(alone)
{
	const struct prt_cpu *cpu;
	u64 before, all = 0, charged, i;

	open_for_breakpoints(0, 0, 0);
	cpu = prt_cpu_nr(0);
	count_alone(PRT_BREAKPOINT_KERNEL, PRT_ALONE_AT_ONCE);
	before = cpu->breakpoints;
	for (i = 0; i < 1000; i++) {
		u32 n = (u32)twin_below(PRT_ALONE_AT_ONCE + 1);
		bool user = twin_below(2);

		count_alone(user ? PRT_BREAKPOINT_USER : PRT_BREAKPOINT_KERNEL, n);
		all += user ? 0 : n * BREAKPOINT;
		charged = cpu->breakpoints - before;
		CHECK(charged <= all && all - charged < PRT_ALONE_AT_ONCE * BREAKPOINT,
		      "%llu ticks are charged, of %llu", charged, all);
		CHECK(cpu->load == cpu->breakpoints, "%llu ticks of other load", cpu->load);
	}
	close_after_breakpoints();
}

TWIN_TEST(last_limit)
{
	u32 flags;
	int arming;

	for (arming = 0; arming < 2; arming++) {
		for (flags = 0; flags <= PRT_SETUP_NO_TIME_LIMITS;
		     flags += PRT_SETUP_NO_TIME_LIMITS) {
			open_for_breakpoints(0, flags, arming);
			pass_breakpoints(95, 3 * PRT_FULL_SECONDS, TWIN_CPUS - 1);
			CHECK(!prt_session.stop, "ended, and a processor was free");
			pass_breakpoints(60, 3 * PRT_FULL_SECONDS, TWIN_CPUS);
			CHECK(!prt_session.stop, "ended at 60 %%");
			pass_breakpoints(10, 3, TWIN_CPUS);
			pass_breakpoints(95, PRT_FULL_SECONDS - 3, TWIN_CPUS);
			CHECK(!prt_session.stop, "ended too soon");
			pass_breakpoints(10, 3, TWIN_CPUS);
			pass_breakpoints(95, PRT_FULL_SECONDS - 3, TWIN_CPUS);
			CHECK(!prt_session.stop, "ended, and there was a pause");
			pass_breakpoints(95, 5, TWIN_CPUS);
			CHECK(prt_session.stop && prt_session.error == PRT_E_STARVED, "not ended");
			close_after_breakpoints();
		}
	}
}

/* Samples detect breakpoints that take far more than the clock shows. */
TWIN_TEST(samples)
{
	u64 shown = 5 + twin_below(20);

	open_for_breakpoints(50, 0, 0);
	pass_dear_breakpoints(shown, 30 + twin_below(10), 2 * PRT_FULL_SECONDS, 1);
	CHECK(!prt_session.stop, "ended without need");
	pass_dear_breakpoints(shown, 65 + twin_below(30), PRT_FULL_SECONDS + 2, 1);
	CHECK(prt_session.stop && prt_session.error == PRT_E_OVERLOAD, "not ended");
	close_after_breakpoints();

	open_for_breakpoints(0, 0, 0);
	pass_dear_breakpoints(shown, 50 + twin_below(20), 2 * PRT_FULL_SECONDS, TWIN_CPUS);
	CHECK(!prt_session.stop, "ended without need");
	pass_dear_breakpoints(shown, 90 + twin_below(10), PRT_FULL_SECONDS + 2, TWIN_CPUS);
	CHECK(prt_session.stop && prt_session.error == PRT_E_STARVED, "not ended");
	close_after_breakpoints();
}

/* Hits with interrupts off delay samples, which then find nothing. */
TWIN_TEST(missing_samples)
{
	u64 shown = 30 + twin_below(10);

	open_for_breakpoints(0, 0, 0);
	pass_dear_breakpoints(shown, 0, 2 * PRT_FULL_SECONDS, TWIN_CPUS);
	CHECK(!prt_session.stop, "ended, and no sample was missing");
	sample_every = 10 * SAMPLE;
	pass_dear_breakpoints(1 + twin_below(15), 0, 2 * PRT_FULL_SECONDS, TWIN_CPUS);
	CHECK(!prt_session.stop, "ended, and the clock shows few hits");
	pass_dear_breakpoints(shown, 0, 2 * PRT_FULL_SECONDS, TWIN_CPUS - 1);
	CHECK(!prt_session.stop, "ended, and a processor was free");
	pass_dear_breakpoints(shown, 0, PRT_FULL_SECONDS + 2, TWIN_CPUS);
	CHECK(prt_session.stop && prt_session.error == PRT_E_STARVED, "not ended");
	close_after_breakpoints();

	open_for_breakpoints(50, 0, 0);
	sample_every = 10 * SAMPLE;
	pass_dear_breakpoints(shown, 0, 2 * PRT_FULL_SECONDS, TWIN_CPUS - 1);
	CHECK(!prt_session.stop, "ended below MAXLOAD");
	close_after_breakpoints();
}

/* Each allocation fails once: the runtime must refuse properly, leave nothing, and then work. */
TWIN_TEST(memory)
{
	struct prt_probe probe = { .handler = endless };
	struct prt_global g[3] = {
		{ .name = "a", .kind = PRT_G_MAP, .where = &ref, .nkeys = 1 },
		{ .name = "b", .kind = PRT_G_MAP, .percpu = 1, .nkeys = 1, .key_string = { 1 } },
		{ .name = "c", .kind = PRT_G_LONG, .percpu = 1, .offset = 8 },
	};
	unsigned nth;
	int err = -1;

	twin_script.probes = &probe;
	twin_script.nprobes = 1;
	twin_script.nglobals = 3;
	twin_script.globals = g;
	twin_script.bank_size = 16;
	twin_script.maxmapentries = 10;
	for (nth = 1; err; nth++) {
		machine_fail(nth);
		err = machine_open(PRT_RING_MIN);
		CHECK(err == 0 || err == -ENOMEM, "error %d", err);
		CHECK(!err || !machine_allocated(), "%u are left when number %u fails",
		      machine_allocated(), nth);
	}
	CHECK(nth > 50, "only %u allocations", nth);
	machine_fail(0);
	machine_close();
}

/* ---- elapsed times without the cost of their probe ---- */

TWIN_TEST(elapsed)
{
	u64 entered[2] = { 0 }, costs[2] = { 0 };
	struct prt_probe probes[2] = { { .flags = PRT_ENTRY_TIME }, { .flags = PRT_ENTRY_TIME } };
	struct prt_ctx *c;
	s64 i;

	twin_script.probes = probes;
	twin_script.nprobes = 2;
	CHECK(machine_open(PRT_RING_MIN) == 0, "no session");
	c = machine_context(0, 0);
	c->probe = &prt_script.probes[1];
	c->saved = &entered[1];
	for (i = 0; i < (s64)twin_rounds(1000); i++) {
		s64 cost = twin_below(200000), before = twin_below(200), wanted, got;

		/* Each reading is a tick later, which is a microsecond. */
		entered[0] = prt_clock_now() - before;
		costs[1] = cost;
		prt_clock.costs = NULL;
		wanted = (before + 1) * 1000;
		got = prt_elapsed_ns(c);
		CHECK(got == wanted, "%lld instead of %lld", got, wanted);
		prt_clock.costs = costs;
		wanted = max_t(s64, wanted + 1000 - cost, 0);
		got = prt_elapsed_ns(c);
		CHECK(got == wanted, "%lld instead of %lld", got, wanted);
	}
	prt_clock.costs = NULL;
	machine_close();
}
