/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Expressions as statements and an operand, by sort: expr.c, assign.c, print.c, regex.c. Memory of
 * the probed code is in access.h, arrays are in map.h, aggregates in agg.h, calls in graph.h.
 */
#ifndef EMIT_EXPR_H
#define EMIT_EXPR_H

#include "emit/unit.h"
#include "emit/value.h"

/** emit_expr_value - emit the statements that evaluate @x; returns its value. */
struct emit_val emit_expr_value(struct emit *e, struct expr *x);
/** emit_expr_whole - the same for an expression that is not part of another one, in which the same
 *  element of an array may be looked up several times. */
struct emit_val emit_expr_whole(struct emit *e, struct expr *x);
/** emit_expr_discard - evaluate @x for its effects only. */
void emit_expr_discard(struct emit *e, struct expr *x);
/** emit_expr_cond - a C condition for whether the value of @x is not 0. */
struct emit_cond emit_expr_cond(struct emit *e, struct expr *x);
/** emit_expr_negated - the negation of a condition. */
const char *emit_expr_negated(struct emit *e, struct emit_cond cond);
/** emit_expr_list - evaluate operands in order, and hold each against the effects of later ones.
 *  @last: NULL, or an expression that the caller evaluates after them. */
void emit_expr_list(struct emit *e, struct expr **v, size_t n, struct expr *last,
		    struct emit_val *ret);
/** emit_expr_effects - whether evaluating it changes variables. */
bool emit_expr_effects(struct expr *x);

/** emit_assign / emit_assign_incdec - an assignment; ++ or --. Unless @want, the result is not
 *  valid. */
struct emit_val emit_assign(struct emit *e, struct expr *x, bool want);
struct emit_val emit_assign_incdec(struct emit *e, struct expr *x, bool want);

/** emit_print - a call of the print family; only sprint and its relatives have a value. */
struct emit_val emit_print(struct emit *e, struct expr *x);
/** emit_regex - a =~ "re". */
struct emit_val emit_regex(struct emit *e, struct expr *x);
/** emit_assign_long - apply the operator of an assignment @x to the C lvalue @to. */
void emit_assign_long(struct emit *e, struct expr *x, const char *to, struct emit_val v);

#endif
