/* SPDX-License-Identifier: GPL-2.0 */
/* The session's own metrics: what its probes did, and what was lost. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "device/device.h"
#include "metrics/private.h"
#include "shared/file.h"

/* Probes that have series of their own: a session may have thousands. */
enum { PROBES_MAX = 1000 };

int figures_take(struct figures *f, struct device *d, const struct prt_status *st)
{
	f->status = *st;
	if (f->m->has_stacks && device_stacks(d, &f->stacks))
		return -1;
	return tally_take(&f->tally, d, f->m);
}

static void add_unsigned(struct metrics_page *p, const struct metric_family *family,
			 const struct buf *labels, uint64_t value)
{
	char number[24];

	snprintf(number, sizeof(number), "%" PRIu64, value);
	family_value(p, family, labels, number);
}

/* In OTLP, the script is an attribute of the resource. */
static void start_labels(const struct metrics_page *p, struct buf *labels,
			 const struct figures *f)
{
	labels->len = 0;
	if (p->format < METRICS_FORMATS)
		family_label(p, labels, "script", file_name(f->m->script));
}

static void probe_labels(const struct metrics_page *p, struct buf *labels,
			 const struct figures *f, uint32_t i)
{
	char number[16];

	start_labels(p, labels, f);
	snprintf(number, sizeof(number), "%u", i);
	family_label(p, labels, "probe", number);
	family_label(p, labels, "point", f->m->probes[i].pp);
}

/* Probes that are the script's own. */
static uint32_t probes(const struct figures *f)
{
	uint32_t n = f->m->snapshot_first < f->tally.n ? f->m->snapshot_first : f->tally.n;

	return n < PROBES_MAX ? n : PROBES_MAX;
}

static void add_seconds(struct metrics_page *p, const struct metric_family *family,
			const struct buf *labels, uint64_t ticks, uint64_t khz)
{
	unsigned __int128 ns = (unsigned __int128)ticks * 1000000 / (khz ? khz : 1000000);
	char number[48];

	snprintf(number, sizeof(number), "%" PRIu64 ".%09" PRIu64, (uint64_t)(ns / 1000000000),
		 (uint64_t)(ns % 1000000000));
	family_value(p, family, labels, number);
}

static void add_probes(struct metrics_page *p, const struct figures *f, struct buf *labels)
{
	const struct metric_family
		hits = { "proberun_hits", "counter", "", "Hits handled by a probe." },
		errors = { "proberun_errors", "counter", "",
			   "Handlers that ended with a run-time error." },
		seconds = { "proberun_handler_seconds", "counter", "seconds",
			    "Time in handlers, estimated from those that were timed." },
		skipped = { "proberun_skipped_hits", "counter", "",
			    "Hits that were not handled, by reason." };
	uint32_t n = probes(f);

	/* Prometheus's receiver of OTLP warns of each metric without points. */
	if (!n)
		return;
	family_open(p, &hits);
	for (uint32_t i = 0; i < n; i++) {
		probe_labels(p, labels, f, i);
		add_unsigned(p, &hits, labels, f->tally.probes[i].c.hits);
	}
	family_close(p);
	family_open(p, &errors);
	for (uint32_t i = 0; i < n; i++) {
		probe_labels(p, labels, f, i);
		add_unsigned(p, &errors, labels, f->tally.probes[i].c.errors);
	}
	family_close(p);
	family_open(p, &seconds);
	for (uint32_t i = 0; i < n; i++) {
		probe_labels(p, labels, f, i);
		add_seconds(p, &seconds, labels, f->tally.probes[i].c.estimate,
			    f->status.clock_khz);
	}
	family_close(p);
	family_open(p, &skipped);
	for (uint32_t i = 0; i < n; i++)
		for (int way = 0; way < TALLY_WAYS; way++) {
			probe_labels(p, labels, f, i);
			family_label(p, labels, "reason", tally_ways[way].name);
			add_unsigned(p, &skipped, labels, f->tally.probes[i].skipped[way]);
		}
	family_close(p);
}

static void add_session(struct metrics_page *p, const struct figures *f, struct buf *labels)
{
	const struct { struct metric_family family; uint64_t value; } rows[] = {
		{ { "proberun_lost_output", "counter", "",
		    "Groups of output that did not fit into the rings." }, f->status.dropped },
		{ { "proberun_lost_elements", "counter", "",
		    "Elements that did not fit into their arrays." }, f->status.not_stored },
		{ { "proberun_lost_stacks", "counter", "",
		    "Stacks that did not fit into the table." }, f->stacks.lost },
		{ { "proberun_sites_armed", "gauge", "", "Places that are probed." },
		  f->status.armed },
		{ { "proberun_sites_failed", "gauge", "", "Places that could not be probed." },
		  f->status.failed },
		{ { "proberun_series", "gauge", "",
		    "Time series of the script's globals in this text." }, f->series },
		{ { "proberun_series_left_out", "gauge", "",
		    "Time series of the script's globals that exceed the limit; at least so many."
		  },
		  f->left_out },
	};

	start_labels(p, labels, f);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		family_open(p, &rows[i].family);
		add_unsigned(p, &rows[i].family, labels, rows[i].value);
		family_close(p);
	}
}

/* In OTLP, all of this is in the resource. */
static void add_info(struct metrics_page *p, const struct figures *f, struct buf *labels)
{
	const struct metric_family info = { "proberun", "info", "", "The session." };

	if (p->format >= METRICS_FORMATS)
		return;
	start_labels(p, labels, f);
	family_label(p, labels, "release", f->m->release);
	family_label(p, labels, "version", f->m->compiler);
	family_open(p, &info);
	family_value(p, &info, labels, "1");
	family_close(p);
}

void figures_add(struct metrics_page *p, const struct figures *f)
{
	struct buf labels = { 0 };

	add_info(p, f, &labels);
	add_session(p, f, &labels);
	add_probes(p, f, &labels);
	buf_deinit(&labels);
}
