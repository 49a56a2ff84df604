/* SPDX-License-Identifier: GPL-2.0 */
/* Operations of expressions whose operands are on the stack; expression.c explains them. */
#include <dwarf.h>
#include <errno.h>

#include "target/dwarf/values/expression.h"

struct binary {
	uint8_t atom;
	enum location_op_kind kind, unsigned_kind;
	enum { KEEPS, OVERFLOWS, SHIFTS, COMPARES } sort;
};

static const struct binary *find_binary(unsigned atom)
{
	static const struct binary all[] = {
		{ DW_OP_plus, LO_ADD, LO_ADD, OVERFLOWS },
		{ DW_OP_minus, LO_SUB, LO_SUB, OVERFLOWS },
		{ DW_OP_mul, LO_MUL, LO_MUL, OVERFLOWS },
		{ DW_OP_and, LO_AND, LO_AND, KEEPS }, { DW_OP_or, LO_OR, LO_OR, KEEPS },
		{ DW_OP_xor, LO_XOR, LO_XOR, KEEPS },
		{ DW_OP_div, LO_DIV, LO_UDIV, OVERFLOWS },
		{ DW_OP_mod, LO_MOD, LO_UMOD, KEEPS },
		{ DW_OP_shl, LO_SHL, LO_SHL, SHIFTS }, { DW_OP_shr, LO_SHR, LO_SHR, SHIFTS },
		{ DW_OP_shra, LO_SAR, LO_SAR, SHIFTS },
		{ DW_OP_eq, LO_EQ, LO_EQ, COMPARES }, { DW_OP_ne, LO_NE, LO_NE, COMPARES },
		{ DW_OP_lt, LO_LT, LO_ULT, COMPARES }, { DW_OP_le, LO_LE, LO_ULE, COMPARES },
		{ DW_OP_gt, LO_GT, LO_UGT, COMPARES }, { DW_OP_ge, LO_GE, LO_UGE, COMPARES },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (all[i].atom == atom)
			return &all[i];
	}
	return NULL;
}

/* A constant right operand becomes part of the operation. This saves lines of C, and shows what is
 * below the stack pointer (location.c). */
static bool fold(struct expression *x, const struct binary *b)
{
	struct location_op *last = x->ops.v.v + x->ops.v.n - 1;

	if (b->kind != LO_ADD || last->kind != LO_CONST || expression_top(x)->bits)
		return false;

	int64_t n = last->n;

	x->ops.v.n--;
	x->depth--;
	expression_add(x, n);
	return true;
}

/* In a 32-bit program, gives the two entries their sign before an operation that asks for it, and
 * cuts what may have more bits. */
static void widen(struct expression *x, const struct binary *b, bool is_signed)
{
	bool asks = is_signed && (b->kind == LO_DIV || (b->sort == COMPARES && b->kind != LO_EQ &&
							b->kind != LO_NE));
	const struct expression_type *right = &x->stack[x->depth - 1], *left = right - 1;
	bool is_right = !right->bits && (asks || right->is_sum);
	bool is_left = !left->bits && (asks || left->is_sum || b->kind == LO_SAR);

	if (expression_word(x) == 8)
		return;
	if (is_right)
		expression_put(x, asks ? LO_SEXT : LO_ZEXT, 4);
	if (!is_left)
		return;
	expression_put(x, LO_ROT, 1);
	expression_put(x, asks || b->kind == LO_SAR ? LO_SEXT : LO_ZEXT, 4);
	expression_put(x, LO_ROT, 1);
}

bool expression_is_binary(unsigned atom)
{
	return find_binary(atom) != NULL;
}

int expression_binary(struct expression *x, unsigned atom)
{
	const struct binary *b = find_binary(atom);
	int err = expression_need(x, 2);

	if (err)
		return err;

	struct expression_type right = x->stack[x->depth - 1], left = x->stack[x->depth - 2];

	if (b->sort != SHIFTS && (right.bits != left.bits || right.is_signed != left.is_signed))
		return expression_fail(x, -ENOTSUP, "its location mixes types");
	if (fold(x, b))
		return 0;

	/* Untyped values are divided and compared as signed numbers; the remainder is unsigned. */
	bool is_signed = left.bits ? left.is_signed : b->kind != LO_MOD;

	widen(x, b, is_signed);

	if (b->sort == SHIFTS && b->kind != LO_SHL && left.bits && left.bits < 64 &&
	    (b->kind == LO_SAR) != left.is_signed) {
		expression_put(x, LO_ROT, 1);
		expression_extend(x, left.bits, b->kind == LO_SAR);
		expression_put(x, LO_ROT, 1);
	}
	expression_put(x, is_signed ? b->kind : b->unsigned_kind, 0);
	x->depth--;
	x->per_cpu = false;
	expression_top(x)->is_sum = false;
	if (b->sort == COMPARES)
		*expression_top(x) = (struct expression_type){0};
	else if (b->sort != KEEPS)
		expression_cut(x, left);
	if (b->sort != COMPARES && b->sort != KEEPS && !left.bits && expression_word(x) == 4)
		expression_put(x, LO_ZEXT, 4);
	return 0;
}

int expression_choose(struct expression *x)
{
	static const struct { enum location_op_kind kind; int64_t n; } steps[] = {
		/* a b c becomes m a b, where m has all bits or none. */
		{ LO_CONST, 0 }, { LO_NE, 0 }, { LO_NEG, 0 }, { LO_ROT, 2 },
		/* b ^ ((a ^ b) & m) */
		{ LO_PICK, 0 }, { LO_ROT, 2 }, { LO_XOR, 0 }, { LO_ROT, 2 }, { LO_ROT, 2 },
		{ LO_AND, 0 }, { LO_XOR, 0 },
	};
	int err = expression_need(x, 3);

	if (err)
		return err;

	struct expression_type b = x->stack[x->depth - 2], a = x->stack[x->depth - 3];

	if (a.bits != b.bits || a.is_signed != b.is_signed)
		return expression_fail(x, -ENOTSUP, "its location mixes types");
	expression_settle(x);
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		expression_put(x, steps[i].kind, steps[i].n);
	x->depth -= 2;
	expression_top(x)->is_sum |= b.is_sum;
	x->per_cpu = false;
	return 0;
}

int expression_unary(struct expression *x, const Dwarf_Op *op)
{
	int err = expression_need(x, 1);

	if (err)
		return err;

	struct expression_type type = *expression_top(x);

	if (op->atom == DW_OP_plus_uconst && !type.bits) {
		expression_add(x, (int64_t)op->number);
		return 0;
	}
	x->per_cpu = false;
	if (!type.bits && expression_word(x) == 4) {
		expression_put(x, LO_SEXT, 4);
		expression_top(x)->is_sum = true;
	}
	switch (op->atom) {
	case DW_OP_neg:
		expression_put(x, LO_NEG, 0);
		break;
	case DW_OP_not:
		expression_put(x, LO_NOT, 0);
		break;
	case DW_OP_plus_uconst:
		expression_put(x, LO_CONST, (int64_t)op->number);
		expression_put(x, LO_ADD, 0);
		break;
	case DW_OP_abs: /* v ^ (v >> 63), minus (v >> 63) */
		if (type.bits && !type.is_signed)
			return 0;
		expression_put(x, LO_PICK, 0);
		expression_put(x, LO_CONST, 63);
		expression_put(x, LO_SAR, 0);
		expression_put(x, LO_PICK, 0);
		expression_put(x, LO_ROT, 2);
		expression_put(x, LO_XOR, 0);
		expression_put(x, LO_ROT, 1);
		expression_put(x, LO_SUB, 0);
		break;
	}
	expression_cut(x, type);
	return 0;
}

/* ---- moving what is there ---- */

int expression_copy(struct expression *x, uint64_t n)
{
	int err = expression_need(x, n < EXPRESSION_DEPTH ? (unsigned)n + 1 : EXPRESSION_DEPTH + 1);

	if (err)
		return err;
	return expression_push_typed(x, (struct location_op){ .kind = LO_PICK, .n = (int64_t)n },
			  x->stack[x->depth - 1 - n]);
}

int expression_rotate(struct expression *x, unsigned n)
{
	int err = expression_need(x, n + 1);

	if (err)
		return err;

	struct expression_type moved = *expression_top(x);

	expression_put(x, LO_ROT, n);
	for (unsigned i = 0; i < n; i++)
		x->stack[x->depth - 1 - i] = x->stack[x->depth - 2 - i];
	x->stack[x->depth - 1 - n] = moved;
	return 0;
}

int expression_drop(struct expression *x)
{
	int err = expression_need(x, 1);

	if (err)
		return err;
	expression_put(x, LO_DROP, 0);
	x->depth--;
	return 0;
}
