/* SPDX-License-Identifier: GPL-2.0 */
/* Making and ending a feed; the grammar's interface to it is in parse/parser.h. */
#ifndef PARSE_FEED_H
#define PARSE_FEED_H

#include "parse/parser.h"

/** feed_init / feed_deinit - make and free p->feed, which reads p->src. */
void feed_init(struct parser *p);
void feed_deinit(struct parser *p);

#endif
