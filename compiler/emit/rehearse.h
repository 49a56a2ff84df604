/* SPDX-License-Identifier: GPL-2.0 */
/* A handler's rehearsal: what it reads of its process, without its effects. rehearse.c explains. */
#ifndef EMIT_REHEARSE_H
#define EMIT_REHEARSE_H

#include "emit/unit.h"
#include "emit/value.h"

struct emit_finfo;
struct emit_fn;

/** emit_rehearse_reads - whether a statement or an expression reads memory of the process, itself
 *  or in a function that it calls. */
bool emit_rehearse_reads(struct emit *e, struct stmt *s, struct expr *x);
/** emit_rehearse_wanted - whether @p is hit in a program and reads the memory of its process. */
bool emit_rehearse_wanted(struct emit *e, const struct probe *p);
/** emit_rehearse_reads_first - whether the handler of @p reads memory of the process only before it
 *  has effects, and ends with an error where such a read fails. false for return probes. */
bool emit_rehearse_reads_first(struct emit *e, const struct probe *p);
/** emit_rehearse_function - whether @f has a rehearsal of its own, rehearse_NAME, because it reads
 *  memory of the process and has effects. */
bool emit_rehearse_function(const struct emit_finfo *fi);
/** emit_rehearse_left - whether calls of @f are left out, because it has effects. */
bool emit_rehearse_left(const struct emit_fn *fn, const struct emit_finfo *fi);
/** emit_rehearse_keeps - whether the current function may change @sym: a rehearsal may change only
 *  its own variables. */
bool emit_rehearse_keeps(const struct emit_fn *fn, const struct symbol *sym);
/** emit_rehearse_drop - discard a value. */
void emit_rehearse_drop(struct emit *e, struct emit_val v);
/** emit_rehearse_operand - evaluate @x for the memory that it reads; it may have no value (a
 *  histogram). */
void emit_rehearse_operand(struct emit *e, struct expr *x);
/** emit_rehearse_assigned - the value of an assignment that is left out: @right, or the old value
 *  of @left if @right is NULL. @want: as for emit_assign(). */
struct emit_val emit_rehearse_assigned(struct emit *e, struct expr *left, struct expr *right,
				       bool want);
/** emit_rehearse_nothing - the value in place of an expression that is left out. */
struct emit_val emit_rehearse_nothing(struct emit *e, enum type type);

#endif
