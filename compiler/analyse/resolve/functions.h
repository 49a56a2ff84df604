/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls of functions. A function is resolved when something calls it; one that uses $variables is
 * copied for each probe that calls it (placed.c).
 */
#ifndef RESOLVE_FUNCTIONS_H
#define RESOLVE_FUNCTIONS_H

#include "analyse/resolve/resolver.h"

/* ---- functions.c ---- */

/** functions_call - find the functions of an EX_CALL and queue them; reports unknown names. */
void functions_call(struct resolver *r, struct expr *call);
/** functions_has_next - whether the body can end with `next`, so that another overload is tried. */
bool functions_has_next(struct function *f);
/** functions_named - all functions of that name, also of the library; NULL if there is none. */
const struct fn_set *functions_named(struct resolver *r, const char *name);
/** functions_drain - resolve the bodies of all queued functions. */
void functions_drain(struct resolver *r);

/* ---- placed.c ---- */

/** placed_is - whether @f uses $variables, itself or in functions that it calls. */
bool placed_is(struct resolver *r, struct function *f);
/** placed_by_name - the functions of that name if one of them uses $variables, otherwise NULL. */
const struct fn_set *placed_by_name(struct resolver *r, const char *name);
/** placed_at - the function that a call of @f means in r->at: @f, or its copy for that probe.
 *  Returns NULL after a report if it can't be called there. */
struct function *placed_at(struct resolver *r, struct function *f, const struct expr *call);
/** placed_probe - the probe that a copy is for; NULL if @copy is not one. */
struct probe *placed_probe(struct resolver *r, const struct function *copy);

#endif
