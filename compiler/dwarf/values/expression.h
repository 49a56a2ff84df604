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
	const char *kept;      /* the register of LO_KEPT; NULL: there is none so far */
	bool per_cpu;          /* it is the address of a per-CPU variable, and nothing else */
	const char *why;       /* after a failure */
};

/** expression_run - carry over @n operations, none of which says what the value is (a register,
 *  DW_OP_stack_value, a piece). 0, -ENODATA, -ENOTSUP with x->why. */
int expression_run(struct expression *x, const Dwarf_Op *ops, size_t n);
/** expression_register - push a register. */
int expression_register(struct expression *x, uint64_t number);
/** expression_push - push what has no type. */
int expression_push(struct expression *x, struct location_op op);

#endif
