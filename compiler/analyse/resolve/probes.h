/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From declarations to probes: each point is expanded by its aliases (alias.c) and located. mark.c
 * copies code of an alias so that messages name the place of its use.
 */
#ifndef RESOLVE_PROBES_H
#define RESOLVE_PROBES_H

#include "analyse/resolve/resolver.h"

/* ---- probes.c ---- */

/** A probe declaration while its aliases are expanded. */
struct derive {
	struct probe_point *written;    /* the point as the user wrote it */
	struct stmt *own;               /* the user's block, which is a part of @body */
	VEC(struct stmt *) body;        /* in order: prologues, the user's block, epilogues */
	VEC(struct expr *) conds;
	bool optional, helper;          /* as in struct probe */
	const struct expansion *via;    /* the alias that is being expanded, or NULL */
	const struct derive *outer;     /* the expansion in which the alias was used */
	const char *called;             /* the name of the alias with the components after it */
	const struct probe_decl *alias;
	int depth;
};
/** probes_declare - make the probes of a declaration. */
void probes_declare(struct resolver *r, struct probe_decl *d);
/** probes_point - make the probes of one point. Returns their number, or -1 after an error. */
int probes_point(struct resolver *r, const struct derive *d, struct probe_point *pp);
/** probes_located - make the probes of a point that was located. */
void probes_located(struct resolver *r, const struct derive *d, const struct located *loc);
/** probes_text - a probe point as text, without what may follow its last component. */
const char *probes_text(struct resolver *r, const struct probe_point *pp);
/** probes_report - report what is wrong with a point that nothing matches. */
int probes_report(struct resolver *r, struct probe_point *pp, int rc);
/** probes_report_missed - report that all points for which the alias @pp stands are optional and
 *  were left out, with the reason of the first one. */
void probes_report_missed(struct resolver *r, const struct probe_point *pp);
/** probes_lacks_interface - whether @pp names calls of an interface that the kernel lacks. */
bool probes_lacks_interface(struct resolver *r, const struct probe_point *pp);
/** probes_is_function - whether @pp is one word that is the name or a pattern of functions of the
 *  kernel. */
bool probes_is_function(struct resolver *r, const struct probe_point *pp);
/** probes_is_tracepoint - whether @pp is one word that is the name or a pattern of tracepoints of
 *  the kernel. */
bool probes_is_tracepoint(struct resolver *r, const struct probe_point *pp);

/* ---- alias.c ---- */

/** alias_expand - if @pp names aliases, expand them all and set *found. Returns as
 *  probes_point(). */
int alias_expand(struct resolver *r, const struct derive *d, struct probe_point *pp, bool *found);
/** alias_first - a pattern for the first components of all names that a point beginning with @part
 *  can mean. */
const char *alias_first(struct resolver *r, const struct pp_component *part);
/** alias_need - load the aliases of the library that @pp can mean. */
void alias_need(struct resolver *r, const struct probe_point *pp);
/** alias_same_arg - whether two components have the same argument, or none. */
bool alias_same_arg(const struct pp_component *a, const struct pp_component *b);
/** alias_suggest - the alias with the name nearest to @pp, or NULL. */
const char *alias_suggest(struct resolver *r, const struct probe_point *pp);

/* ---- mark.c ---- */

/** mark_copy / mark_point - a copy of @block or @pp in which all ranges name @via as their
 *  origin. */
struct stmt *mark_copy(struct arena *a, struct stmt *block, const struct expansion *via);
struct probe_point *mark_point(struct arena *a, const struct probe_point *pp,
			       const struct expansion *via);

#endif
