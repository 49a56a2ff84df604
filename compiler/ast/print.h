/* SPDX-License-Identifier: GPL-2.0 */
/* The tree as text that parses again to the same tree (-p1). */
#ifndef AST_PRINT_H
#define AST_PRINT_H

#include "ast/ast.h"
#include "shared/buf.h"

/** print_script - one file, declarations in the order written, tabs for blocks. */
void print_script(struct buf *b, const struct script *s);
/** print_expr, print_stmt (indented by @depth tabs, newline at the end), print_probe_point -
 *  parts. */
void print_expr(struct buf *b, const struct expr *e);
void print_stmt(struct buf *b, const struct stmt *s, int depth);
void print_probe_point(struct buf *b, const struct probe_point *pp);
/** print_type_name - "long", "string", "stats", "void", "unknown". */
const char *print_type_name(enum type t);
/** print_assign_operator - "=", "+=", ".=", "<<<"; @op as struct expr has it. */
const char *print_assign_operator(int op);
/** print_agg_name - "@count", "@sum", ... */
const char *print_agg_name(enum agg_op op);

#endif
