/* SPDX-License-Identifier: GPL-2.0 */
/* What became of a session, in words. */
#include "report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "device.h"
#include "file.h"
#include "meta.h"
#include "say.h"
#include "text.h"

enum { SHOWN = 10, LINE_MAX_BYTES = 400 };

#define FTRACE_SWITCH "/proc/sys/kernel/ftrace_enabled"
#define KPROBE_SWITCH "/sys/kernel/debug/kprobes/enabled"

static const struct {
	const char *id, *text, *hint;
} errors[] = {
	[PRT_E_DIV_ZERO] = { "E_DIV_ZERO", "division by zero", NULL },
	[PRT_E_BAD_ADDRESS] = { "E_BAD_ADDRESS", "bad address", NULL },
	[PRT_E_ARRAY_FULL] = { "E_ARRAY_FULL", "array is full",
			       "global a[N] or -D MAXMAPENTRIES=N makes it larger" },
	[PRT_E_EMPTY_AGGREGATE] = { "E_EMPTY_AGGREGATE", "empty aggregate", "test @count() first" },
	[PRT_E_STEPS] = { "E_STEPS", "too many steps in one hit", "-D MAXACTION=N allows more" },
	[PRT_E_NESTING] = { "E_NESTING", "calls nested too deeply", "-D MAXNESTING=N allows more" },
	[PRT_E_SCRIPT] = { "E_SCRIPT", "", NULL },
	[PRT_E_BAD_VALUE] = { "E_BAD_VALUE", "bad value", NULL },
};

/* A string argument at @p; returns what follows it, or NULL. */
static const char *string_arg(const char *p, const char *end, const char **s, size_t *len)
{
	uint32_t n;
	size_t all;

	if (end - p < 8)
		return NULL;
	memcpy(&n, p, sizeof(n));
	all = ((size_t)n + sizeof(n) + 7) & ~(size_t)7;
	if (all > (size_t)(end - p))
		return NULL;
	*s = p + sizeof(n);
	*len = n;
	return p + all;
}

static void add_place(struct text *t, const struct meta *m, uint64_t place)
{
	const struct meta_place *p = place < m->nplaces ? &m->places[place] : NULL;
	char number[32];

	if (!p || !p->file) {
		text_add_str(t, "probec: ");
		return;
	}
	text_add_str(t, p->file);
	snprintf(number, sizeof(number), ":%u:%u", p->line, p->col);
	text_add_str(t, number);
	if (p->end_col > p->col + 1) {
		snprintf(number, sizeof(number), "-%u", p->end_col - 1);
		text_add_str(t, number);
	}
	text_add_str(t, ": ");
}

/* The source line and the underline; tabs are kept in both, so that they stay aligned. */
static void add_excerpt(struct text *t, const struct meta *m, uint64_t place)
{
	const struct meta_place *p = place < m->nplaces ? &m->places[place] : NULL;
	char head[32];
	size_t len;

	if (!p || !p->file || (len = strlen(p->text)) == 0 || len > LINE_MAX_BYTES)
		return;
	snprintf(head, sizeof(head), "%5u | ", p->line);
	text_add_str(t, head);
	text_add(t, p->text, len);
	text_add_str(t, "\n      | ");
	for (size_t i = 0; i + 1 < p->col && i < len; i++)
		text_add_str(t, p->text[i] == '\t' ? "\t" : " ");
	text_add_str(t, "^");
	for (size_t i = p->col; i + 1 < p->end_col && i < len; i++)
		text_add_str(t, "~");
	text_add_str(t, "\n");
}

void report_error(const struct meta *m, uint32_t probe, const void *args, size_t len)
{
	const char *p = args, *end = p + len, *s;
	struct text t = { 0 };
	int64_t code, place;
	size_t n;

	if (len < 16 || !string_arg(p + 16, end, &s, &n)) {
		say_error("E_INTERNAL", NULL, "a damaged error record");
		return;
	}
	memcpy(&code, p, 8);
	memcpy(&place, p + 8, 8);
	if (code == PRT_E_ABORT)
		return;
	if (code <= 0 || (size_t)code >= sizeof(errors) / sizeof(errors[0]))
		code = PRT_E_BAD_VALUE;
	add_place(&t, m, (uint64_t)place);
	text_add_str(&t, "error: ");
	text_add_str(&t, errors[code].text);
	if (n && *errors[code].text)
		text_add_str(&t, ": ");
	text_add(&t, s, n);
	text_add_str(&t, " [");
	text_add_str(&t, errors[code].id);
	text_add_str(&t, "]\n");
	add_excerpt(&t, m, (uint64_t)place);
	if (probe < m->nprobes) {
		text_add_str(&t, "      = in probe ");
		text_add_str(&t, m->probes[probe].pp);
		text_add_str(&t, "\n");
	}
	if (errors[code].hint) {
		text_add_str(&t, "      = ");
		text_add_str(&t, errors[code].hint);
		text_add_str(&t, "\n");
	}
	say_text(t.s, t.len);
	text_deinit(&t);
}

void report_message(const char *prefix, const void *args, size_t len)
{
	const char *p = args, *s;
	struct text t = { 0 };
	size_t n;

	if (!string_arg(p, p + len, &s, &n)) {
		say_error("E_INTERNAL", NULL, "a damaged message record");
		return;
	}
	text_add_str(&t, prefix);
	text_add(&t, s, n);
	text_add_str(&t, "\n");
	say_text(t.s, t.len);
	text_deinit(&t);
}

static int is_off(const char *path)
{
	char text[8];

	return file_read_line(path, text, sizeof(text)) == 0 && strcmp(text, "0") == 0;
}

/* What is registered and will never fire: the kernel says of it that all is well. */
static int report_switches(const struct prt_site_status *status, uint32_t n)
{
	uint32_t kprobes = 0;

	for (uint32_t i = 0; i < n; i++)
		kprobes += status[i].state == PRT_SITE_ARMED &&
			   (status[i].mechanism == PRT_MECH_KPROBE ||
			    status[i].mechanism == PRT_MECH_KRETPROBE);
	if (!kprobes)
		return 0;
	if (is_off(KPROBE_SWITCH)) {
		say_error("E_ARM", "echo 1 > " KPROBE_SWITCH,
			  "kprobes are switched off: %u of %u sites would see nothing", kprobes, n);
		return -1;
	}
	if (is_off(FTRACE_SWITCH))
		say_warn("E_ARM", "sysctl kernel.ftrace_enabled=1",
			 "kernel.ftrace_enabled is 0: probes where a function begins see nothing");
	return 0;
}

/* Why the kernel refused a site, and what can be done. */
static void say_not_armed(const struct meta_site *s, int err, const char **example)
{
	const char *hint = NULL;

	if (err == -EINVAL || err == -EOPNOTSUPP)
		hint = "the kernel forbids a probe there (see /sys/kernel/debug/kprobes/blacklist)";
	else if (err == -ESTALE)
		hint = "its module is not the build that the script was compiled for";
	else if (err == -ENOENT)
		hint = "its module has no such function";
	else if (err == -ENOMEM)
		hint = "free some memory, or probe fewer functions";
	else if (err == -EBUSY && is_off(FTRACE_SWITCH))
		hint = "kernel.ftrace_enabled is 0: sysctl kernel.ftrace_enabled=1";
	else if (err == -EBUSY || err == -EEXIST)
		hint = "another tracer holds it";
	if (s->wildcard)
		*example = *example ? *example : s->symbol;
	else
		say_error("E_ARM", hint, "%s: '%s' could not be armed: %s", s->pp, s->symbol,
			  strerror(-err));
}

int report_arming(struct device *d, const struct meta *m, const struct prt_status *st)
{
	struct prt_site_status *status;
	unsigned named = 0, wild = 0;
	const char *example = NULL;
	int example_err = 0, off;

	say_step("armed %u of %u sites", st->armed, m->nsites);
	if (!m->nsites)
		return 0;
	status = alloc_array(m->nsites, sizeof(*status));
	if (device_site_status(d, status, m->nsites)) {
		free(status);
		return -1;
	}
	for (uint32_t i = 0; i < m->nsites; i++) {
		if (status[i].state != PRT_SITE_FAILED)
			continue;
		wild += (unsigned)m->sites[i].wildcard;
		named += !m->sites[i].wildcard;
		if (m->sites[i].wildcard && !example)
			example_err = (int)status[i].error;
		if (m->sites[i].wildcard || named <= SHOWN)
			say_not_armed(&m->sites[i], (int)status[i].error, &example);
	}
	off = report_switches(status, m->nsites);
	free(status);
	if (wild)
		say_warn("E_ARM", NULL,
			 "%u functions of wildcards could not be armed and are left out ('%s': %s)",
			 wild, example, strerror(-example_err));
	if (!named && !st->armed && !st->absent && (wild || st->state == PRT_STATE_RUNNING))
		say_error("E_ARM", NULL, "none of the %u functions could be armed", m->nsites);
	return named || !(st->armed + st->absent) || off ? -1 : 0;
}

/* What the kernel turned away before our handlers. */
struct missed {
	uint64_t recursed;     /* it was handling another kprobe */
	uint64_t no_instance;  /* return probes */
};

/* Summed by probe. */
static void missed_by_probe(struct device *d, const struct meta *m, struct missed *missed)
{
	struct prt_site_status *status = alloc_array(m->nsites, sizeof(*status));

	if (device_site_status(d, status, m->nsites) == 0)
		for (uint32_t i = 0; i < m->nsites; i++) {
			struct missed *to = &missed[m->sites[i].probe];

			to->recursed += status[i].recursed;
			to->no_instance += status[i].missed - status[i].recursed;
		}
	free(status);
}

static void say_probe(const struct meta_probe *p, const struct prt_probe_counts *c,
		      const struct missed *missed)
{
	char text[512];
	size_t n = 0;

	text[0] = '\0';
	if (c->busy)
		n += (size_t)snprintf(text + n, sizeof(text) - n,
				      ", %llu came while another handler ran",
				      (unsigned long long)c->busy);
	if (c->locked_out)
		n += (size_t)snprintf(text + n, sizeof(text) - n,
				      ", %llu could not have a lock in time",
				      (unsigned long long)c->locked_out);
	if (missed->recursed)
		n += (size_t)snprintf(text + n, sizeof(text) - n,
				      ", at least %llu came while the kernel handled another probe",
				      (unsigned long long)missed->recursed);
	if (missed->no_instance)
		n += (size_t)snprintf(text + n, sizeof(text) - n,
				      ", at least %llu returns had no free instance",
				      (unsigned long long)missed->no_instance);
	if (n)
		say_warn("E_SKIPPED",
			 missed->no_instance ? ".maxactive(N) sets the number of instances" : NULL,
			 "%s: skipped hits: %s", p->pp, text + 2);
	say_step("%s: %llu hits, %llu errors, %llu overruns", p->pp, (unsigned long long)c->hits,
		 (unsigned long long)c->errors, (unsigned long long)c->overruns);
}

void report_losses(struct device *d, const struct meta *m, const struct prt_status *st)
{
	struct prt_probe_counts *counts = alloc_array(m->nprobes, sizeof(*counts));
	struct missed *missed = alloc_array(m->nprobes, sizeof(*missed));
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < d->rings.n; i++)
		bytes += __atomic_load_n(&d->rings.ring[i].head->dropped_bytes, __ATOMIC_RELAXED);
	if (st->dropped)
		say_warn("E_SKIPPED", "raise -s or print less",
			 "lost the output of %llu hits (%llu KiB): the rings of %u KiB were full",
			 (unsigned long long)st->dropped, (unsigned long long)(bytes + 1023) >> 10,
			 d->ring_size >> 10);
	missed_by_probe(d, m, missed);
	if (device_counts(d, counts, m->nprobes) == 0)
		for (uint32_t i = 0; i < m->nprobes; i++)
			say_probe(&m->probes[i], &counts[i], &missed[i]);
	free(counts);
	free(missed);
}
