/* SPDX-License-Identifier: GPL-2.0 */
/* Expressions: operators and conditions; dispatches to the other kinds of values. */
#include <stdlib.h>
#include <string.h>

#include "ast/operators.h"
#include "emit/access.h"
#include "emit/agg.h"
#include "emit/embedded.h"
#include "emit/expr.h"
#include "emit/function.h"
#include "emit/graph.h"
#include "emit/map.h"
#include "emit/rehearse.h"
#include "emit/value.h"

static int64_t fold_shift(enum binary_op op, int64_t a, int64_t b)
{
	int n = b & 63;

	return op == OP_SHL ? (int64_t)((uint64_t)a << n) :
	       op == OP_SHR ? a >> n : (int64_t)((uint64_t)a >> n);
}

/* Computes an operation on two literals. Returns false if it is left to run time, as a division by
 * 0 is. */
static bool fold(enum binary_op op, int64_t a, int64_t b, int64_t *ret)
{
	switch (op) {
	case OP_ADD: *ret = (int64_t)((uint64_t)a + (uint64_t)b); return true;
	case OP_SUB: *ret = (int64_t)((uint64_t)a - (uint64_t)b); return true;
	case OP_MUL: *ret = (int64_t)((uint64_t)a * (uint64_t)b); return true;
	case OP_DIV:
		if (b == 0 || b == -1)
			return false;
		*ret = a / b;
		return true;
	case OP_MOD:
		if (b == 0 || b == -1)
			return false;
		*ret = a % b;
		return true;
	case OP_SHL: case OP_SHR: case OP_USHR:
		*ret = fold_shift(op, a, b);
		return true;
	case OP_AND: *ret = a & b; return true;
	case OP_OR: *ret = a | b; return true;
	case OP_XOR: *ret = a ^ b; return true;
	case OP_LT: *ret = a < b; return true;
	case OP_LE: *ret = a <= b; return true;
	case OP_GT: *ret = a > b; return true;
	case OP_GE: *ret = a >= b; return true;
	case OP_EQ: *ret = a == b; return true;
	case OP_NE: *ret = a != b; return true;
	default: return false;
	}
}

static enum emit_hold longer(enum emit_hold a, enum emit_hold b)
{
	enum emit_hold h = a > b ? a : b;

	/* A text made of literals is not a literal. */
	return h == V_CONST ? V_STABLE : h;
}

static struct emit_val truth(const char *text, enum emit_hold hold)
{
	return (struct emit_val){ .text = text, .compound = true, .type = T_LONG, .hold = hold,
				  .narrow = true, .is_bool = true };
}

static struct emit_cond condition(struct emit *e, struct emit_val v)
{
	if (v.is_num)
		return (struct emit_cond){ v.num ? "1" : "0", NULL };
	if (v.is_bool || !v.compound)
		return (struct emit_cond){ v.text, v.opposite };
	return (struct emit_cond){ arena_printf(e->a, "(%s) != 0", v.text), NULL };
}

struct emit_val emit_expr_whole(struct emit *e, struct expr *x)
{
	bool shares = emit_map_share(e, &x, 1);
	struct emit_val v = emit_expr_value(e, x);

	emit_map_share_end(e, shares);
	return v;
}

struct emit_cond emit_expr_cond(struct emit *e, struct expr *x)
{
	return condition(e, emit_expr_value(e, x));
}

const char *emit_expr_negated(struct emit *e, struct emit_cond cond)
{
	return cond.opposite ? cond.opposite : arena_printf(e->a, "!(%s)", cond.text);
}

/* Emits @x one level deeper; @text gets the statements, or an empty text if there are none. */
static struct emit_val nested(struct emit *e, struct expr *x, char **text)
{
	struct emit_found *found = e->fn->found;
	size_t pos = e->fn->body.len;
	struct emit_val v;

	e->fn->depth++;
	v = emit_expr_value(e, x);
	e->fn->depth--;
	/* Elements that only this part looks up are not known after it. */
	e->fn->found = found;
	*text = emit_cut(e, pos);
	return v;
}

static struct emit_val logical(struct emit *e, struct expr *x)
{
	bool is_and = x->u.binary.op == OP_LAND;
	struct emit_cond left = emit_expr_cond(e, x->u.binary.a);
	char *text;
	struct emit_val b = nested(e, x->u.binary.b, &text);
	const char *right = condition(e, b).text, *t;

	if (!*text)
		return truth(arena_printf(e->a, "(%s) %s (%s)", left.text,
					  operators_row(x->u.binary.op)->text, right), V_SHARED);
	t = emit_temp(e, TMP_LONG);
	emit_line(e, "%s = %d;", t, !is_and);
	emit_open(e, "if (%s)", is_and ? left.text : emit_expr_negated(e, left));
	buf_puts(&e->fn->body, text);
	emit_line(e, "%s = !!(%s);", t, right);
	emit_close(e);
	return emit_val_text(t, T_LONG, V_STABLE);
}

static struct emit_val conditional(struct emit *e, struct expr *x)
{
	const char *c = emit_expr_cond(e, x->u.cond.c).text, *t;
	char *text_a, *text_b;
	struct emit_val a = nested(e, x->u.cond.a, &text_a);
	struct emit_val b = nested(e, x->u.cond.b, &text_b);
	enum emit_hold hold = longer(a.hold, b.hold);

	/* The condition itself may read something that changes. */
	if (!*text_a && !*text_b)
		return (struct emit_val){
			.text = arena_printf(e->a, "(%s) ? %s : %s", c, emit_val_operand(e, a),
					     emit_val_operand(e, b)),
			.compound = true, .type = a.type, .hold = V_SHARED,
			.narrow = a.narrow && b.narrow,
		};
	t = emit_temp(e, a.type == T_STRING ? TMP_STR : TMP_LONG);
	emit_open(e, "if (%s)", c);
	buf_puts(&e->fn->body, text_a);
	emit_line(e, "%s = %s;", t, a.text);
	e->fn->depth--;
	emit_line(e, "} else {");
	e->fn->depth++;
	buf_puts(&e->fn->body, text_b);
	emit_line(e, "%s = %s;", t, b.text);
	emit_close(e);
	return emit_val_text(t, a.type, a.type == T_STRING ? hold : V_STABLE);
}

static struct emit_val divide(struct emit *e, struct expr *x, struct emit_val a, struct emit_val b)
{
	const char *t = emit_temp(e, TMP_LONG);

	emit_line(e, "%s = %s(c, %s, %s, %u);", t, operators_row(x->u.binary.op)->function,
		  emit_val_operand(e, a), emit_val_operand(e, b), emit_srcloc(e, x->range));
	/* Only a divisor of 0 fails. */
	if (!b.is_num || b.num == 0)
		emit_fail_if(e, "c->err");
	return emit_val_text(t, T_LONG, V_STABLE);
}

static bool is_empty(struct emit_val v)
{
	return v.hold == V_CONST && v.len == 0;
}

static struct emit_val compare_strings(struct emit *e, enum binary_op op, struct emit_val a,
				       struct emit_val b)
{
	const char *left, *right;
	enum emit_hold hold;

	/* A string with a mark is not empty, and neither is the name. */
	if (!is_empty(a) && !is_empty(b)) {
		a = emit_val_named(e, a);
		b = emit_val_named(e, b);
	}
	hold = longer(a.hold, b.hold);
	left = emit_val_operand(e, a);
	right = emit_val_operand(e, b);
	if (op == OP_EQ || op == OP_NE) {
		/* prt_str_eq is inline and reads its arguments twice. */
		return truth(arena_printf(e->a, "%sprt_str_eq(%s, %s)", op == OP_NE ? "!" : "",
					  left, right), hold);
	}
	return truth(arena_printf(e->a, "prt_str_cmp(%s, %s) %s 0", left, right,
				  operators_row(op)->text), hold);
}

static struct emit_val compare_stacks(struct emit *e, enum binary_op op, struct emit_val a,
				      struct emit_val b)
{
	enum emit_hold hold = longer(a.hold, b.hold);
	const char *left = emit_val_operand(e, a), *right = emit_val_operand(e, b);

	e->fn->heavy = true;
	if (op == OP_EQ || op == OP_NE)
		return truth(arena_printf(e->a, "%sprt_stacks_same(c, %s, %s)",
					  op == OP_NE ? "!" : "", left, right), hold);
	return truth(arena_printf(e->a, "prt_stacks_cmp(c, %s, %s) %s 0", left, right,
				  operators_row(op)->text), hold);
}

static struct emit_val binary(struct emit *e, struct expr *x)
{
	enum binary_op op = x->u.binary.op;
	const struct operator *row = operators_row(op);
	const char *left, *right;
	struct emit_val v[2];
	int64_t n;

	if (row->sort == OPERATOR_LOGICAL)
		return logical(e, x);
	emit_expr_list(e, (struct expr *[]){ x->u.binary.a, x->u.binary.b }, 2, NULL, v);

	enum emit_hold hold = longer(v[0].hold, v[1].hold);

	if (v[0].is_num && v[1].is_num && fold(op, v[0].num, v[1].num, &n))
		return emit_val_num(e, n);
	left = emit_val_operand(e, v[0]);
	right = emit_val_operand(e, v[1]);
	switch (row->sort) {
	case OPERATOR_FALLIBLE:
		return divide(e, x, v[0], v[1]);
	case OPERATOR_STRINGS: {
		const char *t = emit_temp(e, TMP_STR);

		emit_line(e, "%s = %s(%s, %s, %s);", t, row->function, emit_temp(e, TMP_BUF), left,
			  right);
		return emit_val_text(t, T_STRING, V_STABLE);
	}
	case OPERATOR_COMPARISON:
		if (v[0].type == T_STRING)
			return compare_strings(e, op, v[0], v[1]);
		if (v[0].type == T_STACK)
			return compare_stacks(e, op, v[0], v[1]);
		return truth(arena_printf(e->a, "%s %s %s", v[0].is_bool ?
					  emit_val_wide(e, v[0]) : left, row->text,
					  v[1].is_bool ? emit_val_wide(e, v[1]) : right), hold);
	default:
		if (row->function)
			return emit_val_text(arena_printf(e->a, "%s(%s, %s)", row->function, left,
							  right), T_LONG, hold);
		return emit_val_compound(arena_printf(e->a, "%s %s %s", v[1].narrow ?
						      emit_val_wide(e, v[0]) : left,
						      row->text, right), T_LONG, hold);
	}
}

static struct emit_val unary(struct emit *e, struct expr *x)
{
	struct emit_val a = emit_expr_value(e, x->u.unary.a);
	enum emit_hold hold = longer(a.hold, a.hold);
	struct emit_val v;

	switch (x->u.unary.op) {
	case OP_NEG:
		if (a.is_num)
			return emit_val_num(e, (int64_t)(0 - (uint64_t)a.num));
		return emit_val_compound(arena_printf(e->a, "-%s", emit_val_wide(e, a)), T_LONG,
					 hold);
	case OP_COMPL:
		if (a.is_num)
			return emit_val_num(e, ~a.num);
		return emit_val_compound(arena_printf(e->a, "~%s", emit_val_wide(e, a)), T_LONG,
					 hold);
	case OP_TEXT:
		return emit_val_as_text(e, a, x->range);
	case OP_STACK:
		e->fn->heavy = true;
		return emit_val_text(arena_printf(e->a, "prt_stacks_parse(c, %s)",
						  emit_val_operand(e, a)), T_STACK, V_SHARED);
	case OP_DOUBLE_NEG:
		return emit_val_compound(arena_printf(e->a, "(s64)(%s ^ PRT_FP_SIGN)",
						      emit_val_operand(e, a)), T_LONG, hold);
	case OP_NOT:
		if (a.is_num)
			return emit_val_num(e, !a.num);
		v = truth(arena_printf(e->a, "!%s", emit_val_operand(e, a)), hold);
		v.opposite = condition(e, a).text;
		return v;
	default:
		return a;
	}
}

struct emit_val emit_expr_value(struct emit *e, struct expr *x)
{
	switch (x->kind) {
	case EX_NUM: return emit_val_num(e, x->u.num.v);
	case EX_REAL: return emit_val_num(e, x->u.real.bits);
	case EX_STR: return emit_val_str(e, x->u.str.s, x->u.str.len);
	case EX_NAME: return emit_name_read(e, x->u.name.sym);
	case EX_INDEX:
		return x->u.index.array->kind == EX_AGG ? emit_agg_bucket(e, x) :
							  emit_map_read(e, x);
	case EX_UNARY: return unary(e, x);
	case EX_BINARY: return binary(e, x);
	case EX_ASSIGN: return emit_assign(e, x, true);
	case EX_INCDEC: return emit_assign_incdec(e, x, true);
	case EX_COND: return conditional(e, x);
	case EX_IN: return emit_map_in(e, x);
	case EX_CALL: return emit_func_call(e, x, true);
	case EX_PRINT: return emit_print(e, x);
	case EX_AGG: return emit_agg_value(e, x);
	case EX_CONTEXT: return emit_access(e, x);
	case EX_EMBEDDED: return emit_embedded_value(e, x);
	case EX_REGEX: return emit_regex(e, x);
	case EX_AT: case EX_DEREF: break; /* resolve has replaced or refused them */
	}
	abort();
}

void emit_expr_discard(struct emit *e, struct expr *x)
{
	switch (x->kind) {
	case EX_NUM: case EX_REAL: case EX_STR: case EX_NAME:
		return;
	case EX_ASSIGN:
		emit_assign(e, x, false);
		return;
	case EX_INCDEC:
		emit_assign_incdec(e, x, false);
		return;
	case EX_CALL:
		emit_func_call(e, x, false);
		return;
	case EX_PRINT:
		emit_print(e, x);
		return;
	default:
		emit_rehearse_drop(e, emit_expr_value(e, x));
	}
}
