/* SPDX-License-Identifier: GPL-2.0 */
/* Tells how each variable name in a body is used. No other file decides what reads and what
 * writes. */
#ifndef RESOLVE_USES_H
#define RESOLVE_USES_H

#include "ast/ast.h"

enum {
	USE_READ = 1,
	USE_WRITE = 2,
	USE_ARRAY = 4,   /* with an index, in foreach or in: an array for certain */
	USE_EITHER = 8,  /* delete x: scalar or array */
	USE_STATS = 16,  /* <<<, @extractor: an aggregate for certain */
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
	/* every other expression, before its children; may be NULL; may replace *e */
	void (*expr)(struct expr **e, void *data);
	void *data;
};

/** uses_stmt / uses_expr - visit in the order of evaluation. An update (++, +=) whose value is not
 *  used counts as a write only. NULL subtrees are passed over. */
void uses_stmt(struct stmt **st, const struct use_visitor *v);
void uses_expr(struct expr **e, const struct use_visitor *v);

#endif
