/* SPDX-License-Identifier: GPL-2.0 */
/* Evaluates the conditions between "%(" and "%?". */
#ifndef PARSE_CONDITION_H
#define PARSE_CONDITION_H

#include "parse/preprocess.h"

/** condition_read - read and judge a condition up to its "%?"
 *  @open: the "%(". A wrong condition is reported and false; then as much was read as made sense.
 *  */
bool condition_read(struct preprocess *pp, struct range open);

#endif
