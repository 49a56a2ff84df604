/* SPDX-License-Identifier: GPL-2.0 */
/* Pass 2a beside the list of analyse/analyse.c: lists what is available.
 * Functions return 0, or -1 after errors were reported. */
#ifndef RESOLVE_RESOLVE_H
#define RESOLVE_RESOLVE_H

#include "program/program.h"

struct state;

/** resolve_list - the probe points that @what matches, unsorted. Aliases become probes of
 *  s->program, whose locals are kept if @locals. Errors in functions that they call are not
 *  reported; such a program is partial, and can't be checked. Returns -1 if nothing matches or
 *  errors were reported. */
struct listed {
	/* as a script writes it; arguments may be missing: "timer.s(number)" */
	const char *point;
	enum probe_kind kind;
	const struct site *site;  /* NULL: an alias, or a point without a site */
	size_t first, n;          /* an alias: its probes in s->program */
};
struct listed_points {
	VEC(struct listed) v;
	size_t copies;            /* number of inlined copies at which these are */
};
int resolve_list(struct state *s, const struct probe_decl *what, bool locals,
		 struct listed_points *ret);
/** resolve_library - put every function of the library into s->program; as resolve_list(). */
int resolve_library(struct state *s);
/** resolve_aliases - every alias of the library and of the user's files, without private ones. */
struct alias_list { VEC(struct probe_decl *) v; };
int resolve_aliases(struct state *s, struct alias_list *ret);

/** resolve_unassigned - report a local that is never assigned: a warning if its use shows the type
 *  (@typed) and it may be meant to be 0 or "", otherwise an error. */
void resolve_unassigned(struct state *s, const struct symbol *local, bool typed);

#endif
