/* SPDX-License-Identifier: GPL-2.0 */
/* Pass 2a: names, aliases and probe points of a script, and what there is to list.
   Functions return 0, or -1 where errors were reported. */
#ifndef RESOLVE_RESOLVE_H
#define RESOLVE_RESOLVE_H

#include "program/program.h"

struct state;

/** resolve_program - pass 2a: tapsets, names, aliases, overloads, probe points to sites, $-values;
 *  makes s->program from s->main. */
int resolve_program(struct state *s);

/** resolve_list - the probe points that @what asks for, in no order; aliases become probes of
 *  s->program, whose locals stay when @locals is set. 1: some of that program has errors, which are
 *  not reported, so it can't be checked; -1: there is nothing, or errors were reported. */
struct listed {
	const char *point;        /* as a script writes it; "timer.s(number)": to be filled in */
	enum probe_kind kind;
	const struct site *site;  /* NULL: an alias, or a point without a place */
	size_t first, n;          /* an alias: its probes in s->program */
};
struct listed_points { VEC(struct listed) v; };
int resolve_list(struct state *s, const struct probe_decl *what, bool locals,
		 struct listed_points *ret);
/** resolve_library - every function of the library into s->program; as resolve_list(). */
int resolve_library(struct state *s);
/** resolve_aliases - every alias of the library and of the user's files, but private ones. */
struct alias_list { VEC(struct probe_decl *) v; };
int resolve_aliases(struct state *s, struct alias_list *ret);

/** resolve_unassigned - report a local that nothing assigns: a warning where its use tells the type
 *  (@typed) and it may be meant to be 0 or "", else an error. */
void resolve_unassigned(struct state *s, const struct symbol *local, bool typed);

#endif
