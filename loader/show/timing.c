/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The statistics at the end of a session. The table is made in two steps, first all cells and then
 * the lines, so that columns are as wide as their content. The probe point is the last column: it
 * may be long, and continues on the next line.
 */
#include "show/timing.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/kprobes.h"
#include "module/meta.h"
#include "shared/memory.h"
#include "show/json.h"
#include "show/report.h"
#include "show/show.h"
#include "show/sites.h"
#include "show/tally.h"

enum { C_HITS, C_AVG, C_MAX, C_SKIPPED, C_ERRORS, C_OVERRUNS, C_MECHANISM, COLUMNS };
enum { CELL = 48 };

static const char *const heads[COLUMNS] = {
	"hits", "avg ns", "max ns", "skipped", "errors", "overruns", "by",
};

struct row {
	char cell[COLUMNS][CELL];
};

static uint64_t ticks_ns(const struct prt_status *st, uint64_t ticks)
{
	return st->clock_khz ? (uint64_t)((unsigned __int128)ticks * 1000000 / st->clock_khz) : 0;
}

static bool in_thread(const char *kind)
{
	static const char *const kinds[] = { "begin", "end", "error", "never", "timer" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kind, kinds[i]) == 0)
			return true;
	return false;
}

/* Lists the mechanisms of a probe with their numbers of sites, or the probe's kind. */
static void mechanism(const struct meta_probe *m, const struct tally_probe *p, char *to,
		      size_t size)
{
	size_t n = 0;

	for (unsigned i = 1; i < TALLY_MECHANISMS && n < size; i++) {
		if (!p->sites[i])
			continue;
		n += (size_t)snprintf(to + n, size - n, "%s%s", n ? "+" : "",
				      sites_word(i));
		if (p->sites[i] > 1 && n < size)
			n += (size_t)snprintf(to + n, size - n, " x%u", p->sites[i]);
	}
	if (!n)
		snprintf(to, size, "%s",
			 in_thread(m->kind) ? m->kind : "nothing");
}

/* Long hits are timed more often than short ones; the estimate weights them accordingly. */
static uint64_t average_ns(const struct tally_probe *p, const struct prt_status *st)
{
	return p->c.hits ? ticks_ns(st, p->c.estimate) / p->c.hits : 0;
}

static void write_number(char *cell, uint64_t v)
{
	snprintf(cell, CELL, "%llu", (unsigned long long)v);
}

static void fill(struct row *r, const struct meta_probe *m, const struct tally_probe *p,
		 const struct prt_status *st)
{
	write_number(r->cell[C_HITS], p->c.hits);
	if (p->c.timed) {
		write_number(r->cell[C_AVG], average_ns(p, st));
		write_number(r->cell[C_MAX], ticks_ns(st, p->c.slowest));
	} else {
		strcpy(r->cell[C_AVG], "-");
		strcpy(r->cell[C_MAX], "-");
	}
	write_number(r->cell[C_SKIPPED], tally_skipped(p));
	write_number(r->cell[C_ERRORS], p->c.errors);
	write_number(r->cell[C_OVERRUNS], p->c.overruns);
	mechanism(m, p, r->cell[C_MECHANISM], CELL);
}

static void pad(struct buf *t, size_t n)
{
	while (n-- > 0)
		buf_puts(t, " ");
}

/* Formats all cells of a line; returns its width. */
static size_t put_cells(struct buf *t, char cell[COLUMNS][CELL], const size_t *width)
{
	size_t all = 0;

	for (int c = 0; c < COLUMNS; c++) {
		size_t len = strlen(cell[c]);

		if (c != C_MECHANISM)
			pad(t, width[c] - len);
		buf_write(t, cell[c], len);
		if (c == C_MECHANISM)
			pad(t, width[c] - len);
		buf_puts(t, "  ");
		all += width[c] + 2;
	}
	return all;
}

/* Adds @s from column @at on, cut where the line is full and continued below, without a newline at
 * the end. Returns the columns left. */
static size_t put_wrapped(struct buf *t, const char *s, size_t at)
{
	size_t room = at + 20 < TIMING_WIDTH ? TIMING_WIDTH - at : 20;

	while (strlen(s) > room) {
		buf_write(t, s, room);
		buf_puts(t, "\n");
		pad(t, at);
		s += room;
	}
	buf_puts(t, s);
	return room - strlen(s);
}

static void put_probe(struct buf *t, const struct meta *m, uint32_t i, size_t at)
{
	const struct position *srcloc = report_srcloc(m, i);
	size_t left = put_wrapped(t, m->probes[i].pp, at);
	struct buf name = { 0 };
	char line[16];

	if (srcloc) {
		snprintf(line, sizeof(line), ":%u", srcloc->line);
		buf_puts(&name, srcloc->file);
		buf_puts(&name, line);
		if (name.len + 2 <= left) {
			buf_puts(t, "  ");
			buf_write(t, name.s, name.len);
		} else {
			buf_puts(t, "\n");
			pad(t, at);
			put_wrapped(t, name.s, at);
		}
	}
	buf_puts(t, "\n");
	buf_deinit(&name);
}

static void put_skipped(struct buf *t, const struct tally_probe *p)
{
	struct buf all = { 0 };

	tally_words_of(p, "skipped: ", &all);
	if (all.len) {
		pad(t, 4);
		put_wrapped(t, all.s, 4);
		buf_puts(t, "\n");
	}
	buf_deinit(&all);
}

/* Adds the kernel's marks of the probe's sites, except for "ftrace", which the mechanism shows. */
static void put_marks(struct buf *t, const struct tally_probe *p)
{
	struct buf all = { 0 };

	for (unsigned bit = 0; bit < KPROBES_MARKS; bit++) {
		uint32_t said = 1u << bit == KPROBES_FTRACE ? p->sites[PRT_MECH_FTRACE] : 0;

		if (p->marks[bit] <= said)
			continue;
		buf_printf(&all, p->marks[bit] - said > 1 ? " [%s] x%u" : " [%s]",
			   kprobes_word(bit), p->marks[bit] - said);
	}
	if (all.len) {
		buf_puts(t, "    the kernel's marks:");
		buf_write(t, all.s, all.len);
		buf_puts(t, "\n");
	}
	buf_deinit(&all);
}

static void put_pool(struct buf *t, const struct tally_probe *p)
{
	if (!p->instances)
		return;
	buf_printf(t, "    %llu instances for calls in flight, grown %u times%s\n",
		   (unsigned long long)p->instances, p->grown, p->limited ? ", to the limit" : "");
}

static void put_cost(struct buf *t, const struct tally_probe *p, bool subtracts)
{
	static const char include[] = "    elapsed times include the cost of the probe, ";
	long long ns = p->cost;

	if (ns < 0)
		buf_printf(t, "%swhich is not measured\n", include);
	else if (ns && subtracts)
		buf_printf(t, "    elapsed times are without %lld ns, the least cost of the "
			   "probe\n", ns);
	else if (ns)
		buf_printf(t, "%s%lld ns at least\n", include, ns);
}

static void put_paths(struct buf *t, const struct tally_probe *p)
{
	char line[200];

	if (!p->fast && !p->slow)
		return;
	snprintf(line, sizeof(line),
		 "    breakpoints: %llu by the fast path, %llu by the kernel's: %s\n",
		 (unsigned long long)p->fast, (unsigned long long)p->slow,
		 sites_slow_word(p->slow_why));
	buf_puts(t, line);
}

void timing_table(struct buf *out, const struct meta *m, const struct tally *t,
		  const struct prt_status *st)
{
	struct row *rows = memory_zeroed(t->n + 1, sizeof(*rows));
	size_t width[COLUMNS] = { 0 }, at;

	for (int c = 0; c < COLUMNS; c++)
		strcpy(rows[t->n].cell[c], heads[c]);
	for (uint32_t i = 0; i < t->n; i++)
		fill(&rows[i], &m->probes[i], &t->probes[i], st);
	for (uint32_t i = 0; i <= t->n; i++)
		for (int c = 0; c < COLUMNS; c++)
			if (strlen(rows[i].cell[c]) > width[c])
				width[c] = strlen(rows[i].cell[c]);
	at = put_cells(out, rows[t->n].cell, width);
	buf_puts(out, "probe\n");
	for (uint32_t i = 0; i < t->n; i++) {
		put_cells(out, rows[i].cell, width);
		put_probe(out, m, i, at);
		put_marks(out, &t->probes[i]);
		put_pool(out, &t->probes[i]);
		put_cost(out, &t->probes[i], t->subtracts);
		put_paths(out, &t->probes[i]);
		put_skipped(out, &t->probes[i]);
	}
	free(rows);
}

/* ---- json ---- */

static void put_ways(struct buf *t, const uint64_t *skipped)
{
	json_open(t, "skipped", '{');
	for (int way = 0; way < TALLY_WAYS; way++)
		json_unsigned(t, tally_ways[way].name, skipped[way]);
	json_close(t, '}');
}

static void put_counts(struct buf *t, const struct meta *m, uint32_t i,
		       const struct tally_probe *p)
{
	json_text(t, "probe", m->probes[i].pp);
	show_srcloc(t, report_srcloc(m, i));
	json_unsigned(t, "hits", p->c.hits);
	json_unsigned(t, "errors", p->c.errors);
	json_unsigned(t, "overruns", p->c.overruns);
	put_ways(t, p->skipped);
}

void timing_object(struct show *s, const struct meta *m, const struct tally *t,
		   const struct prt_status *st)
{
	struct buf *line = show_begin(s, "timing");
	char by[CELL];

	json_open(line, "probes", '[');
	for (uint32_t i = 0; i < t->n; i++) {
		const struct tally_probe *p = &t->probes[i];

		json_open(line, NULL, '{');
		put_counts(line, m, i, p);
		mechanism(&m->probes[i], p, by, sizeof(by));
		json_text(line, "by", by);
		if (p->instances) {
			json_unsigned(line, "instances", p->instances);
			json_unsigned(line, "grown", p->grown);
		}
		if (p->fast || p->slow) {
			json_unsigned(line, "fast", p->fast);
			json_unsigned(line, "slow", p->slow);
		}
		if (p->cost > 0)
			json_unsigned(line, t->subtracts ? "subtracted_ns" : "cost_ns",
				      (uint64_t)p->cost);
		json_unsigned(line, "timed", p->c.timed);
		if (p->c.timed) {
			json_unsigned(line, "total_ns", ticks_ns(st, p->c.estimate));
			json_unsigned(line, "avg_ns", average_ns(p, st));
			json_unsigned(line, "max_ns", ticks_ns(st, p->c.slowest));
		}
		json_close(line, '}');
	}
	json_close(line, ']');
	if (t->sites)
		sites_array(line, t->sites, t->status);
	show_end(s);
}

void timing_summary(struct show *s, const struct meta *m, const struct tally *t,
		    const struct prt_status *st, uint64_t bytes, int status)
{
	struct buf *line = show_begin(s, "summary");
	uint64_t hits = 0, errors = 0, skipped[TALLY_WAYS] = { 0 };

	for (uint32_t i = 0; i < t->n; i++) {
		hits += t->probes[i].c.hits;
		errors += t->probes[i].c.errors;
		for (int way = 0; way < TALLY_WAYS; way++)
			skipped[way] += t->probes[i].skipped[way];
	}
	json_text(line, "script", m->script ? m->script : "");
	json_text(line, "kernel", m->release);
	json_seconds(line, "seconds", ticks_ns(st, st->now - st->epoch_clock));
	json_signed(line, "status", status);
	json_unsigned(line, "hits", hits);
	json_unsigned(line, "errors", errors);
	json_unsigned(line, "lost", st->dropped);
	json_unsigned(line, "lost_bytes", bytes);
	json_unsigned(line, "not_stored", st->not_stored);
	put_ways(line, skipped);
	json_open(line, "probes", '[');
	for (uint32_t i = 0; i < t->n; i++) {
		json_open(line, NULL, '{');
		put_counts(line, m, i, &t->probes[i]);
		json_close(line, '}');
	}
	json_close(line, ']');
	show_end(s);
}
