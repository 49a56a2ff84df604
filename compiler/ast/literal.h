/* SPDX-License-Identifier: GPL-2.0 */
/* Positions in string literals. */
#ifndef AST_LITERAL_H
#define AST_LITERAL_H

#include <stddef.h>

#include "base/source.h"

/** ast_literal_part - the range in the script of bytes @from to @to of a literal's value, which has
 *  @len bytes. A literal may be concatenated from several and have escapes; if its text is not
 *  understood, returns @whole, the range of the literal. */
struct range ast_literal_part(struct range whole, size_t from, size_t to, size_t len);

#endif
