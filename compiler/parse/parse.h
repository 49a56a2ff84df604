/* SPDX-License-Identifier: GPL-2.0 */
/* Pass 1: text to a syntax tree. */
#ifndef PARSE_PARSE_H
#define PARSE_PARSE_H

struct state;
struct source;
struct script; /* ast/ast.h */

/** parse_source - pass 1 for one text: scan, preprocess, parse. NULL when errors were reported;
 *  what could be parsed is dropped then. The source is appended to s->sources. */
struct script *parse_source(struct state *s, struct source *src);

/** parse_alone - report the errors that show in the text of s->main alone, if no other pass
 *  follows. */
int parse_alone(struct state *s);

#endif
