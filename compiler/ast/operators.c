/* SPDX-License-Identifier: GPL-2.0 */
#include "ast/operators.h"

const struct operator *operators_row(enum binary_op op)
{
	static const struct operator rows[] = {
#define OPERATOR(op, text, level, sort, function) [op] = { text, text "=", function, sort },
#include "ast/operators.def"
	};

	return &rows[op];
}

const char *operators_unary(enum unary_op op)
{
	static const char *const texts[] = {
#define UNARY_OPERATOR(op, text) [op] = text,
#include "ast/operators.def"
	};

	return texts[op];
}
