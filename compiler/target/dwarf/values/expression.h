/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The operations of one expression of debug information, for location.c; expression.c explains
 * them.
 */
#ifndef DWARF_VALUES_EXPRESSION_H
#define DWARF_VALUES_EXPRESSION_H

#include "target/dwarf/values/location.h"

enum { EXPRESSION_DEPTH = 32 };

/* The type of a number on the stack. */
struct expression_type {
	uint8_t bits;          /* 0: address-sized, without a type */
	bool is_signed;
	bool is_sum;           /* in a 32-bit program: it may have more than its 32 bits */
};

struct expression {
	struct arena *arena;
	const struct location_place *at;
	Dwarf_Attribute *attr; /* the attribute with the expression; NULL: call frame information */
	struct location_ops ops;
	struct expression_type stack[EXPRESSION_DEPTH];
	unsigned depth;
	unsigned nested;       /* number of expressions around this one */
	unsigned steps;        /* number of operations so far */
	const char *entry_reg; /* the register of LO_ENTRY_REG; NULL: none so far */
	/* it has the stack pointer or a frame pointer that moves after the function's first
	 * instruction */
	bool moves;
	bool per_cpu;          /* the result is the address of a per-CPU variable */
	const char *why;       /* the reason of a failure */
};

/** expression_run - translate @n operations that do not describe the kind of value (a register,
 *  DW_OP_stack_value, a piece). Returns 0, or -ENODATA or -ENOTSUP with x->why. */
int expression_run(struct expression *x, const Dwarf_Op *ops, size_t n);
/** expression_register - push a register. */
int expression_register(struct expression *x, uint64_t number);

/* ---- expression_stack.c ---- */

/** expression_fail - set x->why; returns @err. */
int expression_fail(struct expression *x, int err, const char *why);
/** expression_put - add an operation. The caller keeps track of the stack. */
void expression_put(struct expression *x, enum location_op_kind kind, int64_t n);
/** expression_push, expression_push_typed, expression_push_number - add an operation that pushes an
 *  entry without a type, one with a type, or a number. Returns 0, or -ENOTSUP with x->why. */
int expression_push(struct expression *x, struct location_op op);
int expression_push_typed(struct expression *x, struct location_op op, struct expression_type type);
int expression_push_number(struct expression *x, int64_t n);
/** expression_word - bytes of a number without a type. */
unsigned expression_word(const struct expression *x);
/** expression_settle - cut the top entry of a 32-bit program to 32 bits if it may have more. */
void expression_settle(struct expression *x);
/** expression_add - add @n to the top entry; consecutive additions are merged. */
void expression_add(struct expression *x, int64_t n);
/** expression_need - return -ENOTSUP with x->why if the stack has fewer than @n entries. */
int expression_need(struct expression *x, unsigned n);
/** expression_top - the type of the top entry. */
struct expression_type *expression_top(struct expression *x);
/** expression_extend - extend the top entry from its low @bits; 0: it has no type.
 *  expression_cut - the same from the bits of its @type, as it may have more. */
void expression_extend(struct expression *x, unsigned bits, bool is_signed);
void expression_cut(struct expression *x, struct expression_type type);

/* ---- expression_arithmetic.c; 0 or -ENOTSUP with x->why ---- */

/** expression_is_binary - whether the operation @atom replaces two entries by one. */
bool expression_is_binary(unsigned atom);
int expression_binary(struct expression *x, unsigned atom);
/** expression_choose - replace a, b and a condition, the top entry, by a if the condition is not 0,
 *  otherwise by b. */
int expression_choose(struct expression *x);
/** expression_unary - DW_OP_neg, DW_OP_not, DW_OP_abs, DW_OP_plus_uconst. */
int expression_unary(struct expression *x, const Dwarf_Op *op);
/** expression_copy - push a copy of the entry @n below the top; expression_rotate - move the top
 *  entry below @n others; expression_drop - remove it. */
int expression_copy(struct expression *x, uint64_t n);
int expression_rotate(struct expression *x, unsigned n);
int expression_drop(struct expression *x);

#endif
