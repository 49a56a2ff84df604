/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The operations of one expression of debug information, for location.c: expression.c has the
 * theory.
 */
#ifndef DWARF_VALUES_EXPRESSION_H
#define DWARF_VALUES_EXPRESSION_H

#include "dwarf/values/location.h"

enum { EXPRESSION_DEPTH = 32 };

/* The type of a number on the stack. */
struct expression_type {
	uint8_t size;          /* bytes; 0: an address-sized number of no type */
	bool is_signed;
};

struct expression {
	struct arena *arena;
	const struct location_place *at;
	Dwarf_Attribute *attr; /* that the operations are of; NULL: of call frame information */
	struct location_ops ops;
	struct expression_type stack[EXPRESSION_DEPTH];
	unsigned depth;
	unsigned nested;       /* expressions around this one */
	unsigned steps;        /* operations so far */
	const char *entry_reg; /* the register of LO_ENTRY_REG; NULL if there is none so far */
	bool per_cpu;          /* it is the address of a per-CPU variable, and nothing else */
	const char *why;       /* after a failure */
};

/** expression_run - carry over @n operations, none of which says what the value is (a register,
 *  DW_OP_stack_value, a piece). 0, -ENODATA, -ENOTSUP with x->why. */
int expression_run(struct expression *x, const Dwarf_Op *ops, size_t n);
/** expression_register - push a register. */
int expression_register(struct expression *x, uint64_t number);

/* ---- expression_stack.c ---- */

/** expression_fail - set x->why; returns @err. */
int expression_fail(struct expression *x, int err, const char *why);
/** expression_put - add an operation; the stack is the caller's business. */
void expression_put(struct expression *x, enum location_op_kind kind, int64_t n);
/** expression_push, expression_push_typed, expression_push_number - add an operation that pushes an
 *  entry without a type, with one, or a number. 0 or -ENOTSUP with x->why. */
int expression_push(struct expression *x, struct location_op op);
int expression_push_typed(struct expression *x, struct location_op op, struct expression_type type);
int expression_push_number(struct expression *x, int64_t n);
/** expression_add - add @n to the number on top, with that which was added before. */
void expression_add(struct expression *x, int64_t n);
/** expression_need - -ENOTSUP with x->why where the stack has less than @n entries. */
int expression_need(struct expression *x, unsigned n);
/** expression_top - the type of the entry on top. */
struct expression_type *expression_top(struct expression *x);
/** expression_cut - extend the number on top from the bits of its @type: it may have more. */
void expression_cut(struct expression *x, struct expression_type type);

/* ---- expression_arithmetic.c; 0 or -ENOTSUP with x->why ---- */

/** expression_is_binary - whether the operation @atom takes two entries and leaves one. */
bool expression_is_binary(unsigned atom);
int expression_binary(struct expression *x, unsigned atom);
/** expression_unary - DW_OP_neg, DW_OP_not, DW_OP_abs, DW_OP_plus_uconst. */
int expression_unary(struct expression *x, const Dwarf_Op *op);
/** expression_copy - push entry @n below the top again; expression_rotate - move the one on top
 *  below @n others; expression_drop - take it off. */
int expression_copy(struct expression *x, uint64_t n);
int expression_rotate(struct expression *x, unsigned n);
int expression_drop(struct expression *x);

#endif
