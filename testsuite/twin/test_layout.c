/* SPDX-License-Identifier: GPL-2.0 */
/* Checks that no cache line that a hit writes belongs to another CPU as well, and the size of all
 * this memory. */
#include "context.h"
#include "global.h"
#include "limits.h"
#include "machine.h"
#include "map.h"
#include "ring.h"
#include "twin.h"

enum { LINE = 64, COUNTER = 0, STAT = 8, MAP = STAT + sizeof(struct prt_stat), SIZE = MAP + 8,
       RANGES = 16, INTS = 2048 };

struct range {
	const char *what;
	unsigned long start, end;
};

struct ranges {
	struct range v[RANGES];
	unsigned n;
};

static void add(struct ranges *r, const char *what, const void *start, size_t size)
{
	struct range *to = &r->v[r->n++];

	CHECK(r->n <= RANGES, "more than %d ranges", RANGES);
	*to = (struct range){ what, (unsigned long)start / LINE,
			      ((unsigned long)start + size - 1) / LINE };
	CHECK((unsigned long)start % LINE == 0, "%s begins inside of a line", what);
}

/* Collects what hits on a CPU write, except the fields that an NMI uses when it finds the context
 * busy. */
static void ranges_of(const struct prt_cpu *cpu, struct ranges *r)
{
	r->n = 0;
	add(r, "the context", cpu, sizeof(*cpu));
	add(r, "the tally", cpu->ctx.tally, twin_script.nprobes * sizeof(struct prt_tally));
	add(r, "the ring", cpu->ctx.ring, sizeof(*cpu->ctx.ring));
	add(r, "its header", cpu->ctx.ring->hdr, sizeof(struct prt_ring_head));
	add(r, "its data", cpu->ctx.ring->data, 2ul * cpu->ctx.ring->size);
	for (int i = 0; i < 2 && cpu->banks[i]; i++) {
		const struct prt_map *m = ((struct prt_map_ref *)(cpu->banks[i] + MAP))->m;

		add(r, "a bank", cpu->banks[i], SIZE);
		add(r, "a table", m, sizeof(*m));
		add(r, "a table's entries", m->look.heads, m->t->size);
	}
}

static void check_apart(const struct ranges *a, const struct ranges *b)
{
	for (unsigned i = 0; i < a->n; i++)
		for (unsigned k = 0; k < b->n; k++)
			CHECK(a->v[i].end < b->v[k].start || b->v[k].end < a->v[i].start,
			      "%s of one processor shares a line with %s of another",
			      a->v[i].what, b->v[k].what);
}

static void globals(struct prt_global *g)
{
	g[0] = (struct prt_global){ .name = "n", .kind = PRT_G_LONG, .percpu = 1,
				    .offset = COUNTER };
	g[1] = (struct prt_global){ .name = "s", .kind = PRT_G_STAT, .percpu = 1, .offset = STAT };
	g[2] = (struct prt_global){ .name = "m", .kind = PRT_G_MAP, .percpu = 1, .offset = MAP,
				    .nkeys = 1, .size = INTS };
	twin_script.globals = g;
	twin_script.bank_size = SIZE;
}

TWIN_TEST(layout)
{
	struct prt_probe probes[3] = { { .kind = PRT_TIMER, .flags = PRT_READS_PERCPU } };
	struct ranges r[TWIN_CPUS];
	struct prt_global g[3];

	globals(g);
	twin_script.probes = probes;
	for (u32 n = 1; n <= 3; n++) {
		twin_script.nprobes = n;
		twin_script.nglobals = 3;
		CHECK(machine_open(PRT_RING_MIN) == 0, "no session");
		for (int i = 0; i < TWIN_CPUS; i++)
			ranges_of(prt_cpu_nr(i), &r[i]);
		for (int i = 0; i < TWIN_CPUS; i++)
			for (int k = 0; k < i; k++)
				check_apart(&r[i], &r[k]);
		machine_close();
	}
}

/* An array of 2,048 integers takes less than 2 MiB on 2 processors, and less than 256 MiB on
 * 256. */
TWIN_TEST(layout_size)
{
	struct prt_probe probe = { 0 };
	struct prt_global g[3];
	u64 banks, contexts, fixed;

	globals(g);
	twin_script.probes = &probe;
	twin_script.nprobes = 1;
	twin_script.nglobals = 3;
	CHECK(machine_open(PRT_RING_MIN) == 0, "no session");
	/* Two banks for each processor and the totals; a context for each processor and for the
	 * thread. */
	banks = prt_global_cpu_memory();
	contexts = prt_context_cpu_memory();
	fixed = prt_global_memory() + prt_context_memory();
	CHECK(2 * (banks + contexts) + fixed <= 2 << 20, "%llu and %llu bytes", banks, contexts);
	CHECK(256 * (banks + contexts) + fixed <= 256 << 20, "%llu and %llu bytes", banks,
	      contexts);
	machine_close();
}
