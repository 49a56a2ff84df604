/* SPDX-License-Identifier: GPL-2.0 */
/* Statements. stmt.c, foreach.c. */
#ifndef EMIT_STMT_H
#define EMIT_STMT_H

#include "emit/unit.h"

struct emit_label;

/** emit_stmt / emit_stmt_foreach - write one statement, with nested ones. */
void emit_stmt(struct emit *e, struct stmt *s);
void emit_stmt_foreach(struct emit *e, struct stmt *s);
/** emit_is_next - whether a statement is `next`, alone in as many blocks as it may be. */
bool emit_is_next(const struct stmt *s);
/** emit_stmt_loop_head - count steps and let other code run, at the beginning of a loop's body. */
void emit_stmt_loop_head(struct emit *e, struct range r, struct stmt *body);
/** emit_stmt_loop_body - write the statements of a loop; @on_continue as in struct emit_loop. */
void emit_stmt_loop_body(struct emit *e, struct stmt *body, struct emit_label *on_continue);

#endif
