/* SPDX-License-Identifier: GPL-2.0 */
/* A first guess of types, before check infers them. */
#ifndef RESOLVE_GUESS_H
#define RESOLVE_GUESS_H

#include "resolve/private.h"

struct guesses {
	VEC(enum type *) set; /* all fields that were filled in */
};

/** guess_types - set the type and key_type of symbols and the ret of functions by what is assigned
 *  to them. Those that remain unknown are T_UNKNOWN. */
void guess_types(struct resolver *r, struct guesses *g);
/** guess_undo - reset all fields, because check begins without types. */
void guess_undo(struct guesses *g);

#endif
