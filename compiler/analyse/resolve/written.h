/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes that the compiler adds to the script. Their nodes are made with their types, after types
 * are known. Each node gets a text as well, as if it were a script's, because messages, the emitted
 * C and the module's description of itself show the text at a node's place.
 */
#ifndef RESOLVE_WRITTEN_H
#define RESOLVE_WRITTEN_H

#include "analyse/resolve/resolver.h"
#include "shared/buf.h"

struct written {
	struct resolver *r;
	struct source *src;   /* the places of all nodes are in it; it has no text until the end */
	struct buf text;
	struct probe *p;      /* the last probe */
};

/** written_begin - begin the text, of the name PROGRAM_AUTO_PRINT. */
void written_begin(struct written *w, struct resolver *r);
/** written_end - no more nodes are made. */
void written_end(struct written *w);

/** written_probe - begin a probe of program.probes at @pp, of that kind. Its block is
 *  u.block of the body, to which the caller adds statements. */
struct probe *written_probe(struct written *w, enum probe_kind kind, const char *pp);
/** written_probe_end - end it. */
void written_probe_end(struct written *w);

/** written_loop - a loop over the keys of array @g, in the order @sort: 0 as they are stored, -1
 *  the greatest first, 1 the least; aggregates by @agg. Its body is the next statement. */
struct stmt *written_loop(struct written *w, struct symbol *g, int sort, enum agg_op agg,
			  int64_t limit);
/** written_edge - the beginning of a table that has at most @limit rows (negative: all), or its
 *  end. */
struct stmt *written_edge(struct written *w, enum print_edge edge, int64_t limit);
/** written_if - a statement for aggregates that are not empty, without its branches. */
struct stmt *written_if(struct written *w, struct symbol *g);
/** written_end_at - @s ends here. */
void written_end_at(struct written *w, struct stmt *s);

/** written_keys - the keys of an element of @g in the loop over it, as expressions, the first of
 *  which follows ", ", the others ",". */
void written_keys(struct written *w, struct stmt *print, const struct symbol *g);
/** written_print / written_print_end - a printf() with that format, which is followed by a
 *  histogram if @histogram. Between the two, arguments are added. */
struct stmt *written_print(struct written *w, const char *format, bool histogram);
void written_print_end(struct written *w, struct stmt *print);
/** written_number, _value, _agg - add an argument: a number, the value of @g or of its element in
 *  the loop, or one taken out of that aggregate. */
void written_number(struct written *w, struct stmt *print, int64_t v);
void written_value(struct written *w, struct stmt *print, struct symbol *g);
struct expr *written_agg(struct written *w, struct stmt *print, enum agg_op op, struct symbol *g);
/** written_shape - add low, high and width of @hist to @e, the last argument. */
void written_shape(struct written *w, struct expr *e, const struct expr *hist);

#endif
