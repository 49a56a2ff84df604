/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of variables: each is bound to its declaration. implicit.c declares arrays that have no
 * declaration; unassigned.c reports locals that are never assigned, or never read.
 */
#ifndef RESOLVE_NAMES_H
#define RESOLVE_NAMES_H

#include "analyse/resolve/resolver.h"

struct suggestions;

/* ---- names.c ---- */

/** names_probe - resolve locals, globals and calls in a probe's body and condition. @plain: the
 *  body before @defined was folded, whose assignments count. */
void names_probe(struct resolver *r, struct probe *p, struct stmt *plain);
/** names_function - the same for a function with a body. */
void names_function(struct resolver *r, struct function *f);
/** names_embedded - resolve the globals that embedded C names. */
void names_embedded(struct resolver *r, struct function *f);
/** names_implicit - declare the user's arrays and aggregates that have no declaration. */
void names_implicit(struct resolver *r);
/** names_user_global - the user's global of that name, or NULL. */
struct symbol *names_user_global(struct resolver *r, const char *name);
/** names_library_global - the global of that name that a tapset declares for all files, or NULL. */
struct symbol *names_library_global(struct resolver *r, const char *name);

/* ---- unassigned.c ---- */

/** unassigned_guesses - whether unassigned_meant() makes a guess for one more local: it does for
 *  some of them, as each takes a look at all names. */
bool unassigned_guesses(struct resolver *r);
/** unassigned_meant - a guess at the meaning of @local, which is never assigned, or NULL. @p: the
 *  probe around it, or NULL; @near: the visible names. */
const struct meant *unassigned_meant(struct resolver *r, const struct symbol *local,
				     const struct probe *p, struct suggestions *near);
/** unassigned_unread - warn about locals that are assigned but never read. If a handler reads the
 *  name without assigning it, the report there is enough. */
void unassigned_unread(struct resolver *r);
/** unassigned_report - report all of them; called if other errors prevent type inference. */
void unassigned_report(struct resolver *r);

#endif
