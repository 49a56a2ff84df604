/* SPDX-License-Identifier: GPL-2.0 */
/* The session's own metrics: what its probes did, and what was lost. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/file.h"
#include "device/device.h"
#include "metrics/private.h"

/* Probes that have series of their own: a session may have thousands. */
enum { PROBES_MAX = 1000 };

int figures_take(struct figures *f, struct device *d, const struct prt_status *st)
{
	f->status = *st;
	if (f->m->has_stacks && device_stacks(d, &f->stacks))
		return -1;
	return tally_take(&f->tally, d, f->m);
}

static void add_unsigned(struct text *t, const char *name, const struct text *labels,
			 uint64_t value)
{
	char number[24];

	snprintf(number, sizeof(number), "%" PRIu64, value);
	sample_line(t, name, "", labels, "", number);
}

static void start_labels(struct text *labels, const struct figures *f)
{
	const char *name = file_name(f->m->script);

	labels->len = 0;
	sample_label(labels, "script", 6, name, strlen(name));
}

static void add_word(struct text *labels, const char *name, const char *value)
{
	sample_label(labels, name, strlen(name), value, strlen(value));
}

static void probe_labels(struct text *labels, const struct figures *f, uint32_t i)
{
	char number[16];

	start_labels(labels, f);
	snprintf(number, sizeof(number), "%u", i);
	add_word(labels, "probe", number);
	add_word(labels, "point", f->m->probes[i].pp);
}

/* Probes that are the script's own. */
static uint32_t probes(const struct figures *f)
{
	uint32_t n = f->m->snapshot_first < f->tally.n ? f->m->snapshot_first : f->tally.n;

	return n < PROBES_MAX ? n : PROBES_MAX;
}

static void add_seconds(struct text *t, const struct text *labels, uint64_t ticks, uint64_t khz)
{
	unsigned __int128 ns = (unsigned __int128)ticks * 1000000 / (khz ? khz : 1000000);
	char number[48];

	snprintf(number, sizeof(number), "%" PRIu64 ".%09" PRIu64, (uint64_t)(ns / 1000000000),
		 (uint64_t)(ns % 1000000000));
	sample_line(t, "proberun_handler_seconds", "_total", labels, "", number);
}

static void add_probes(struct text *t, enum metrics_format format, const struct figures *f,
		       struct text *labels)
{
	uint32_t n = probes(f);

	sample_describe(t, format, "proberun_hits", "", "counter", "",
			"Hits that a probe has handled.");
	for (uint32_t i = 0; i < n; i++) {
		probe_labels(labels, f, i);
		add_unsigned(t, "proberun_hits_total", labels, f->tally.probes[i].c.hits);
	}
	sample_describe(t, format, "proberun_errors", "", "counter", "",
			"Handlers that ended with a run-time error.");
	for (uint32_t i = 0; i < n; i++) {
		probe_labels(labels, f, i);
		add_unsigned(t, "proberun_errors_total", labels, f->tally.probes[i].c.errors);
	}
	sample_describe(t, format, "proberun_handler_seconds", "", "counter", "seconds",
			"Time in handlers, estimated from those that were timed.");
	for (uint32_t i = 0; i < n; i++) {
		probe_labels(labels, f, i);
		add_seconds(t, labels, f->tally.probes[i].c.estimate, f->status.clock_khz);
	}
	sample_describe(t, format, "proberun_skipped_hits", "", "counter", "",
			"Hits that were not handled, by reason.");
	for (uint32_t i = 0; i < n; i++)
		for (int way = 0; way < TALLY_WAYS; way++) {
			probe_labels(labels, f, i);
			add_word(labels, "reason", tally_ways[way].name);
			add_unsigned(t, "proberun_skipped_hits_total", labels,
				     f->tally.probes[i].skipped[way]);
		}
}

static void add_session(struct text *t, enum metrics_format format, const struct figures *f,
			struct text *labels)
{
	const struct { const char *name, *suffix, *type, *help; uint64_t value; } rows[] = {
		{ "proberun_lost_output", "_total", "counter",
		  "Groups of output that did not fit into the rings.", f->status.dropped },
		{ "proberun_lost_elements", "_total", "counter",
		  "Elements that did not fit into their arrays.", f->status.not_stored },
		{ "proberun_lost_stacks", "_total", "counter",
		  "Stacks that did not fit into the table.", f->stacks.lost },
		{ "proberun_sites_armed", "", "gauge", "Places that are probed.",
		  f->status.armed },
		{ "proberun_sites_failed", "", "gauge", "Places that could not be probed.",
		  f->status.failed },
		{ "proberun_series", "", "gauge",
		  "Time series of the script's globals in this text.", f->series },
		{ "proberun_series_left_out", "", "gauge",
		  "Time series of the script's globals that exceed the limit; at least so many.",
		  f->left_out },
	};
	char name[64];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		start_labels(labels, f);
		sample_describe(t, format, rows[i].name, "", rows[i].type, "", rows[i].help);
		snprintf(name, sizeof(name), "%s%s", rows[i].name, rows[i].suffix);
		add_unsigned(t, name, labels, rows[i].value);
	}
}

void figures_add(struct text *t, enum metrics_format format, const struct figures *f)
{
	struct text labels = { 0 };

	start_labels(&labels, f);
	add_word(&labels, "release", f->m->release);
	add_word(&labels, "version", f->m->compiler);
	sample_describe(t, format, "proberun", "", "info", "", "The session.");
	sample_line(t, "proberun_info", "", &labels, "", "1");
	add_session(t, format, f, &labels);
	add_probes(t, format, f, &labels);
	text_deinit(&labels);
}
