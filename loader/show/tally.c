/* SPDX-License-Identifier: GPL-2.0 */
/* The runtime's counts, by probe. */
#include "show/tally.h"

#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "module/meta.h"
#include "shared/buf.h"
#include "shared/memory.h"
#include "show/sites.h"

const struct tally_words tally_ways[TALLY_WAYS] = {
	[TALLY_BUSY] = { "busy", "", "came while another handler ran", NULL },
	[TALLY_LOCKED_OUT] = { "locked_out", "", "could not get a lock in time",
			       "a global that probes only add to, by ++ or <<<, needs no lock" },
	[TALLY_RECURSED] = { "recursed", "at least ", "came while the kernel handled another probe",
			     NULL },
	[TALLY_NO_INSTANCE] = { "no_instance", "",
				"found no free instance for the return",
				".return.maxactive(N) sets the number of instances; a uretprobe "
				"follows 64 nested calls of a thread, and kernels before 6.1 may "
				"have none for calls in an NMI" },
	[TALLY_INHERITED] = { "inherited", "",
			      "ended calls in a forked process that its parent had entered",
			      "a return probe without entry values and conditions sees these" },
	[TALLY_UNWATCHED] = { "unwatched", "all of ",
			      "threads or processes could not be watched",
			      "a processor has four watchpoints for each thread, which debuggers "
			      "and perf use as well" },
};

static int take_sites(struct tally *t, struct device *d, const struct meta *m)
{
	struct prt_site_status *status;
	int err;

	if (!t->status)
		t->status = memory_zeroed(m->nsites, sizeof(*status));
	status = t->status;
	err = device_site_status(d, status, m->nsites);
	for (uint32_t i = 0; !err && i < m->nsites; i++) {
		struct tally_probe *p = &t->probes[m->sites[i].probe];

		p->skipped[TALLY_RECURSED] += status[i].recursed;
		if ((status[i].state == PRT_SITE_ARMED || status[i].state == PRT_SITE_GONE) &&
		    status[i].mechanism < TALLY_MECHANISMS)
			p->sites[status[i].mechanism]++;
		for (unsigned bit = 0; t->sites && bit < KPROBES_MARKS; bit++)
			p->marks[bit] += sites_marks(t->sites, i, status) >> bit & 1;
		p->instances += status[i].pool;
		p->grown += status[i].grown;
		p->limited |= status[i].limited;
		p->cost = status[i].cost;
		p->fast += status[i].fast;
		p->slow += status[i].slow;
		if (status[i].slow_why)
			p->slow_why = status[i].slow_why;
	}
	return err;
}

/* Some counts are of several things, by the kind of the probe. */
static void take_probe(struct tally_probe *p, const char *kind, const struct prt_probe_counts *c)
{
	p->c = *c;
	p->skipped[TALLY_BUSY] = c->busy;
	p->skipped[TALLY_LOCKED_OUT] = c->locked_out;
	if (strcmp(kind, "user_watch") == 0) {
		p->skipped[TALLY_UNWATCHED] = c->missed;
		return;
	}
	p->skipped[TALLY_NO_INSTANCE] = c->missed;
	if (strcmp(kind, "user_return") == 0) {
		p->skipped[TALLY_INHERITED] = c->overruns;
		p->c.overruns = 0;
	}
}

int tally_take(struct tally *t, struct device *d, const struct meta *m)
{
	struct prt_probe_counts *counts = memory_zeroed(m->nprobes, sizeof(*counts));
	int err = device_counts(d, counts, m->nprobes);

	if (!t->probes)
		t->probes = memory_zeroed(m->nprobes, sizeof(*t->probes));
	t->n = m->nprobes;
	memset(t->probes, 0, t->n * sizeof(*t->probes));
	for (uint32_t i = 0; !err && i < t->n; i++)
		take_probe(&t->probes[i], m->probes[i].kind, &counts[i]);
	if (!err)
		err = take_sites(t, d, m);
	free(counts);
	return err;
}

void tally_deinit(struct tally *t)
{
	free(t->probes);
	free(t->status);
	*t = (struct tally){ 0 };
}

uint64_t tally_skipped(const struct tally_probe *p)
{
	uint64_t sum = 0;

	for (int i = 0; i < TALLY_WAYS; i++)
		sum += p->skipped[i];
	return sum;
}

const char *tally_words_of(const struct tally_probe *p, const char *prefix, struct buf *to)
{
	const char *between = prefix, *hint = NULL;

	for (int way = 0; way < TALLY_WAYS; way++) {
		if (!p->skipped[way])
			continue;
		buf_printf(to, "%s%s%llu %s", between, tally_ways[way].bound,
			   (unsigned long long)p->skipped[way], tally_ways[way].text);
		between = ", ";
		hint = tally_ways[way].hint ? tally_ways[way].hint : hint;
	}
	return hint;
}

uint64_t tally_dropped_bytes(const struct device *d)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < d->rings.n; i++)
		bytes += __atomic_load_n(&d->rings.ring[i].head->dropped_bytes, __ATOMIC_RELAXED);
	return bytes;
}
