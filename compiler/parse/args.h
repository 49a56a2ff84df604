/* SPDX-License-Identifier: GPL-2.0 */
/* Script arguments in the text: $1 and $# as characters, @1 and @# as strings. */
#ifndef PARSE_ARGS_H
#define PARSE_ARGS_H

#include "parse/token.h"

struct state;

/** args_next - the next raw token of @sc, with arguments inserted. A missing one has ->bad set, so
 *  that only its use is an error. */
void args_next(struct state *s, struct scanner *sc, struct token *ret);

#endif
