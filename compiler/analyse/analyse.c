/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The list of the phases of pass 2, in their order, with what each needs and gives. A phase that
 * needs what only a later one gives is in the wrong place: this is checked when it runs.
 *
 * Handlers are one phase, because they and the library find each other: a handler's names load
 * files of the library, whose probes have handlers. resolve/handler.c lists the rewrites of one.
 */
#include "analyse/analyse.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "ast/print.h"
#include "analyse/check/check.h"
#include "analyse/check/facts.h"
#include "analyse/resolve/globals.h"
#include "analyse/resolve/names.h"
#include "analyse/resolve/values.h"
#include "shared/buf.h"
#include "shared/clock.h"

struct analysis {
	struct state *s;
	struct resolver r;
	struct check c;
	size_t done;       /* number of phases that have run */
	unsigned before;   /* number of errors before the first */
	unsigned facts;    /* what these have given */
	bool timed;        /* -v: say how long each takes */
};

/* Facts about the program. */
enum {
	FILES = 1,         /* the user's files and an index of the library: resolver.scripts */
	GLOBALS = 2,       /* the declared globals: resolver.globals */
	HANDLERS = 4,      /* probes with their sites, all names and values resolved */
	POINTERS = 8,      /* members of the script's values resolved; nothing is EX_AT, EX_DEREF */
	USES = 16,         /* what can run; who reads and writes the globals */
	PROGRAM = 32,      /* program.globals and program.functions are complete */
	FORMATS = 64,      /* formats in the language of runtime/abi/format.h */
	TYPES = 128,       /* every expression has its type */
	PRINTED = 1024,    /* probes that print globals at the end and as metrics */
	BODIES = 256,      /* check.bodies: the uses, calls and steps of each body */
	STORAGE = 512,     /* where each global is kept, and the locks of each probe */
};

static bool has_errors(const struct analysis *a)
{
	return diag_errors(a->s->diag) != a->before;
}

/* ---- the phases ---- */

static void library(struct analysis *a)
{
	resolve_begin(&a->r, a->s);
	a->c.p = a->s->program;
}

static void globals(struct analysis *a)
{
	resolve_globals(&a->r);
}

static void handlers(struct analysis *a)
{
	resolve_handlers(&a->r);
}

static void pointers(struct analysis *a)
{
	autocast_resolve(&a->r);
}

static void reach(struct analysis *a)
{
	resolve_complete(&a->r);
	unused_reach(&a->r);
	resolve_check_options(&a->r);
	if (has_errors(a))
		unassigned_report(&a->r);
	else
		autoprint_choose(&a->r);
}

static void unused(struct analysis *a)
{
	unused_finish(&a->r);
}

static void formats(struct analysis *a)
{
	facts_begin(a->c.p);
	formats_check(a->s, a->c.p);
}

static void regexes(struct analysis *a)
{
	regexes_compile(a->s, a->c.p);
}

static void types(struct analysis *a)
{
	types_infer(a->s, a->c.p);
}

static void printing(struct analysis *a)
{
	if (!has_errors(a)) {
		autoprint_add(&a->r);
		tables_order(a->s, a->c.p);
	}
}

static void entries(struct analysis *a)
{
	entries_check(&a->c);
	returns_check(&a->c);
	watchpoints_check(&a->c);
}

static void aggregates(struct analysis *a)
{
	aggregates_collect(a->s, a->c.p);
}

static void bodies(struct analysis *a)
{
	facts_collect(&a->c);
}

static void rules(struct analysis *a)
{
	rules_run(&a->c);
}

static void storage(struct analysis *a)
{
	storage_choose(&a->c);
}

static void gates(struct analysis *a)
{
	gates_choose(&a->c);
}

static void prints(struct analysis *a)
{
	formats_number(a->s, a->c.p);
}

/* ---- the list ---- */

static const struct phase {
	const char *name;
	void (*run)(struct analysis *a);
	unsigned needs, gives;
	bool stops;        /* the last one if there have been errors */
} phases[] = {
	{ "library", library, 0, FILES, false },
	{ "globals", globals, FILES, GLOBALS, false },
	{ "handlers", handlers, GLOBALS, HANDLERS, false },
	{ "pointers", pointers, HANDLERS, POINTERS, false },
	{ "reach", reach, POINTERS, USES, false },
	{ "unused", unused, USES, PROGRAM, true },
	{ "formats", formats, PROGRAM, FORMATS, false },
	{ "regexes", regexes, PROGRAM, 0, false },
	{ "types", types, FORMATS, TYPES, false },
	{ "printing", printing, TYPES, PRINTED, false },
	{ "entries", entries, TYPES, 0, false },
	{ "aggregates", aggregates, PRINTED, 0, false },
	{ "bodies", bodies, PRINTED, BODIES, false },
	{ "rules", rules, BODIES, 0, true },
	{ "storage", storage, BODIES, STORAGE, false },
	{ "gates", gates, STORAGE, 0, false },
	{ "prints", prints, TYPES, 0, true },
};

#define PHASES (sizeof(phases) / sizeof(*phases))
/* The first phase that does not need the resolver. */
#define FIRST_OF_LISTED "formats"
#define LAST_OF_LISTED "types"

const char *analyse_phase(size_t i)
{
	return i < PHASES ? phases[i].name : NULL;
}

static int run_one(struct analysis *a)
{
	const struct phase *p = &phases[a->done++];
	double start = clock_ms();

	assert((p->needs & ~a->facts) == 0);
	p->run(a);
	a->facts |= p->gives;
	if (a->timed)
		fprintf(stderr, "  %s: %.1f ms\n", p->name, clock_ms() - start);
	return p->stops && has_errors(a) ? -1 : 0;
}

struct analysis *analyse_begin(struct state *s)
{
	struct analysis *a = NEW(s->arena, struct analysis);

	a->s = a->c.s = s;
	a->before = diag_errors(s->diag);
	return a;
}

int analyse_until(struct analysis *a, const char *last)
{
	while (a->done < PHASES) {
		if (run_one(a))
			return -1;
		if (last && strcmp(phases[a->done - 1].name, last) == 0)
			break;
	}
	return has_errors(a) ? -1 : 0;
}

void analyse_listed(struct state *s)
{
	struct analysis *a = analyse_begin(s);

	a->c.p = s->program;
	while (strcmp(phases[a->done].name, FIRST_OF_LISTED) != 0)
		a->facts |= phases[a->done++].gives;
	diag_hold(s->diag);
	analyse_until(a, LAST_OF_LISTED);
	diag_release(s->diag);
}

/* ---- -p2=NAME ---- */

static bool is_known(struct state *s, const char *name)
{
	struct buf all;

	buf_init(&all);
	for (size_t i = 0; i < PHASES; i++) {
		if (strcmp(phases[i].name, name) == 0) {
			buf_deinit(&all);
			return true;
		}
		buf_printf(&all, "%s%s", i ? " " : "", phases[i].name);
	}
	diag_error(s->diag, (struct range){ 0 }, E_OPTION, "-p2=%s: pass 2 has no such phase",
		   name);
	diag_hint(s->diag, "the phases are %s", all.s);
	buf_deinit(&all);
	return false;
}

int analyse_program(struct state *s)
{
	const char *last = s->opt.last_phase;
	struct analysis *a;

	if (last && !is_known(s, last))
		return -1;
	a = analyse_begin(s);
	a->timed = s->opt.verbose;
	return analyse_until(a, last);
}

static void put_code(struct buf *b, const char *name, const struct stmt *code)
{
	if (!code)
		return;
	buf_printf(b, "%s ", name);
	print_stmt(b, code, 0);
}

void analyse_print(struct state *s, struct buf *b)
{
	check_print_program(s, b);
	if (!s->opt.last_phase)
		return;
	buf_puts(b, "# code\n");
	vec_each(it, &s->program->functions)
		put_code(b, (*it)->name, (*it)->body);
	vec_each(it, &s->program->probes) {
		put_code(b, "entry of", (*it)->entry);
		put_code(b, (*it)->pp, (*it)->body);
	}
}
