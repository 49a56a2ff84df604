/* SPDX-License-Identifier: GPL-2.0 */
/* Says why nothing was shown. */
#include "show/empty.h"

#include <string.h>

#include "kinds.h"

#include "common/say.h"
#include "module/meta.h"
#include "show/tally.h"

static const struct kind { const char *word; enum prt_runs runs; } kinds[] = {
#define KIND(NAME, word, type, site, runs, values, mechanism) { word, PRT_RUNS_##runs },
	PRT_KINDS(KIND)
#undef KIND
};

bool empty_is_hot(const char *kind)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].word, kind) == 0)
			return kinds[i].runs == PRT_RUNS_HOT;
	return false;
}

/* "tz_time_of_day()": the same in every table. */
static bool is_bare_call(const struct meta_print *p, unsigned i)
{
	size_t len;
	const char *name = meta_name(p, i, &len);

	return name && len > 2 && memcmp(name + len - 2, "()", 2) == 0;
}

bool empty_is_row(const struct meta_print *p, bool hot)
{
	for (unsigned i = 0; !p->edge && p->types[i]; i++)
		if (!meta_literal(p, i) && (hot || !is_bare_call(p, i)))
			return true;
	return false;
}

static bool is_snapshot(const struct meta *m, uint32_t print)
{
	return m->snapshot_n && print >= m->snapshot_begin && print <= m->snapshot_end;
}

/* Whether the script shows anything of hits at all. */
static bool has_rows(const struct meta *m)
{
	for (uint32_t i = 0; i < m->nprints; i++)
		if (m->prints[i].format && !is_snapshot(m, i) && empty_is_row(&m->prints[i], true))
			return true;
	return false;
}

static void say_no_hits(const struct meta *m, bool programs)
{
	const char *hint = "there was no such call while the probes were armed, or conditions and "
			   "options such as --pid excluded all";

	if (m->limits_cgroup)
		hint = "only tasks in the control group of --cgroup count";
	else if (programs)
		hint = "no process ran this code while the session lasted: -c COMMAND starts one";
	say_warn("E_NO_HITS", hint, "0 hits: none of the %u place%s was reached", m->nsites,
		 plural_s(m->nsites));
}

void empty_report(const struct tally *t, const struct meta *m, uint64_t rows)
{
	bool events = false, programs = true;
	uint64_t hits = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		if (!empty_is_hot(m->probes[i].kind))
			continue;
		hits += t->probes[i].c.hits + tally_skipped(&t->probes[i]);
		events = true;
		programs &= strncmp(m->probes[i].kind, "user", 4) == 0;
	}
	if (rows || !events || !m->nsites || !has_rows(m))
		return;
	if (!hits)
		say_no_hits(m, programs);
	else if (m->is_tool)
		say_warn("E_NO_HITS", "options such as --pid select hits, and --help says what is "
				      "not seen; -v shows the hits of each probe",
			 "0 of %llu hit%s matched", (unsigned long long)hits,
			 plural_s(hits));
}
