/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The losses of a session. The pump asks for STATUS in each turn, which has the output that was
 * lost. The other losses are counted by probe and by site; reading them takes a while if there are
 * many, so the time that one reading takes decides when the next one is.
 */
#include "show/losses.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/namespace.h"
#include "common/say.h"
#include "device/device.h"
#include "module/meta.h"
#include "shared/buf.h"
#include "shared/clock.h"
#include "shared/memory.h"
#include "show/report.h"

#define SECOND 1000000000LL

enum {
	LOOK_SHARE = 100,      /* a reading is followed by so many times the time that it took */
	MAX_ARRAY_REPORTS = 100, /* full arrays in one report */
};

void losses_init(struct losses *l, struct device *d, const struct meta *m, int64_t now)
{
	*l = (struct losses){ .d = d, .m = m, .look_at = now + SECOND };
	l->reported = memory_zeroed((size_t)m->nprobes * TALLY_WAYS, sizeof(*l->reported));
}

void losses_deinit(struct losses *l)
{
	tally_deinit(&l->tally);
	free(l->reported);
	l->reported = NULL;
}

static void say_now(const char *text, size_t len)
{
	say_message(&(struct say_message){
		.kind = "warning", .id = "E_SKIPPED", .text = text, .len = len, .brief = true });
}

/* Returns the size of the largest ring of a processor in KiB, and in @reason why there is none that
 * is larger, if they grow. */
static unsigned ring_kib(const struct device *d, const char **reason)
{
	static const char *const reasons[] = {
		[PRT_SHORT_NOT] = "",
		[PRT_SHORT_MEMORY] = ", as the kernel had no memory for larger ones",
		[PRT_SHORT_LIMIT] = ", as the session may take no more memory",
		[PRT_SHORT_TIME] = ", as output came faster than they grew",
	};
	uint32_t why = PRT_SHORT_NOT;
	uint64_t size = 0;

	for (uint32_t i = 0; i < d->rings.n; i++) {
		const struct ring *r = &d->rings.ring[i];

		if (r->cpu < 0)
			continue;
		size = r->size > size ? r->size : size;
		if (!why)
			why = __atomic_load_n(&r->head->why, __ATOMIC_RELAXED);
	}
	if (!why && size < d->ring_most)
		why = PRT_SHORT_TIME;
	*reason = reasons[why <= PRT_SHORT_TIME ? why : PRT_SHORT_NOT];
	return (unsigned)(size >> 10);
}

static void watch_output(struct losses *l, const struct prt_status *st, int64_t now)
{
	const char *reason;
	unsigned kib;
	char text[240];
	int n;

	if (st->dropped == l->dropped || now - l->dropped_at < SECOND)
		return;
	kib = ring_kib(l->d, &reason);
	n = snprintf(text, sizeof(text),
		     "losing the output of hits: %llu more; the rings of %u KiB are full%s "
		     "(%s makes them larger)",
		     (unsigned long long)(st->dropped - l->dropped), kib, reason,
		     l->d->records ? "--flight=MB" : "-s");
	say_now(text, (size_t)n);
	l->dropped = st->dropped;
	l->dropped_at = now;
}

/* Words for enum prt_short: why an array or the table of stacks is full, and what can be done about
 * an array, NULL if it had all of its elements. */
static const struct short_words {
	const char *reason, *step;
} short_words[] = {
	[PRT_SHORT_NOT] = { "", NULL },
	[PRT_SHORT_MEMORY] = { " before its size, as the kernel had no memory for more",
			       "free some memory, or use fewer or smaller keys" },
	[PRT_SHORT_LIMIT] = { " before its size, as the session may take no more memory",
			      "a larger --memory, or memory= of its rule, lets arrays grow; "
			      "without either, tables take at most a quarter of the memory" },
	[PRT_SHORT_TIME] = { " for a moment, as new ones came faster than it grew",
			     "arrays of up to 2,304 elements have all of their memory from the "
			     "start, except for histograms and keys of more than 64 bytes" },
};

static void say_array(const struct losses *l, const struct prt_array_get *a, int at_end)
{
	const struct position *srcloc =
		a->srcloc < l->m->nsrclocs ? &l->m->srclocs[a->srcloc] : NULL;
	const struct short_words *words = &short_words[a->why <= PRT_SHORT_TIME ? a->why : 0];
	struct buf text = { 0 }, hint = { 0 };

	buf_printf(&text, "array '%s' is full%s: %llu new element%s %s not stored", a->name,
		   words->reason, (unsigned long long)a->not_stored, plural_s(a->not_stored),
		   at_end ? plural_were(a->not_stored) : "so far");
	if (!at_end && !a->why)
		buf_printf(&text, " (global %s[N] or -D MAXMAPENTRIES=N makes it larger)", a->name);
	if (words->step)
		buf_puts(&hint, words->step);
	else
		buf_printf(&hint, "declare it with a size (global %s[N]), or -D MAXMAPENTRIES=N; "
			   "%s%% drops the oldest element instead", a->name, a->name);
	buf_write(&hint, "", 1);
	say_message(&(struct say_message){
		.kind = "warning",
		.id = "E_ARRAY_FULL",
		.text = text.s,
		.len = text.len,
		.hint = hint.s,
		.srcloc = srcloc && srcloc->file ? srcloc : NULL,
		.brief = !at_end });
	buf_deinit(&text);
	buf_deinit(&hint);
}

/* The end of the hint about values of a scalar that are in no cell, for enum prt_short. */
static const char *const coarse_steps[] = {
	[PRT_SHORT_NOT] = "",
	[PRT_SHORT_MEMORY] = "; the kernel had no memory for more buckets",
	[PRT_SHORT_LIMIT] = "; a larger --memory, or memory= of its rule, allows more buckets",
	[PRT_SHORT_TIME] = "; buckets of more powers of two were needed at once than were ready",
};

/* Values of which a histogram knows only the doubling: those of percentiles and of rows within
 * it are not as exact as the others. */
static void say_coarse(const struct prt_array_get *a)
{
	char step[200];

	snprintf(step, sizeof(step), "quantiles there may be off by up to a factor of two%s",
		 !a->size ? coarse_steps[a->why <= PRT_SHORT_TIME ? a->why : 0] :
		 "; a larger array (global NAME[N] or -D MAXMAPENTRIES=N) has more memory for "
		 "histograms");
	say_warn("E_SKIPPED", step, "%llu value%s of '%s' %s counted only by powers of two: the "
				    "memory for finer buckets was used "
				    "up", (unsigned long long)a->coarse,
		 plural_s(a->coarse), a->name, plural_were(a->coarse));
}

static void say_arrays(const struct losses *l, int at_end)
{
	struct prt_array_get a = { 0 };

	for (unsigned n = 0; n < MAX_ARRAY_REPORTS && device_array(l->d, &a); n++, a.at++) {
		if (a.not_stored)
			say_array(l, &a, at_end);
		if (a.coarse && at_end)
			say_coarse(&a);
	}
}

/* A full array usually stays full, so the time between two warnings doubles. */
static void watch_arrays(struct losses *l, const struct prt_status *st, int64_t now)
{
	if (st->not_stored == l->not_stored || now < l->arrays_at)
		return;
	say_arrays(l, 0);
	l->not_stored = st->not_stored;
	l->arrays_wait = l->arrays_wait ? 2 * l->arrays_wait : SECOND;
	l->arrays_at = now + l->arrays_wait;
}

static void add_srcloc(struct buf *t, const struct position *srcloc)
{
	char line[16];

	if (!srcloc)
		return;
	snprintf(line, sizeof(line), ":%u", srcloc->line);
	buf_puts(t, " at ");
	buf_puts(t, srcloc->file);
	buf_puts(t, line);
}

/* Finds the first probe whose instance pool should grow and may not. */
static void watch_pools(struct losses *l)
{
	struct buf t = { 0 };

	for (uint32_t i = 0; i < l->tally.n && !l->reported_limit; i++) {
		const struct tally_probe *p = &l->tally.probes[i];

		if (!p->limited)
			continue;
		l->reported_limit = true;
		buf_printf(&t, "no memory for more instances: their number stays at "
			   "%llu (.return.maxactive(N) sets it): ",
			   (unsigned long long)p->instances);
		buf_puts(&t, l->m->probes[i].pp);
		add_srcloc(&t, report_srcloc(l->m, i));
		say_now(t.s, t.len);
	}
	buf_deinit(&t);
}

/* Reports the hits that were skipped in one way since the last report, and the probe that has most
 * of them. */
static void watch_way(struct losses *l, enum tally_way way, int64_t now)
{
	uint64_t sum = 0, most = 0;
	struct buf t = { 0 };
	uint32_t worst = 0;

	for (uint32_t i = 0; i < l->tally.n; i++) {
		uint64_t n = l->tally.probes[i].skipped[way] - l->reported[i * TALLY_WAYS + way];

		sum += n;
		if (n > most) {
			most = n;
			worst = i;
		}
	}
	if (!sum || now - l->way_at[way] < SECOND)
		return;
	for (uint32_t i = 0; i < l->tally.n; i++)
		l->reported[i * TALLY_WAYS + way] = l->tally.probes[i].skipped[way];
	l->way_at[way] = now;
	buf_printf(&t, "skipping hits: %s%llu more %s%s", tally_ways[way].bound,
		   (unsigned long long)sum, tally_ways[way].text,
		   sum == most ? ": " : ", most of them of ");
	buf_puts(&t, l->m->probes[worst].pp);
	add_srcloc(&t, report_srcloc(l->m, worst));
	say_now(t.s, t.len);
	buf_deinit(&t);
}

void losses_watch(struct losses *l, const struct prt_status *st, int64_t now)
{
	int64_t took;

	watch_output(l, st, now);
	watch_arrays(l, st, now);
	if (now < l->look_at)
		return;
	if (tally_take(&l->tally, l->d, l->m) == 0) {
		for (int way = 0; way < TALLY_WAYS; way++)
			watch_way(l, way, now);
		watch_pools(l);
	}
	took = (clock_ns() - now) * LOOK_SHARE;
	l->look_at = now + (took > SECOND ? took : SECOND);
}

static void report_probe(const struct meta *m, uint32_t i, const struct tally_probe *p)
{
	struct buf t = { 0 };
	const char *hint = tally_words_of(p, "skipped hits: ", &t);

	if (t.len)
		say_message(&(struct say_message){ .kind = "warning",
						   .id = "E_SKIPPED",
						   .text = t.s,
						   .len = t.len,
						   .hint = hint,
						   .srcloc = report_srcloc(m, i),
						   .probe = m->probes[i].pp });
	buf_deinit(&t);
	say_step("%s: %llu hits, %llu errors, %llu overruns", m->probes[i].pp,
		 (unsigned long long)p->c.hits, (unsigned long long)p->c.errors,
		 (unsigned long long)p->c.overruns);
}

/* Errors that ended a handler and not the session; a single one has been reported. */
static void report_errors(const struct losses *l, uint64_t all, uint64_t shown)
{
	struct buf t = { 0 };

	if (all < 2)
		return;
	for (uint32_t i = 0; i < l->tally.n; i++) {
		const struct position *srcloc = report_srcloc(l->m, i);
		const struct prt_probe_counts *c = &l->tally.probes[i].c;

		if (!c->errors)
			continue;
		t.len = 0;
		buf_printf(&t, "%llu of %llu hit%s ended with an error",
			   (unsigned long long)c->errors, (unsigned long long)c->hits,
			   plural_s(c->hits));
		say_message(&(struct say_message){ .kind = "warning",
						   .id = "E_SKIPPED",
						   .text = t.s,
						   .len = t.len,
						   .hint = "-D MAXERRORS=N sets how many end "
							   "the session",
						   .srcloc = srcloc,
						   .probe = l->m->probes[i].pp });
	}
	buf_deinit(&t);
	if (all > shown)
		say_warn("E_SKIPPED", NULL, "%llu of these errors %s not shown individually",
			 (unsigned long long)(all - shown), plural_were(all - shown));
}

/* After an error of the script, SystemTap runs no end probes, and neither does probec. A script
 * with error probes needs no note. */
static void report_ends(const struct losses *l, const struct prt_status *st)
{
	int skipped = 0;

	if (!st->exit_error || st->exit_error == PRT_E_ABORT)
		return;
	for (uint32_t i = 0; i < l->tally.n; i++) {
		if (strcmp(l->m->probes[i].kind, "error") == 0)
			return;
		skipped |= strcmp(l->m->probes[i].kind, "end") == 0 && !l->tally.probes[i].c.hits;
	}
	if (skipped)
		say_warn("E_SKIPPED",
			 "probe end, error { ... } shows what was collected after an error as well",
			 "the end probes did not run, because an error ended the session");
}

/* Stacks that are incomplete or were not stored. */
static void report_stacks(const struct losses *l)
{
	struct prt_stack_counts n;

	if (!l->m->has_stacks || device_stacks(l->d, &n))
		return;
	if (n.lost)
		say_warn("E_SKIPPED", "-D MAXSTACKS=N sets how many different ones are kept",
			 "lost %llu stack%s: the table was full%s with %llu different one%s",
			 (unsigned long long)n.lost, plural_s(n.lost),
			 short_words[n.why <= PRT_SHORT_TIME ? n.why : 0].reason,
			 (unsigned long long)n.entries, plural_s(n.entries));
	if (n.cut)
		say_warn("E_SKIPPED", "-D MAXSTRINGLEN=N makes strings longer; print_stack(), %s "
			 "and keys take a stack whole",
			 "cut %llu stack%s that the script converted to strings",
			 (unsigned long long)n.cut, plural_s(n.cut));
	if (n.deeper)
		say_warn("E_SKIPPED", NULL, "cut %llu stack%s after %u frames",
			 (unsigned long long)n.deeper, plural_s(n.deeper), PRT_STACK_FRAMES);
	if (n.broken)
		say_warn("E_SKIPPED", NULL, "%llu stack%s %s incomplete: the kernel's unwinder did "
			 "not find the end", (unsigned long long)n.broken, plural_s(n.broken),
			 plural_are(n.broken));
	if (n.early)
		say_warn("E_SKIPPED", namespace_number() ? "proberun can't see processes outside "
							   "its pid namespace" : NULL,
			 "%llu stack%s of processes %s incomplete: the loader did not know the "
			 "process's code yet", (unsigned long long)n.early, plural_s(n.early),
			 plural_are(n.early));
	if (n.user_broken)
		say_warn("E_SKIPPED", "print_ubacktrace() shows where they end",
			 "%llu stack%s of processes %s incomplete: code in the stack has no call "
			 "frame information", (unsigned long long)n.user_broken,
			 plural_s(n.user_broken), plural_are(n.user_broken));
	if (n.absent)
		say_warn("E_SKIPPED", NULL, "%llu stack%s of processes %s incomplete: a part was "
			 "not in memory", (unsigned long long)n.absent, plural_s(n.absent),
			 plural_are(n.absent));
}

/* Stacks without frames of scripts that there were. */
static void report_scripts(const struct losses *l)
{
	static const char *const reasons[PRT_SCRIPT_ENDS] = {
		[PRT_SCRIPT_DAMAGED] = "the interpreter's data was being changed, or damaged",
		[PRT_SCRIPT_UNREAD] = "the interpreter's data was not in memory",
		[PRT_SCRIPT_ENDLESS] = "the interpreter has too many frames, or a cycle of them",
		[PRT_SCRIPT_NO_ROOM] = "there was no room for another function's name",
	};
	struct prt_script_counts n;

	if (!l->m->has_stacks || device_script_counts(l->d, &n))
		return;
	for (unsigned i = 0; i < PRT_SCRIPT_ENDS; i++)
		if (n.ends[i] && reasons[i])
			say_warn("E_SKIPPED", NULL, "%llu stack%s %s frames of scripts: %s",
				 (unsigned long long)n.ends[i], plural_s(n.ends[i]),
				 n.ends[i] == 1 ? "lacks" : "lack", reasons[i]);
	if (n.ends[PRT_SCRIPT_NO_FILE])
		say_warn("E_SKIPPED", "doc/safety.md, \"What is not guaranteed\", says which files "
			 "are not read",
			 "%llu stack%s may lack frames of scripts: a file with code of the process "
			 "is not read", (unsigned long long)n.ends[PRT_SCRIPT_NO_FILE],
			 plural_s(n.ends[PRT_SCRIPT_NO_FILE]));
}

void losses_report(struct losses *l, const struct prt_status *st, uint64_t shown)
{
	uint64_t errors = 0;
	const char *reason;
	unsigned kib = ring_kib(l->d, &reason);

	if (st->dropped)
		say_warn("E_SKIPPED", l->d->records ? "raise --flight=MB or print less" :
			 "raise -s or print less",
			 "lost the output of %llu hit%s (%llu KiB): the rings of %u KiB were "
			 "full%s",
			 (unsigned long long)st->dropped, plural_s(st->dropped),
			 (unsigned long long)(tally_dropped_bytes(l->d) + 1023) >> 10, kib, reason);
	say_arrays(l, 1);
	report_stacks(l);
	report_scripts(l);
	if (tally_take(&l->tally, l->d, l->m))
		return;
	for (uint32_t i = 0; i < l->tally.n; i++) {
		report_probe(l->m, i, &l->tally.probes[i]);
		errors += l->tally.probes[i].c.errors;
	}
	report_errors(l, errors, shown);
	report_ends(l, st);
}
