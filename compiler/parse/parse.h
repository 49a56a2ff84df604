/* SPDX-License-Identifier: GPL-2.0 */
/* Pass 1: text to a syntax tree. */
#ifndef PARSE_PARSE_H
#define PARSE_PARSE_H

struct diag;
struct expr;
struct state;
struct source;
struct script; /* ast/ast.h */

/** parse_source - pass 1 for one text: scan, preprocess, parse. Returns NULL after errors were
 *  reported; the parts that could be parsed are dropped. The source is appended to s->sources. */
struct script *parse_source(struct state *s, struct source *src);

/** parse_alone - report errors that the text of s->main alone shows, if no other pass follows.
 *  Returns 0, or -1 after errors. */
int parse_alone(struct state *s);

/** parse_added - with -W, report the errors of all files in the directories of -I. Returns 0, or -1
 *  after errors. */
int parse_added(struct state *s);

/** parse_counter - the name of the counter that @e, @perf("NAME"), reads; NULL after a report if it
 *  names none. */
const char *parse_counter(struct diag *d, const struct expr *e);

#endif
