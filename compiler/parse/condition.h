/* SPDX-License-Identifier: GPL-2.0 */
/* Evaluates the conditions between "%(" and "%?". */
#ifndef PARSE_CONDITION_H
#define PARSE_CONDITION_H

#include "parse/preprocess.h"

/**
 * condition_read - read and evaluate a condition up to its "%?"
 * @open: the "%("
 *
 * returns the result; false after a report if it is invalid, when it may not have been read
 *         completely
 */
bool condition_read(struct preprocess *pp, struct range open);

#endif
