/* SPDX-License-Identifier: GPL-2.0 */
/* Aggregates. agg.c. */
#ifndef EMIT_AGG_H
#define EMIT_AGG_H

#include "emit/unit.h"
#include "emit/value.h"

/** emit_agg_shape - "ops, buckets, low, high, width" as C text. */
const char *emit_agg_shape(struct emit *e, const struct symbol *sym);
/** emit_agg_buckets - the number of buckets of the histogram @agg. */
unsigned emit_agg_buckets(const struct expr *agg);
/** emit_agg_room - the words of a scalar after its struct prt_stat, as C text. */
const char *emit_agg_room(struct emit *e, const struct symbol *sym);
/** emit_agg_clear - delete s: a scalar. */
void emit_agg_clear(struct emit *e, const struct symbol *sym);
/** emit_agg_helpers - write an inline function for each aggregate, which adds a value. */
void emit_agg_helpers(struct emit *e);
/** emit_agg_add - s <<< v; emit_agg_value - @count(s) and the like; emit_agg_bucket -
 *  @hist_log(s)[i]. */
void emit_agg_add(struct emit *e, struct expr *x);
struct emit_val emit_agg_value(struct emit *e, struct expr *x);
struct emit_val emit_agg_bucket(struct emit *e, struct expr *x);
/** emit_agg_stat - a C expression for the struct prt_stat * of an aggregate, which may be NULL. */
const char *emit_agg_stat(struct emit *e, struct expr *a);
/** emit_agg_type - a C expression for its struct prt_stat_type *. */
const char *emit_agg_type(struct emit *e, const struct expr *a);

#endif
