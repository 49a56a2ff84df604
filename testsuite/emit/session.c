/* SPDX-License-Identifier: GPL-2.0 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/format.h"
#include "clock.h"
#include "context.h"
#include "module/meta.h"
#include "ring.h"
#include "session.h"

#include "loader/device/ring.h"
#include "testsuite/emit/session.h"
#include "testsuite/twin/machine.h"

extern const char prt_meta[];

enum { RINGS = TWIN_CPUS + 1, RING_SIZE = 1 << 20 };

static struct meta meta;
static struct ring ring[RINGS];
static struct rings rings = { .ring = ring, .n = RINGS };
static struct prt_iter *free_iters[RINGS]; /* of each context, before the first hit */

void bug(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fflush(stdout);
	fprintf(stderr, "BUG: ");
	vfprintf(stderr, fmt, ap);
	fprintf(stderr, "\n");
	exit(2);
}

/* ---- what scripts ask of the machine ---- */

s64 prt_pid(struct prt_ctx *c) { return 42; }
s64 prt_tid(struct prt_ctx *c) { return 43; }
s64 prt_target(struct prt_ctx *c) { return 7; }

struct prt_str prt_pp(struct prt_ctx *c)
{
	return (struct prt_str){ c->probe->pp, (u32)strlen(c->probe->pp) };
}

struct prt_str prt_execname(struct prt_ctx *c, char *buf)
{
	return prt_str_copy(buf, PRT_LIT("host"));
}

void *prt_map_get_execname(struct prt_ctx *c, struct prt_map_ref *r, u32 srcloc)
{
	return prt_map_get_s(c, r, PRT_LIT("host"), srcloc);
}

/* ---- output ---- */

static void show_print(const struct prt_rec *rec)
{
	const struct meta_print *p = &meta.prints[rec->id];
	size_t len = rec->len - sizeof(*rec);
	char *text;
	long n;

	if (rec->id >= meta.nprints || !p->format)
		bug("print %u has no format", rec->id);
	n = prt_format(NULL, 0, p->format, p->format_len, p->types, rec + 1, len);
	if (n < 0)
		bug("record of print %u does not fit '%s'", rec->id, p->types);
	text = malloc((size_t)n + 1);
	prt_format(text, (size_t)n, p->format, p->format_len, p->types, rec + 1, len);
	fwrite(text, 1, (size_t)n, stdout);
	free(text);
}

/* The error has its code, its source location and its detail. */
static void show_error(const struct prt_rec *rec)
{
	const s64 *longs = (const s64 *)(rec + 1);
	const struct position *at = &meta.srclocs[longs[1]];
	struct prt_ctx c = { .err = (u32)longs[0], .err_len = *(const u32 *)(longs + 2),
			     .err_text = (char *)(longs + 2) + 4 };
	char *text = malloc(prt_script.maxstringlen);
	struct prt_str s = prt_error_text(&c, text);

	printf("ERROR %u:%u-%u: %.*s\n", at->line, at->col, at->end_col - 1, (int)s.len, s.s);
	free(text);
}

static void show_record(const struct prt_rec *rec)
{
	const u32 *text = (const u32 *)(rec + 1);

	if (rec->id < PRT_REC_PRINT_MAX)
		show_print(rec);
	else if (rec->id == PRT_REC_ERROR)
		show_error(rec);
	else if (rec->id == PRT_REC_WARN)
		printf("WARNING: %.*s\n", (int)*text, (const char *)(text + 1));
}

void session_show(void)
{
	u64 now = prt_clock_now();
	const struct prt_group *g;
	unsigned damaged = 0;

	ring_look(&rings);
	while ((g = ring_next(&rings, now, &damaged)))
		for (const char *p = (const char *)(g + 1); p < (const char *)g + g->len;
		     p += ((const struct prt_rec *)p)->len)
			show_record((const struct prt_rec *)p);
	ring_release(&rings);
	if (damaged)
		bug("%u rings are damaged", damaged);
}

/* ---- the session ---- */

static struct prt_cpu *context(int nr)
{
	return nr == TWIN_CPUS ? &prt_thread_cpu : prt_cpu_nr(nr);
}

void session_open(void)
{
	char why[256];
	int i;

	if (meta_parse(prt_meta, strlen(prt_meta), &meta, why, sizeof(why)))
		bug("the description: %s", why);
	if (machine_open(RING_SIZE))
		bug("no session");
	for (i = 0; i < RINGS; i++) {
		const struct prt_ring *r = context(i)->ctx.ring;

		ring[i] = (struct ring){ .head = r->hdr, .data = r->data, .size = r->size };
		free_iters[i] = context(i)->iters;
	}
}

void session_close(void)
{
	int i;

	for (i = 0; i < RINGS; i++) {
		const struct prt_ctx *c = &context(i)->ctx;
		u64 left = (u64)(c->workspace_end - c->workspace);

		if (c->locked || c->nesting || left != ALIGN(prt_script.workspace_size, 8) ||
		    context(i)->iters != free_iters[i])
			bug("a handler left locks %u, nesting %u, workspace %llu or an iterator",
			    c->locked, c->nesting, left);
	}
	machine_close();
}
