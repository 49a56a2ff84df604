/* SPDX-License-Identifier: GPL-2.0 */
/* Finds out how a body uses each variable name. Only this file decides what a read and a write
 * is. */
#ifndef AST_USES_H
#define AST_USES_H

#include "ast/ast.h"

enum {
	USE_READ = 1,
	USE_WRITE = 2,
	USE_ARRAY = 4,   /* with an index, in foreach or in `in`: certainly an array */
	USE_EITHER = 8,  /* delete x: a scalar or an array */
	USE_STATS = 16,  /* <<<, @extractor: certainly an aggregate */
	USE_BOUND = 32,  /* set by foreach or catch, not by an assignment */
};

struct use {
	struct expr *name;  /* EX_NAME */
	unsigned flags;
	int nkeys;          /* USE_ARRAY: number of keys */
	struct range range; /* the whole expression */
};

struct use_visitor {
	void (*use)(const struct use *u, void *data);
	/* called for every other expression before its children; may be NULL; may replace *e */
	void (*expr)(struct expr **e, void *data);
	void *data;
};

/** uses_stmt / uses_expr - visit in the order of evaluation. An update (++, +=) whose value is not
 *  used counts only as a write. NULL subtrees are skipped. */
void uses_stmt(struct stmt **st, const struct use_visitor *v);
void uses_expr(struct expr **e, const struct use_visitor *v);

#endif
