/* SPDX-License-Identifier: GPL-2.0 */
#include "session/print.h"

#include <string.h>

#include "common/signals.h"
#include "device/ring.h"
#include "metrics/metrics.h"
#include "module/meta.h"
#include "session/commands.h"
#include "session/flight.h"
#include "show/args.h"
#include "show/empty.h"
#include "show/marked.h"
#include "show/output.h"
#include "show/report.h"
#include "show/show.h"
#include "show/snapshot.h"

static void start_command(struct printing *r, const void *args, size_t len)
{
	struct args a = { "s", args, (const char *)args + len };
	struct arg s;

	if (args_next(&a, &s))
		r->damaged++;
	else if (r->commands && !r->show->out->broken)
		commands_start(r->commands, s.s, s.len);
}

/* Puts names into the strings of a record. A command of system() gets ids: what containers are
 * called is up to others. False: the record is damaged. */
static bool put_names(struct printing *r, uint32_t id, const void **args, size_t *len)
{
	const char *types = id == PRT_REC_ERROR ? "lls" :
			    id == PRT_REC_WARN || id == PRT_REC_SYSTEM ? "s" :
			    id < r->m->nprints ? r->m->prints[id].types : NULL;

	return !types || marked_replace(r->marked, r->only_ids || id == PRT_REC_SYSTEM, types,
					args, len);
}

static void take_call(struct printing *r, const void *args, size_t len)
{
	struct args a = { "l", args, (const char *)args + len };
	struct arg at;

	if (args_next(&a, &at))
		r->damaged++;
	else if (r->ncalled < REPORT_CALLED_MAX)
		r->called[r->ncalled++] = (uint64_t)at.number;
}

static void print_record(struct printing *r, const struct prt_group *g,
			 const struct prt_rec *rec)
{
	const struct meta *m = r->m;
	const void *args = rec + 1;
	size_t len = rec->len - sizeof(*rec);
	int taken;

	if (rec->id < PRT_REC_PRINT_MAX ? r->silent : g->time < r->skip)
		return;
	if (r->marked && !put_names(r, rec->id, &args, &len)) {
		r->damaged++;
		return;
	}
	switch (rec->id) {
	case PRT_REC_CALLED:
		take_call(r, args, len);
		return;
	case PRT_REC_ERROR:
		r->errors += (unsigned)report_error(m, g->probe, args, len,
						    r->called, r->ncalled);
		r->ncalled = 0;
		return;
	case PRT_REC_WARN:
	case PRT_REC_DEBUG:
		report_warning(args, len, rec->id == PRT_REC_DEBUG);
		return;
	case PRT_REC_SYSTEM:
		start_command(r, args, len);
		return;
	case PRT_REC_NEXT_FILE:
		output_next_file(r->show->out);
		return;
	}
	if (rec->id >= m->nprints || !m->prints[rec->id].format) {
		r->damaged += rec->id < PRT_REC_PRINT_MAX;
		return;
	}
	taken = metrics_record(r->metrics, rec->id, args, len);
	if (taken) {
		r->damaged += taken < 0;
		return;
	}
	if (!show_print(r->show, &m->prints[rec->id], args, len))
		r->damaged++;
}

uint64_t print_time(const struct prt_status *st, uint64_t time)
{
	__int128 ticks = (__int128)time - st->epoch_clock;

	return st->epoch_ns + (uint64_t)(st->clock_khz ? ticks * 1000000 / st->clock_khz : ticks);
}

static void print_records(struct printing *r, const struct prt_group *g)
{
	const char *p = (const char *)(g + 1), *end = (const char *)g + g->len;

	r->ncalled = 0;
	while (end - p >= (long)sizeof(struct prt_rec)) {
		const struct prt_rec *rec = (const void *)p;

		if (rec->len < sizeof(*rec) || rec->len % 8 || rec->len > (size_t)(end - p)) {
			r->damaged++;
			return;
		}
		print_record(r, g, rec);
		p += rec->len;
	}
}

void print_group(struct printing *r, const struct rings *rings, const struct prt_group *g)
{
	const struct meta *m = r->m;
	struct show_hit hit = {
		.probe = g->probe < m->nprobes ? m->probes[g->probe].pp : NULL,
		.cpu = rings->ring[rings->run].cpu,
		.time = print_time(r->st, g->time),
		.number = g->probe,
		.first = g->probe < m->nprobes &&
			 strcmp(m->probes[g->probe].kind, "begin") == 0,
		.hot = g->probe < m->nprobes && empty_is_hot(m->probes[g->probe].kind),
	};

	if (g->kind != PRT_GROUP_OUTPUT)
		return;
	r->show->hit = &hit;
	print_records(r, g);
	r->show->hit = NULL;
}

/* Whether the records of all snapshots are counted or drawn together. Then those that an earlier
 * one has shown must not come again. */
static bool adds_up(const struct show *s)
{
	return !s->out->next_file && (s->format == SHOW_CSV || s->format == SHOW_FOLDED ||
				      s->format == SHOW_PERFETTO || s->format == SHOW_CTF);
}

void print_copy(struct printing *r, struct flight *f)
{
	const struct prt_group *g;
	bool whole = !f->whole || r->silent, once = adds_up(r->show);

	r->skip = f->past->acted;
	while ((g = ring_next(&f->copy, UINT64_MAX, &r->damaged)) != NULL && signals_count() < 2) {
		if (!whole && g->time >= f->whole) {
			show_snapshot_whole(r->show);
			whole = true;
		}
		if (!once || g->time >= r->skip)
			print_group(r, &f->copy, g);
	}
	r->skip = 0;
	f->past->acted = f->asked.time;
	output_flush(r->show->out);
}

void print_snapshot(struct printing *r, struct flight *f)
{
	/* Without a request, the rings were read as they were left. */
	uint64_t to = f->asked.time == UINT64_MAX ? f->last : f->asked.time;
	struct show_snapshot head = {
		.host = r->host,
		.number = f->past->number,
		.reason = f->asked.reason,
		.hits = f->groups,
		.from = print_time(r->st, f->first),
		.to = print_time(r->st, to),
		.whole = f->whole ? print_time(r->st, f->whole) : 0,
		.overwritten = f->overwritten,
		.lost = f->lost,
		.suppressed = f->asked.suppressed,
		.missed = f->missed,
	};

	output_next_file(r->show->out);
	show_snapshot(r->show, &head);
	print_copy(r, f);
}

