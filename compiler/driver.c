/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs the five passes on a script; each prints its result if it is the last one (-p). A module in
 * the cache replaces the first four.
 */
#include "driver.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "analyse/analyse.h"
#include "ast/print.h"
#include "base/progress.h"
#include "build/build.h"
#include "check/facts.h"
#include "base/cache/cache.h"
#include "doc/doc.h"
#include "shared/clock.h"
#include "target/dwarf/dwarf.h"
#include "emit/emit.h"
#include "target/kernel/kernel.h"
#include "list/list.h"
#include "target/object/object.h"
#include "parse/foreign_script.h"
#include "parse/parse.h"
#include "parse/text.h"
#include "program/program.h"
#include "run.h"
#include "state.h"
#include "tmp.h"

struct work {
	struct buf c_text;
	const char *module; /* path of the module */
	const char *did;    /* the result of the last pass, for -v */
	struct progress *progress;
	int status;         /* exit status */
};

static const struct range nowhere;

/* ---- before pass 1 ---- */

/* A user may be typing it: progress is shown from then on. */
static int read_text(struct state *s, struct work *w)
{
	if (text_read(s))
		return -1;
	w->progress = progress_start(s->arena, "looking up the kernel");
	return 0;
}

/* The kernel is needed from pass 2 on, and for the cache. */
static int open_kernel(struct state *s)
{
	if (s->opt.last_pass < 2)
		return 0;
	/* Comments can be read without a kernel. */
	if (s->opt.list == LIST_DOC && !s->opt.vm && !s->opt.target) {
		diag_hold(s->diag);
		if (kernel_open(s, NULL, &s->kernel))
			s->kernel = NULL;
		diag_release(s->diag);
		return 0;
	}
	if (s->opt.vm && run_vm_target(s))
		return -1;
	return kernel_open(s, s->opt.target, &s->kernel) ? -1 : 0;
}

/* The key is a part of what the cache finds a module by. */
static int choose_key(struct state *s)
{
	return s->opt.last_pass >= 4 ? build_sign_choose(s) : 0;
}

/* ---- the passes ---- */

static int parse(struct state *s, struct work *w)
{
	if (foreign_script(s, s->text))
		return -1;
	s->main = parse_source(s, s->text);
	if (!s->main)
		return -1;
	text_check_arguments(s);
	if (parse_added(s) || (s->opt.last_pass == 1 && parse_alone(s)))
		return -1;
	w->did = arena_printf(s->arena, "parsed %s (%u lines)", s->text->name,
			      source_line_count(s->text));
	return 0;
}

static int analyse(struct state *s, struct work *w)
{
	/* Reported now: after errors in the script, before work that would be in vain. */
	if (s->opt.last_pass == 5 && run_possible(s))
		return -1;
	if (analyse_program(s))
		return -1;

	struct program *p = s->program;

	w->did = arena_printf(s->arena,
			      "analysed %zu probes at %zu sites, %zu globals, %zu functions",
			      p->probes.n, p->sites.n, p->globals.n, p->functions.n);
	return 0;
}

static int emit(struct state *s, struct work *w)
{
	if (emit_program(s, &w->c_text))
		return -1;
	w->did = arena_printf(s->arena, "emitted %zu bytes of C", w->c_text.len);
	return 0;
}

static int build(struct state *s, struct work *w)
{
	if (w->module) {
		w->did = arena_printf(s->arena, "took %s from the cache", w->module);
		return 0;
	}
	w->module = build_module(s, &w->c_text);
	w->did = arena_printf(s->arena, "built %s", w->module ? w->module : "");
	return w->module ? 0 : -1;
}

static int run(struct state *s, struct work *w)
{
	if (run_possible(s))
		return -1;
	tmp_drop_early(s, w->module);
	progress_stop(w->progress);
	w->status = run_module(s, w->module);
	w->did = arena_printf(s->arena, "ran it, status %d", w->status);
	return 0;
}

/* ---- their output ---- */

static void show_tree(struct state *s, struct buf *b, struct work *w)
{
	(void)w;
	print_script(b, s->main);
}

static void show_program(struct state *s, struct buf *b, struct work *w)
{
	(void)w;
	analyse_print(s, b);
}

static void show_text(struct state *s, struct buf *b, struct work *w)
{
	(void)s;
	buf_write(b, w->c_text.s, w->c_text.len);
}

static void show_module(struct state *s, struct buf *b, struct work *w)
{
	(void)s;
	buf_printf(b, "%s\n", w->module);
}

static const struct pass {
	/* returns 0, or -1 after errors were reported */
	int (*run)(struct state *s, struct work *w);
	void (*show)(struct state *s, struct buf *b, struct work *w);
	const char *doing;
} passes[] = {
	{ parse, show_tree, "reading the script" },
	{ analyse, show_program, "looking up probe points" },
	{ emit, show_text, "writing C" },
	{ build, show_module, "compiling the module" },
	{ run, NULL, "starting the session" },
};

/* The greatest use of memory so far, of this process or one that it ran. */
static double most_mib(void)
{
	struct rusage own, others;

	getrusage(RUSAGE_SELF, &own);
	getrusage(RUSAGE_CHILDREN, &others);
	return (double)(own.ru_maxrss > others.ru_maxrss ? own.ru_maxrss : others.ru_maxrss) / 1024;
}

static int run_passes(struct state *s, struct work *w, struct buf *out)
{
	for (int n = w->module ? 4 : 1; n <= s->opt.last_pass; n++) {
		const struct pass *pass = &passes[n - 1];
		double start = clock_ms();

		progress_step(w->progress, pass->doing);
		if (pass->run(s, w) || diag_errors(s->diag))
			return 1;
		if (s->opt.verbose)
			fprintf(stderr, "pass %d: %s in %.1f ms, %.0f MiB\n", n, w->did,
				clock_ms() - start, most_mib());
		if (n == 2 && s->opt.explain)
			explain_program(s, out);
		else if (n == 2 && s->opt.facts)
			facts_put(s, out);
		else if (n == s->opt.last_pass && pass->show && !s->opt.check)
			pass->show(s, out, w);
	}
	return w->status;
}

static int list(struct state *s, struct buf *out)
{
	if (s->opt.list != LIST_DOC)
		return list_run(s, out);
	s->main = parse_source(s, s->text ? s->text :
			       source_from_text(s->arena, "<none>", "", 0));
	return s->main ? doc_run(s, out) : 1;
}

int driver_run(struct state *s)
{
	struct work w = { 0 };
	struct buf out;
	int status = 1;

	buf_init(&w.c_text);
	buf_init(&out);
	if (s->opt.clean_cache) {
		cache_entry_shrink(s);
		status = 0;
	} else if (s->opt.make_key) {
		status = build_make_key(s) ? 1 : 0;
	} else if (s->opt.list) {
		if (!read_text(s, &w) && !open_kernel(s))
			status = list(s, &out);
	} else if (!read_text(s, &w) && !open_kernel(s) && !choose_key(s)) {
		if (s->opt.last_pass >= 4)
			w.module = build_lookup(s);
		status = run_passes(s, &w, &out);
	}
	progress_stop(w.progress);
	if ((out.len && fwrite(out.s, 1, out.len, stdout) != out.len) || fflush(stdout)) {
		diag_error(s->diag, nowhere, E_IO, "can't write the result: %s", strerror(errno));
		status = 1;
	}
	dwarf_close(s);
	object_close(s);
	kernel_close(s->kernel);
	buf_deinit(&out);
	buf_deinit(&w.c_text);
	return status;
}
