/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sites of a located point: which of them one handler can serve (sharing.c), which are left out
 * (result.c) or moved (inlined_calls.c), and notes about them (copies.c, indirect.c).
 */
#ifndef RESOLVE_SITES_H
#define RESOLVE_SITES_H

#include "analyse/resolve/resolver.h"

struct derive;

/* ---- sharing.c ---- */

/** sharing_sets - divide the sites of @loc into sets that one handler with the body of @d can
 *  serve. */
struct site_set { VEC(struct site *) v; struct result_part result; };
struct site_sets { VEC(struct site_set *) v; };
void sharing_sets(struct resolver *r, const struct derive *d, const struct located *loc,
		  struct site_sets *ret);

/* ---- result.c ---- */

/** result_is_read - whether the body of @d, or a function that it calls, may call returnval(). */
bool result_is_read(struct resolver *r, const struct derive *d);
/** result_drop_without - if the body of @d reads $return, remove functions without a result from
 *  the @sets of a pattern, with a warning; not if none would remain. */
void result_drop_without(struct resolver *r, const struct derive *d, const struct located *loc,
		      struct site_sets *sets);

/* ---- copies.c ---- */

/** copies_located - remember the sites in @list that only debug information adds. */
void copies_located(struct resolver *r, const struct derive *d, const struct located_list *list);
/** copies_lacking - warn if parts of debug information are missing, which may have more sites. */
void copies_lacking(struct resolver *r, struct range at, const struct located_list *list);
/** copies_of_other_names - give notes about thunks that are not probed and about functions that
 *  were merged, if @list has any; @at: the point. */
void copies_of_other_names(struct resolver *r, struct range at, const struct located_list *list);
/** copies_report - give the notes and warnings about them, after all probes are known. */
void copies_report(struct resolver *r);

/* ---- indirect.c ---- */

/** indirect_located - give notes about the indirect functions in @list; @at: the point. */
void indirect_located(struct resolver *r, struct range at, const struct located_list *list);

/* ---- inlined_calls.c ---- */

/** inlined_calls_use - if functions of system calls of that interface may be inlined into the one
 *  that calls them by number, move the sites of @list, a located point with sites, there.
 *  CALL_NONE: it is not at such a function. */
void inlined_calls_use(struct resolver *r, enum call_interface interface,
		       struct located_list *list);
/** inlined_calls_why_not - why that can't be done; NULL: it can. */
const char *inlined_calls_why_not(struct resolver *r, enum call_interface interface);
/** inlined_calls_first - the function of the kernel that calls those of that interface by number;
 *  NULL: it has none. */
const char *inlined_calls_first(struct resolver *r, enum call_interface interface);

#endif
