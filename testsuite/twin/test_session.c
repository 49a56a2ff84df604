/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whole sessions: the runtime's own thread runs begin probes, "arms" (the processors begin to hit),
 * waits for the end that a hit, an error or the test requests, disarms, and runs end or error
 * probes, while the test reads. The last probe sees the exact number of hits. What is armed last is
 * there for each handler, whichever was armed first; TSan sees whether that is left to luck.
 */
#include <pthread.h>

#include "clock.h"
#include "context.h"
#include "loader/device/ring.h"
#include "machine.h"
#include "ring.h"
#include "twin.h"

enum { BEGIN, HIT, END, ERROR, PROBES };
enum ending { BY_EXIT, BY_ERROR, BY_ABORT, BY_STOP, BY_CLOSE, ENDINGS };

static enum ending ending;
static u64 last_hit;            /* the hit of processor 0 that requests the end */
static u64 handled[TWIN_CPUS];
static pthread_t cpus[TWIN_CPUS];
static u64 seen[PROBES], total;
static u64 *armed_last;         /* as a counter of perf, which a handler reads */

static void put(struct prt_ctx *c, s64 v)
{
	char *p = prt_out_begin(c, 0, sizeof(struct prt_rec) + 8);

	if (p)
		prt_put_long(p, v);
}

static void on_begin(struct prt_ctx *c)
{
	put(c, 0);
}

static void on_hit(struct prt_ctx *c)
{
	CHECK(armed_last, "a handler runs before everything is armed");
	*(u64 *)c->bank += *armed_last;
	handled[c->cpu]++;
	put(c, (s64)handled[c->cpu]);
	if (c->cpu || handled[0] != last_hit)
		return;
	if (ending == BY_EXIT)
		prt_exit(c);
	else if (ending == BY_ERROR || ending == BY_ABORT)
		prt_error(c, ending == BY_ERROR ? PRT_E_SCRIPT : PRT_E_ABORT, 1, PRT_LIT("why"));
}

static void on_end(struct prt_ctx *c)
{
	put(c, *(s64 *)c->bank);
}

static void *cpu_main(void *arg)
{
	int nr = (int)(u64)arg;

	machine_be_cpu(nr);
	while (!READ_ONCE(prt_session.stop))
		machine_hit(HIT);
	/* No handler runs any more. */
	machine_hit(HIT);
	return NULL;
}

static void armed(void)
{
	static u64 one;
	u64 nr;

	for (nr = 0; nr < TWIN_CPUS; nr++)
		CHECK(!pthread_create(&cpus[nr], NULL, cpu_main, (void *)nr), "no thread");
	one = 1;
	armed_last = &one;
}

static void disarmed(void)
{
	u64 nr;

	for (nr = 0; nr < TWIN_CPUS; nr++)
		pthread_join(cpus[nr], NULL);
	armed_last = NULL;
}

static void read_group(const struct prt_group *g)
{
	const struct prt_rec *rec = (const void *)(g + 1);

	CHECK(g->probe < PROBES, "probe %u", g->probe);
	seen[g->probe]++;
	CHECK(g->probe == BEGIN || seen[BEGIN] == 1, "a hit before begin");
	CHECK(g->probe >= END || !(seen[END] + seen[ERROR]), "a hit after the end");
	if (g->probe >= END)
		total = *(const u64 *)(rec + 1);
}

static void read_turn(struct rings *rings)
{
	u64 now = prt_clock_now();
	const struct prt_group *g;
	unsigned damaged = 0;

	ring_look(rings);
	while ((g = ring_next(rings, now, &damaged)))
		read_group(g);
	ring_release(rings);
	CHECK(!damaged, "%u rings are damaged", damaged);
}

/* Reads from START to DONE; the rest of the output is read after that. */
static void follow(struct rings *rings)
{
	u32 state = 0, before;
	u64 turns = 0;

	do {
		before = state;
		state = smp_load_acquire(&prt_session.state);
		CHECK(state >= before, "state %u after %u", state, before);
		read_turn(rings);
		if (ending >= BY_STOP && state == PRT_STATE_RUNNING && ++turns > last_hit) {
			if (ending == BY_CLOSE)
				WRITE_ONCE(prt_session.closed, true);
			prt_session_stop();
		}
	} while (state != PRT_STATE_DONE);
	read_turn(rings);
	CHECK(ring_empty(rings), "something is left in the rings");
}

static void check_session(void)
{
	struct prt_probe_counts hits;
	u64 sum = 0, lost = 0, nr;
	u32 last = ending == BY_ERROR ? ERROR : END;

	prt_context_counts(HIT, &hits);
	for (nr = 0; nr < TWIN_CPUS; nr++) {
		sum += handled[nr];
		lost += prt_cpu_nr(nr)->ctx.ring->dropped;
	}
	CHECK(hits.hits == sum && seen[BEGIN] == 1, "%llu hits, %llu counted", sum, hits.hits);
	CHECK(!hits.busy, "%llu hits were skipped, and there are no NMIs", hits.busy);
	CHECK(ending != BY_ERROR || hits.errors == 1, "%llu errors", hits.errors);
	CHECK(prt_session.error == (ending == BY_ERROR ? PRT_E_SCRIPT : 0), "ended by error %u",
	      prt_session.error);
	CHECK(seen[HIT] + lost >= sum && seen[HIT] <= sum, "%llu of %llu hits read, %llu lost",
	      seen[HIT], sum, lost);
	if (ending == BY_CLOSE)
		return;
	CHECK(seen[last] == 1 && seen[END] + seen[ERROR] == 1, "the last probe did not run");
	CHECK(total == sum, "the last probe saw %llu of %llu hits", total, sum);
}

static void one_session(void)
{
	struct ring ring[TWIN_CPUS + 1];
	struct rings rings = { .ring = ring, .n = TWIN_CPUS + 1 };
	u32 i;

	memset(handled, 0, sizeof(handled));
	memset(seen, 0, sizeof(seen));
	total = 0;
	last_hit = 1 + twin_below(2000);
	CHECK(machine_open(PRT_RING_MIN) == 0, "no session");
	for (i = 0; i <= TWIN_CPUS; i++) {
		struct prt_ring *r = i == TWIN_CPUS ? prt_thread_cpu.ctx.ring :
							    prt_cpu_nr(i)->ctx.ring;

		ring[i] = (struct ring){ .head = r->hdr, .data = r->data, .size = r->size };
	}
	CHECK(prt_session_start() == 0, "no thread");
	follow(&rings);
	prt_session_end();
	check_session();
	machine_close();
}

TWIN_TEST(session)
{
	struct prt_probe probes[PROBES] = {
		[BEGIN] = { .handler = on_begin, .kind = PRT_BEGIN },
		[HIT] = { .handler = on_hit, .kind = PRT_ENTRY },
		[END] = { .handler = on_end, .kind = PRT_END, .flags = PRT_READS_PERCPU },
		[ERROR] = { .handler = on_end, .kind = PRT_ERROR, .flags = PRT_READS_PERCPU },
	};
	struct prt_global g = { .name = "n", .kind = PRT_G_LONG, .percpu = 1 };
	u64 i;

	twin_script.probes = probes;
	twin_script.nprobes = PROBES;
	twin_script.globals = &g;
	twin_script.nglobals = 1;
	twin_script.bank_size = 8;
	machine_armed = armed;
	machine_disarmed = disarmed;
	for (i = 0; i < twin_rounds(20); i++) {
		ending = i % ENDINGS;
		one_session();
	}
	machine_armed = machine_disarmed = NULL;
}
