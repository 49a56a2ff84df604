/* SPDX-License-Identifier: GPL-2.0 */
/* The tables of operators, operators.def. */
#ifndef AST_OPERATORS_H
#define AST_OPERATORS_H

#include "ast/ast.h"

/* The types of operands and result, and how the operation can end. */
enum operator_sort {
	OPERATOR_NUMBERS,    /* of two numbers, a number */
	OPERATOR_FALLIBLE,   /* likewise, or an error of the handler */
	OPERATOR_LOGICAL,    /* of two numbers, 0 or 1; the second operand may not be evaluated */
	OPERATOR_COMPARISON, /* of two values of one type, 0 or 1 */
	OPERATOR_STRINGS,    /* of two strings, a string */
	OPERATOR_DOUBLES,    /* of two numbers of type double, such a number, or 0 or 1 */
};

struct operator {
	const char *text;     /* "+" */
	const char *assign;   /* "+=" */
	const char *function; /* of the runtime; NULL: C has the same operator */
	enum operator_sort sort;
};

/** operators_unary - an operator as it is written, or "" for a conversion. */
const char *operators_unary(enum unary_op op);
/** operators_row - the row of a binary operator. */
const struct operator *operators_row(enum binary_op op);

#endif
