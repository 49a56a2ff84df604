/* SPDX-License-Identifier: GPL-2.0 */
/* The stack of an expression: the operations made so far, and the types of its entries. */
#include <errno.h>

#include "target/dwarf/values/expression.h"

int expression_fail(struct expression *x, int err, const char *why)
{
	x->why = why;
	return err;
}

void expression_put(struct expression *x, enum location_op_kind kind, int64_t n)
{
	vec_push(x->arena, &x->ops.v, ((struct location_op){ .kind = kind, .n = n }));
}

int expression_push_typed(struct expression *x, struct location_op op, struct expression_type type)
{
	if (x->depth == EXPRESSION_DEPTH)
		return expression_fail(x, -ENOTSUP, "its location is too complex");
	vec_push(x->arena, &x->ops.v, op);
	x->stack[x->depth++] = type;
	x->per_cpu = false;
	return 0;
}

int expression_push(struct expression *x, struct location_op op)
{
	return expression_push_typed(x, op, (struct expression_type){0});
}

int expression_push_number(struct expression *x, int64_t n)
{
	if (expression_word(x) == 4)
		n = (uint32_t)n;
	return expression_push(x, (struct location_op){ .kind = LO_CONST, .n = n });
}

int expression_need(struct expression *x, unsigned n)
{
	return x->depth >= n ? 0 : expression_fail(x, -ENOTSUP, "its location is damaged");
}

struct expression_type *expression_top(struct expression *x)
{
	return &x->stack[x->depth - 1];
}

void expression_extend(struct expression *x, unsigned bits, bool is_signed)
{
	if (bits == 8 || bits == 16 || bits == 32) {
		expression_put(x, is_signed ? LO_SEXT : LO_ZEXT, bits / 8);
	} else if (bits && bits < 64 && is_signed) {
		for (int i = 0; i < 2; i++) {
			expression_put(x, LO_CONST, 64 - (int64_t)bits);
			expression_put(x, i ? LO_SAR : LO_SHL, 0);
		}
	} else if (bits && bits < 64) {
		expression_put(x, LO_CONST, ((int64_t)1 << bits) - 1);
		expression_put(x, LO_AND, 0);
	}
}

void expression_cut(struct expression *x, struct expression_type type)
{
	expression_extend(x, type.bits, type.is_signed);
}

unsigned expression_word(const struct expression *x)
{
	return x->at->db->is_32bit ? 4 : 8;
}

void expression_settle(struct expression *x)
{
	struct expression_type *top = expression_top(x);

	if (top->is_sum)
		expression_put(x, LO_ZEXT, 4);
	top->is_sum = false;
}

/* Additions of constants are merged. */
void expression_add(struct expression *x, int64_t n)
{
	struct location_op *last = x->ops.v.v + x->ops.v.n;

	if (expression_word(x) == 4) {
		n = (int32_t)n;
		expression_top(x)->is_sum |= n != 0;
	}
	if (n == 0)
		return;
	if (x->ops.v.n >= 2 && last[-1].kind == LO_ADD && last[-2].kind == LO_CONST) {
		last[-2].n = (int64_t)((uint64_t)last[-2].n + (uint64_t)n);
		if (last[-2].n == 0)
			x->ops.v.n -= 2;
		return;
	}
	if (x->ops.v.n && (last[-1].kind == LO_CONST || last[-1].kind == LO_SYMBOL)) {
		last[-1].n = (int64_t)((uint64_t)last[-1].n + (uint64_t)n);
		return;
	}
	expression_put(x, LO_CONST, n);
	expression_put(x, LO_ADD, 0);
}
