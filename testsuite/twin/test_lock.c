/* SPDX-License-Identifier: GPL-2.0 */
/* Locks: numbers that several processors and the thread change are exact, and every hit that did
 * not get its locks is counted. The numbers are not atomic on purpose: TSan reports an access
 * without the lock. */
#include "clock.h"
#include "context.h"
#include "machine.h"
#include "twin.h"

enum { LOCKS = 3, SETS = 6, HITS = 20000, HOT = 0, THREAD = 1 };

static const struct { u16 lock[LOCKS]; u32 n; } sets[SETS] = {
	{ { 0 }, 1 }, { { 1 }, 1 }, { { 2 }, 1 }, { { 0, 1 }, 2 }, { { 1, 2 }, 2 },
	{ { 0, 1, 2 }, 3 },
};
static u64 guarded[LOCKS];
static u64 done[TWIN_CPUS + 1][LOCKS], refused[TWIN_CPUS + 1];

static void handler(struct prt_ctx *c)
{
	int nr = PRT_IS_PROCESS(c) ? TWIN_CPUS : (int)c->cpu;
	u64 set = twin_below(SETS), i;

	if (!prt_lock(c, sets[set].lock, sets[set].n)) {
		refused[nr]++;
		return;
	}
	for (i = 0; i < sets[set].n; i++) {
		guarded[sets[set].lock[i]]++;
		done[nr][sets[set].lock[i]]++;
	}
	prt_unlock(c, sets[set].lock, sets[set].n);
}

/* The thread runs on processor 0, where no hit runs while it holds locks. */
static void run(int nr)
{
	u64 i;

	if (nr == TWIN_CPUS)
		machine_be_cpu(0);
	for (i = 0; i < HITS; i++) {
		if (nr == TWIN_CPUS)
			prt_session_run(THREAD);
		else
			machine_hit(HOT);
	}
}

static struct prt_probe probes[] = { { .handler = handler, .kind = PRT_ENTRY },
				     { .handler = handler, .kind = PRT_BEGIN } };

static void open_session(void)
{
	memset(guarded, 0, sizeof(guarded));
	memset(done, 0, sizeof(done));
	memset(refused, 0, sizeof(refused));
	twin_script.probes = probes;
	twin_script.nprobes = 2;
	twin_script.nlocks = LOCKS;
	CHECK(machine_open(PRT_RING_MIN) == 0, "no session");
	machine_run();
	prt_session.quiet = false;
}

TWIN_TEST(lock)
{
	struct prt_probe_counts counts[2];
	u64 round, sum, i, nr;

	for (round = 0; round < twin_rounds(3); round++) {
		open_session();
		twin_threads(TWIN_CPUS + 1, run);
		for (i = 0; i < LOCKS; i++) {
			for (sum = 0, nr = 0; nr <= TWIN_CPUS; nr++)
				sum += done[nr][i];
			CHECK(guarded[i] == sum, "%llu under lock %llu, not %llu", guarded[i], i,
			      sum);
		}
		prt_context_counts(HOT, &counts[0]);
		prt_context_counts(THREAD, &counts[1]);
		for (sum = 0, nr = 0; nr < TWIN_CPUS; nr++)
			sum += refused[nr];
		CHECK(counts[0].locked_out == sum && counts[1].locked_out == refused[TWIN_CPUS],
		      "%llu counted as locked out of %llu", counts[0].locked_out, sum);
		CHECK(counts[0].hits == TWIN_CPUS * HITS && counts[1].hits == HITS, "hits");
		machine_close();
	}
}

/* A hit does not wait where waiting cannot help, and elsewhere the wait is bounded. If one of
 * several locks is not free, none is held. */
TWIN_TEST(lock_held)
{
	static const u16 all[] = { 0, 1, 2 }, last[] = { 2 };
	struct prt_ctx *thread, *hot;
	u64 before;

	open_session();
	machine_be_cpu(0);
	thread = machine_context(TWIN_CPUS, 100);
	CHECK(prt_lock(thread, last, 1), "a free lock is refused");
	/* As from an NMI on this processor. */
	before = prt_clock_now();
	CHECK(!prt_lock(machine_context(0, 0), all, 3), "taken twice");
	CHECK(prt_clock_now() < before + 100, "waits for itself");
	machine_be_cpu(1);
	hot = machine_context(1, 0);
	CHECK(!prt_lock(hot, all, 3), "taken twice");
	CHECK(prt_clock_now() > before + 1000, "does not wait");
	CHECK(prt_lock(hot, all, 2), "what was taken in vain is kept");
	prt_unlock(hot, all, 2);
	machine_be_cpu(0);
	prt_unlock(thread, last, 1);
	CHECK(prt_lock(hot, all, 3), "not given back");
	prt_unlock(hot, all, 3);
	machine_be_cpu(TWIN_CPUS);
	machine_close();
}
