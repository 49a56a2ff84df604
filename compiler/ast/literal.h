/* SPDX-License-Identifier: GPL-2.0 */
/* Places within string literals. */
#ifndef AST_LITERAL_H
#define AST_LITERAL_H

#include <stddef.h>

#include "base/source.h"

/** ast_literal_part - where bytes @from to @to of a literal's value stand in the script; @len is
 *  the length of the value. Literals may be glued together and may hold escapes; where the text is
 *  not understood, @whole, the range of the literal, is the answer. */
struct range ast_literal_part(struct range whole, size_t from, size_t to, size_t len);

#endif
