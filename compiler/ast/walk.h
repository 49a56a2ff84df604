/* SPDX-License-Identifier: GPL-2.0 */
/* Visiting and copying trees. */
#ifndef AST_WALK_H
#define AST_WALK_H

#include "ast/ast.h"

/*
 * Called for each child of a node in the order of their evaluation. A child may be NULL, and a
 * callback may replace it through the pointer to it.
 */
struct child_visitor {
	void (*expr)(struct expr **e, void *data);
	/* may be NULL for expressions without statements below */
	void (*stmt)(struct stmt **s, void *data);
	void *data;
};

/** ast_expr_children / ast_stmt_children - visit the direct children of a node. */
void ast_expr_children(struct expr *e, const struct child_visitor *c);
void ast_stmt_children(struct stmt *s, const struct child_visitor *c);

/*
 * Called before the children of each node; if it returns false, these are skipped. A callback may
 * replace the node, as in a child visitor. A NULL callback is not called.
 */
struct visitor {
	bool (*expr)(struct expr **e, void *data);
	bool (*stmt)(struct stmt **s, void *data);
	void (*expr_post)(struct expr **e, void *data); /* called after the children of a node */
	void *data;
};

/** walk_expr / walk_stmt - visit a tree; NULL subtrees are skipped. Children are visited in the
 *  order of their evaluation. */
void walk_expr(struct expr **e, const struct visitor *v);
void walk_stmt(struct stmt **s, const struct visitor *v);

/** ast_clone_expr / ast_clone_stmt - a deep copy in @a. Annotations (sym, access, types) are
 *  copied; symbols and functions are shared. */
struct expr *ast_clone_expr(struct arena *a, const struct expr *e);
struct stmt *ast_clone_stmt(struct arena *a, const struct stmt *s);

/** ast_expr / ast_stmt - a new node of @kind at @range; all other fields are zero. */
struct expr *ast_expr(struct arena *a, enum expr_kind kind, struct range range);
struct stmt *ast_stmt(struct arena *a, enum stmt_kind kind, struct range range);
/** ast_number - a new EX_NUM of the type T_LONG. */
struct expr *ast_number(struct arena *a, struct range range, int64_t value);

/** ast_mentions - whether the embedded C of @f contains @text; false if it has none. */
bool ast_mentions(const struct function *f, const char *text);

/** ast_note - the word after @key in a comment of the embedded C of @f, as in "key: NAME"; NULL if
 *  there is none. Owned by @a. */
const char *ast_note(struct arena *a, const struct function *f, const char *key);

#endif
