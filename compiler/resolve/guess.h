/* SPDX-License-Identifier: GPL-2.0 */
/* A first idea of types, before check infers them for good. */
#ifndef RESOLVE_GUESS_H
#define RESOLVE_GUESS_H

#include "resolve/private.h"

struct guesses {
	VEC(enum type *) set; /* every field that was filled in */
};

/** guess_types - fill type and key_type of symbols and ret of functions from what is assigned to
 *  them; what stays unknown is T_UNKNOWN. */
void guess_types(struct resolver *r, struct guesses *g);
/** guess_undo - back to what it was: check starts from nothing. */
void guess_undo(struct guesses *g);

#endif
