/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Globals once all code is known: what can run and which globals it uses (unused.c), and the probes
 * that are added to print them, at the end (autoprint.c) or as metrics (metrics.c).
 */
#ifndef RESOLVE_GLOBALS_H
#define RESOLVE_GLOBALS_H

#include "analyse/resolve/resolver.h"

struct written;

/* ---- unused.c ---- */

/** unused_reach - put the functions that probes can reach into program.functions, sorted, with
 *  their properties, and record how globals are used. */
void unused_reach(struct resolver *r);
/** unused_finish - put used globals into program.globals, and warn about unused ones. */
void unused_finish(struct resolver *r);

/* ---- autoprint.c ---- */

/** autoprint_choose - set symbol.shown of the globals that are shown at the end. */
void autoprint_choose(struct resolver *r);
/** autoprint_add - add the end probe that shows them, and the timers that print globals as metrics.
 *  Types are known, formats have been checked. */
void autoprint_add(struct resolver *r);

/* ---- metrics.c, metrics_comment.c ---- */

/** metrics_add - add the timers that print globals as metrics, and fill in program.metrics. */
void metrics_add(struct written *w);
/* The content of the comment after the declaration of a global; everything may be NULL. */
struct metric_comment {
	bool is_declared;     /* it begins with "#%" */
	bool is_none;         /* "#% none" */
	const char *type, *name, *unit, *help;
	VEC(const char *) labels;
	struct range at;
};
/** metrics_is_reserved - whether Prometheus gives that label a meaning of its own. */
bool metrics_is_reserved(const char *label);
/** metrics_comment - read the comment on the line that declares @g. -1 after reporting an error. */
int metrics_comment(struct resolver *r, const struct symbol *g, struct metric_comment *ret);

#endif
