/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Processors that come online while a session runs: nothing of their hits is lost, those of others
 * neither, and a session that ends at that moment lets no handler run there.
 */
#include "context.h"
#include "global.h"
#include "machine.h"
#include "part.h"
#include "twin.h"

enum { HITS = 3000 };

static u64 begun;

static void handler(struct prt_ctx *c)
{
	*(u64 *)c->bank += 1;
}

static void hit_all(void)
{
	int i;

	for (i = 0; i < HITS; i++)
		machine_hit(0);
}

/* Processor 0 is online from the start, the others come in a random order; the thread collects. */
static void run(int nr)
{
	if (nr == TWIN_CPUS) {
		while (__atomic_load_n(&begun, __ATOMIC_ACQUIRE))
			prt_global_collect(&prt_thread_cpu.ctx);
		return;
	}
	if (nr) {
		u32 pause = twin_below(2000);

		while (pause--)
			prt_clock_now();
		CHECK(machine_bring_up(nr), "processor %d does not come online", nr);
	}
	hit_all();
	__atomic_sub_fetch(&begun, 1, __ATOMIC_RELEASE);
}

static void one_global(struct prt_probe *probe, struct prt_global *g)
{
	/* It has two banks, as the thread collects meanwhile. */
	*probe = (struct prt_probe){
		.handler = handler, .kind = PRT_TIMER, .flags = PRT_READS_PERCPU,
	};
	*g = (struct prt_global){ .name = "n", .kind = PRT_G_LONG, .percpu = 1 };
	twin_script.probes = probe;
	twin_script.nprobes = 1;
	twin_script.globals = g;
	twin_script.nglobals = 1;
	twin_script.bank_size = 8;
}

static void unplug_all_but_one(void)
{
	int nr;

	for (nr = 1; nr < TWIN_CPUS; nr++)
		machine_unplug(nr);
}

TWIN_TEST(part_comes)
{
	struct prt_probe probe;
	struct prt_global g;
	u64 round;

	one_global(&probe, &g);
	for (round = 0; round < twin_rounds(20); round++) {
		unplug_all_but_one();
		CHECK(machine_open(0) == 0, "no session");
		CHECK(prt_part_present() == 2 && prt_part_ring(0) && !prt_part_ring(1),
		      "%u rings", prt_part_present());
		machine_run();
		begun = TWIN_CPUS;
		twin_threads(TWIN_CPUS + 1, run);
		prt_global_collect(&prt_thread_cpu.ctx);
		CHECK(*(u64 *)prt_thread_cpu.ctx.bank == TWIN_CPUS * HITS, "%llu hits of %d",
		      *(u64 *)prt_thread_cpu.ctx.bank, TWIN_CPUS * HITS);
		CHECK(prt_part_present() == TWIN_CPUS + 1, "%u rings", prt_part_present());
		machine_close();
		CHECK(machine_allocated() == 0, "%u allocations are left", machine_allocated());
	}
}

/* Where hotplug has no room for the runtime, all processors get their parts at once. */
TWIN_TEST(part_all)
{
	struct prt_probe probe;
	struct prt_global g;
	int nr;

	one_global(&probe, &g);
	unplug_all_but_one();
	machine_hotplug_full = true;
	CHECK(machine_open(0) == 0, "no session");
	machine_hotplug_full = false;
	CHECK(prt_part_present() == TWIN_CPUS + 1, "%u rings", prt_part_present());
	machine_run();
	for (nr = 1; nr < TWIN_CPUS; nr++)
		machine_bring_up(nr);
	begun = TWIN_CPUS;
	twin_threads(TWIN_CPUS, run);
	prt_global_collect(&prt_thread_cpu.ctx);
	CHECK(*(u64 *)prt_thread_cpu.ctx.bank == TWIN_CPUS * HITS, "%llu hits of %d",
	      *(u64 *)prt_thread_cpu.ctx.bank, TWIN_CPUS * HITS);
	machine_close();
}

/* ---- the session ends meanwhile ---- */

static bool runs;

static void late_handler(struct prt_ctx *c)
{
	runs = true;
}

static void end_or_come(int nr)
{
	u32 pause = twin_below(200);

	while (pause--)
		prt_clock_now();
	if (nr == 0)
		prt_session_stop();
	else
		CHECK(machine_bring_up(nr), "processor %d does not come online", nr);
}

static void hit_shut(int nr)
{
	hit_all();
}

TWIN_TEST(part_ends)
{
	struct prt_probe probe;
	struct prt_global g;
	u64 round;

	one_global(&probe, &g);
	probe.handler = late_handler;
	for (round = 0; round < twin_rounds(100); round++) {
		unplug_all_but_one();
		CHECK(machine_open(0) == 0, "no session");
		machine_run();
		twin_threads(TWIN_CPUS, end_or_come);
		runs = false;
		twin_threads(TWIN_CPUS, hit_shut);
		CHECK(!runs, "a handler runs after the end");
		machine_close();
	}
}

/* ---- there is no memory ---- */

static bool came;

/* Unless the last few KiB are missing, the processor comes online, and the session ends instead of
 * losing its hits. */
static void come_without_memory(int nr)
{
	if (nr != 1)
		return;
	came = machine_bring_up(1);
	if (!came || prt_cpu_nr(1))
		return;
	CHECK(prt_session.error == PRT_E_PROCESSOR && prt_session.stop, "error %u",
	      prt_session.error);
	CHECK(!prt_part_ring(1), "it has a ring");
	hit_all();
}

TWIN_TEST(part_fails)
{
	struct prt_probe probe;
	struct prt_global g;
	bool made = false;
	u32 nth;

	one_global(&probe, &g);
	probe.handler = late_handler;
	for (nth = 1; !made; nth++) {
		unplug_all_but_one();
		CHECK(machine_open(0) == 0, "no session");
		machine_run();
		runs = false;
		machine_fail(nth);
		twin_threads(2, come_without_memory);
		machine_fail(0);
		made = prt_cpu_nr(1) != NULL;
		CHECK(!runs && (came || nth == 1), "allocation %u fails", nth);
		machine_bring_up(2);
		machine_close();
		CHECK(machine_allocated() == 0, "%u allocations are left", machine_allocated());
		machine_bring_up(1);
	}
	CHECK(nth > 5, "%u allocations", nth);
}
